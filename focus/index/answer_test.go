package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/text"
)

func TestWhatIsFound(t *testing.T) {
	c, change := opened(t, small(t).dir)
	if change.Added != 6 || change.Pages != 6 {
		t.Fatalf("%+v, want six pages added", change)
	}
	for query, want := range map[string]string{
		"growing":                        "1",
		"grow hill":                      "1",   // stems
		`"office hours"`:                 "1",   // and not "hours in the office"
		`"Hours in the office"`:          "2",   // stop words are part of phrases
		"assam":                          "1 2", // words of a link that leads there, and of the page it stands on
		"张益唐":                            "3",
		"張益唐":                            "3", // traditional
		`"有界的间隔"`:                        "3",
		"世界":                             "4",
		"和服":                             "5", // as characters: no page has it as a word
		"服务":                             "5",
		"ABC":                            "6", // full width
		"体育新闻":                           "6",
		"数学家":                            "3 4", // by the words of a link, and those of the page it stands on
		"site:example.com tea":           "1 2",
		"site:www.example.cn 世界杯":        "4",
		"lang:zh after:2020":             "6",
		"before:2020":                    "3 2",
		"before:1970-01-02":              "2",
		"after:1950 before:1956":         "2",
		"year:1955":                      "2",
		"year:2024":                      "6",
		"year:2019":                      "3",
		"tea -green":                     "2",
		"tea -year:2019":                 "2 1",
		"gro\u200bwing":                  "1",
		"tea －green":                     "2", // as a Chinese keyboard writes it
		"lang：zh after：2020":             "6",
		"after:2010 －site：example.com":   "3 6",
		"after:2010 -site:EXAMPLE.com":   "3 6",
		"after:2010 -lang:en -year:2019": "6",
		"-lang:zh -kind:hub tea":         "2 1",
		`tea -"fully oxidised"`:          "1",
		"茶":                              "",
		"récolte":                        "1", // its mark stands behind the letter there
		"the\u0301ie\u0300re":            "2", // and here in the query
		"\"a the\u0301ie\u0300re\"":      "2",
		"zhang":                          "3", // by its address
	} {
		a := asked(t, c, query)
		if got := found(a); got != want && !(query == "assam" && got == "2 1") && !(strings.HasPrefix(query, "site:example.com") && got == "2 1") {
			t.Errorf("%s: %s, want %s (%v)", query, got, want, a.Notes)
		}
	}
}

// TestAnAddressIsAQuery holds that the page comes first whose address is asked for, and that nothing is missed of it.
func TestAnAddressIsAQuery(t *testing.T) {
	h := small(t)
	h.keep("http://www.example.cn/", article("Of http", "http www cn com http://www.example.cn/cup"))
	c, _ := opened(t, h.dir)
	for query, want := range map[string]string{
		"http://tea.example.com/black":       "2",
		"https://TEA.example.com/green#here": "1",
		"tea.example.com/black":              "2",
		"www.example.cn":                     "7",
		"Example.cn":                         "7",
		"example.cn 决赛":                      "4",
		"example.com black":                  "2", // the host itself has no page
		"http://www.example.cn/cup":          "4",
		"决赛 www.example.cn/wear":             "5",
		`"www.example.cn/cup"`:               "7", // as a phrase
		"tea.example.com/nowhere":            "2",
	} {
		a := asked(t, c, query)
		first, _, _ := strings.Cut(found(a), " ")
		lacks := strings.Contains(query, "nowhere") || strings.HasPrefix(query, "决赛")
		if missed := strings.Contains(fmt.Sprint(a.Notes), "no page has"); first != want || missed != lacks {
			t.Errorf("%s: %s, want %s first (%v)", query, found(a), want, a.Notes)
		}
	}
}

// TestPhrasesAlwaysFound holds that whatever stands in a page in one line is found as a phrase.
func TestPhrasesAlwaysFound(t *testing.T) {
	h := newHarvest(t)
	texts := map[uint64]string{}
	for _, s := range []string{
		"To be, or not to be: that is the question. U.S. sales of the F-16 rose 3.5 % in 2019.",
		"2019年10月，上海证券交易所的Ｃ＋＋工程师说：「和平共处」才是出路，张益唐也这么说。",
		"カタカナとひらがな mixed with words. 北京大学生物系的同学们乒乓球拍卖完了。",
	} {
		texts[h.keep(fmt.Sprintf("http://a.example.com/%d", h.next), article("t", s))] = s
	}
	c, _ := opened(t, h.dir)
	tried := 0
	for id, s := range texts {
		for _, p := range piecesOf(s) {
			tried++
			a := asked(t, c, `"`+p+`"`)
			if got := found(a); !strings.Contains(" "+got+" ", fmt.Sprintf(" %d ", id)) {
				t.Errorf("“%s” of page %d is not found: %s", p, id, got)
			}
			for _, hit := range a.Hits {
				marked := func(piece Piece) bool { return piece.Hit && piece.Text == p }
				if hit.ID == id && !slices.ContainsFunc(hit.Snippet, marked) {
					t.Errorf("“%s” of page %d is not marked: %v", p, id, hit.Snippet)
				}
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d phrases tried", tried)
	}
}

// piecesOf are pieces of a text that begin and end at the edge of a word.
func piecesOf(s string) []string {
	c, err := text.NewCutter(text.Options{})
	if err != nil {
		panic(err)
	}
	var simple []text.Word
	for _, w := range c.Search(nil, s) {
		if w.Form != text.Compound {
			simple = append(simple, w)
		}
	}
	var all []string
	for i := range simple {
		for _, n := range []int{1, 2, 3, 5} {
			if i+n <= len(simple) {
				all = append(all, s[simple[i].Start:simple[i+n-1].End])
			}
		}
	}
	return all
}

// TestWhyIsTheScore holds that the numbers that explain a score are those it is made of.
func TestWhyIsTheScore(t *testing.T) {
	c, _ := opened(t, small(t).dir)
	for _, query := range []string{"green tea", "世界杯 旅游", "lang:zh", "tea spring oxidised"} {
		a := asked(t, c, query)
		if len(a.Hits) == 0 {
			t.Errorf("%s: nothing found", query)
		}
		for _, h := range a.Hits {
			product := 1.0
			for _, r := range h.Why {
				if r.Depth == 1 {
					product *= r.Value
				}
			}
			if h.Why[0].Name != "score" || h.Why[0].Value != h.Score || product < h.Score*0.999999 || product > h.Score*1.000001 {
				t.Errorf("%s: score %v, and its reasons are %v", query, h.Score, h.Why)
			}
		}
	}
}

// TestTogether holds that two harvests are searched as if they were one.
func TestTogether(t *testing.T) {
	a, b := small(t), newHarvest(t)
	b.keep("http://other.example.org/", article("More tea", "Tea from elsewhere, and no other word."))
	one, _ := opened(t, a.dir)
	two, _ := opened(t, b.dir)
	answer, err := Search(context.Background(), []*Collection{one, two}, ParseQuery("tea"), Ask{Limit: 10, Weights: DefaultWeights(), Why: true})
	if err != nil || answer.Total != 3 {
		t.Fatalf("%v %+v, want three pages", err, answer)
	}
	if answer.Facets[facetSite][0] != (Count{"tea.example.com", 2}) {
		t.Errorf("%v, want two pages of the first site", answer.Facets[facetSite])
	}
	if err := os.Truncate(filepath.Join(a.dir, "harvest.jsonl"), 0); err != nil { // a crawl begins anew
		t.Fatal(err)
	}
	answer, err = Search(context.Background(), []*Collection{one, two}, ParseQuery("tea"), Ask{Limit: 10, Weights: DefaultWeights()})
	if err != nil || found(answer) != "1" || answer.Hits[0].Host != "other.example.org" || !strings.Contains(fmt.Sprint(answer.Notes), "written anew") {
		t.Errorf("%v %+v, want the page of the other, and a word on the first", err, answer)
	}
}

// TestEveryWordComesFirst holds that pages with some of the words of a query follow those that have every one, whatever their order.
func TestEveryWordComesFirst(t *testing.T) {
	h := newHarvest(t, "jsonl")
	h.keep("http://a.example.com/deep/down/here", article("A long list", "carps "+strings.Repeat("of this and that ", 200)+"ponds"))
	for i := range 3 {
		h.keep(fmt.Sprintf("http://b%d.example.com/", i), article("Carps", fmt.Sprint("carps carps ", i)), func(r *sink.Record) { r.Date = "2024-03-01" })
	}
	c, _ := opened(t, h.dir)
	for _, by := range []Order{Best, Date, Found} {
		q := ParseQuery("carps ponds")
		q.Order = by
		a, err := Search(t.Context(), []*Collection{c}, q, Ask{Limit: 10, Weights: DefaultWeights()})
		if err != nil || len(a.Hits) != 4 || a.Hits[0].ID != 1 || !strings.Contains(fmt.Sprint(a.Notes), "all of the words: 1;") {
			t.Errorf("%s: %v: %s, want the page first that has both words, and a note: %v", by, err, found(a), a.Notes)
		}
	}
}

// TestFoldedAway holds that near duplicates stand under the best, and that a site shows so many pages.
func TestFoldedAway(t *testing.T) {
	h := newHarvest(t)
	text := strings.Repeat("one long text about the raising of carps in ponds and in rivers of the north ", 4)
	for i := range 6 {
		h.keep(fmt.Sprintf("http://a.example.com/%d", i), article(fmt.Sprint("Carps ", i), fmt.Sprintf("carps in the %d. year: %s", i, strings.Repeat(fmt.Sprintf("word%d other%d ", i, i*7), 30))))
	}
	h.keep("http://b.example.com/", article("Carps", text))
	h.keep("http://c.example.com/", article("Carps", text))
	few := "watch more videos of this channel here, and share it with your friends: sign in, upload, subscribe, comment, rate it, report it"
	h.keep("http://tv.example.org/1", article("A heron catches its first eel in the reeds at dawn", few))
	h.keep("http://tv.example.org/2", article("The ferry to the island sinks in the harbour", few))
	c, _ := opened(t, h.dir)
	if a := asked(t, c, "videos"); len(a.Hits) != 2 {
		t.Errorf("%d videos of 2 are shown, which have all but their titles in common", len(a.Hits))
	}
	a := asked(t, c, "carps")
	shown, folded, same := 0, 0, 0
	for _, hit := range a.Hits {
		shown++
		folded += hit.OfSite
		same += len(hit.Same)
	}
	if a.Total != 8 || shown != 4 || folded != 3 || same != 1 {
		t.Errorf("%d pages: %d shown, %d folded away, %d nearly the same; want 8, 4, 3, 1", a.Total, shown, folded, same)
	}
	if a := asked(t, c, "site:a.example.com carps"); len(a.Hits) != 6 {
		t.Errorf("%d pages of one site, want all 6", len(a.Hits))
	}
	if a := asked(t, c, "year"); a.Total != 6 || len(a.Hits) != 6 || a.More {
		t.Errorf("%d of %d pages, want all where all that is found is of one site", len(a.Hits), a.Total)
	}
	q, weights := ParseQuery("site:example.com carps"), DefaultWeights()
	q.Order, weights.PerSite = Found, 0
	if a, err := Search(t.Context(), []*Collection{c}, q, Ask{Limit: 10, Weights: weights}); err != nil || found(a) != "8 6 5 4 3 2 1" {
		t.Errorf("%v: %s, want what was found last first", err, found(a))
	}
	q.Narrow("site", "a.EXAMPLE.com", "b.example.com")
	q.Narrow("year", "")
	if a, err := Search(t.Context(), []*Collection{c}, q, Ask{Limit: 10, Weights: weights}); err != nil || found(a) != "7 6 5 4 3 2 1" {
		t.Errorf("%v: %s, want the pages of two of the sites that the query asks for", err, found(a))
	}
}

// TestNoQueryIsWrong holds that anything may be asked: it is answered, within bounds, and said what was made of it.
func TestNoQueryIsWrong(t *testing.T) {
	c, _ := opened(t, small(t).dir)
	for query, note := range map[string]string{
		`"green tea`:                 "quotation mark",
		"after:soon tea":             "wants a date",
		"site: tea":                  "nothing behind it",
		"tea qqqq":                   "no page has",
		strings.Repeat("tea ", 2500): "cut after",
		strings.Repeat("茶树", 5000):   "cut after",
		`(a+)+$ .*.*.*`:              "",
		`-`:                          "",
		`--`:                         "has no words",
		`tea -++`:                    "has no words",
		`""`:                         "",
		"\xff\xfe\x00":               "",
		strings.Repeat(`"`, 511):     "",
		"tea OR AND NOT ()":          "no page has",
		"lang:zh lang:en kind:hub":   "",
		"Xylophones tea":             "no page has “Xylophones”", // not its stem
		"year:20x tea":               "no page has “year:20x”",
		"lang:english tea":           "no page has “lang:english”",
		"-site:nowhere.test tea":     "no page has “site:nowhere.test”",
		"-after:2020 tea":            "dates cannot be excluded",
		`-before:"2020-01" tea`:      "dates cannot be excluded",
		"-kind: tea":                 "nothing behind it",
	} {
		a := asked(t, c, query)
		if note != "" && !strings.Contains(fmt.Sprint(a.Notes), note) {
			t.Errorf("%.40s: %v, want a word on %q", query, a.Notes, note)
		}
	}
	if q := ParseQuery("site:中文.COM -site:http://Bücher.example/a"); !slices.Equal(q.Sites, []string{"xn--fiq228c.com"}) || !slices.Equal(q.without[facetSite], []string{"xn--bcher-kva.example"}) {
		t.Errorf("sites in other letters are %q, and not %q", q.Sites, q.without[facetSite])
	}
	if q := ParseQuery(`-site:"a.example" -lang:“zh” -kind:"hub" -year:"2024" -before:"2020"`); len(q.Phrases) > 0 || !reflect.DeepEqual(q.without, [facetCount][]string{{"a.example"}, {"zh"}, {"2024"}, {"hub"}}) {
		t.Errorf("what stands in quotation marks is not excluded, but %q are phrases: %q", q.Phrases, q.without)
	}
	if q := ParseQuery(`:"green tea" -:"red tea"`); !slices.Equal(q.Phrases, []string{"green tea", "red tea"}) {
		t.Errorf("behind a colon alone the phrases are %q", q.Phrases)
	}
	for host, within := range map[string]bool{"127.0.0.1:8805": true, "127.0.0.1": true, "a.127.0.0.1:1": true, "127.0.0.11:8805": false, "[::1]:8805": false} {
		if withinSite(host, "127.0.0.1") != within || withinSite(host, "127.0.0.1:8805") != (host == "127.0.0.1:8805") || withinSite(host, "[::1]") != (host == "[::1]:8805") {
			t.Errorf("%s is taken for within a site that it is not, or is", host)
		}
	}
	if a := asked(t, c, `--`); a.Total != 0 {
		t.Errorf("%d pages have nothing that was not asked for", a.Total)
	}
	if a := asked(t, c, "récolte"); len(a.Hits) != 1 || !strings.Contains(fmt.Sprint(a.Hits[0].Snippet), "{re\u0301colte true}") {
		t.Errorf("it is not marked in %+v", a.Hits)
	}
	if a := asked(t, c, `"green tea`); len(a.Hits) == 0 {
		t.Error("an open phrase is not found")
	}
}

// TestTimeIsBounded holds that a query whose time is up is answered with what was found, and that this is said.
func TestTimeIsBounded(t *testing.T) {
	c, _ := opened(t, small(t).dir)
	a, err := Search(context.Background(), []*Collection{c}, ParseQuery("green tea"), Ask{Limit: 10, Weights: DefaultWeights(), Time: 1})
	if err != nil || !a.Partial || !strings.Contains(fmt.Sprint(a.Notes), "time was up") {
		t.Errorf("%v, partial %v, noted %v", err, a.Partial, a.Notes)
	}
}

// TestAFolderThatIsGone: nobody who searches makes the folder of a run anew, and one that is put back is there again.
func TestAFolderThatIsGone(t *testing.T) {
	c, _ := opened(t, small(t).dir)
	noError(t, os.Rename(c.Dir, c.Dir+".moved"))
	for _, empty := range []bool{false, true} {
		if _, err := c.Update(t.Context()); err == nil || !strings.Contains(err.Error(), "the run folder "+c.Dir+" is gone") {
			t.Errorf("the folder is empty: %v, and is brought up to date: %v", empty, err)
		}
		if names, err := os.ReadDir(c.Dir); len(names) > 0 || (err == nil) != empty {
			t.Fatalf("it was made anew: %v %v", names, err)
		}
		if a := asked(t, c, "green tea"); len(a.Hits) > 0 || !strings.Contains(fmt.Sprint(a.Notes), "the folder of "+c.Name()+" is gone") {
			t.Errorf("%d pages are found, and it is noted %v", len(a.Hits), a.Notes)
		}
		if !empty {
			if err := os.Mkdir(c.Dir, 0o700); err != nil { // as where a disk is to be mounted
				t.Fatal(err)
			}
		}
	}
	noError(t, errors.Join(os.Remove(c.Dir), os.Rename(c.Dir+".moved", c.Dir)))
	if a := asked(t, c, "green tea"); len(a.Hits) == 0 {
		t.Errorf("when it is back nothing is found: %v", a.Notes)
	}
	if change := updated(t, c); change.Pages != 6 || change.Rebuilt != "" {
		t.Errorf("when it is back: %+v", change)
	}
}

func TestComplete(t *testing.T) {
	c, _ := opened(t, small(t).dir)
	for written, want := range map[string]string{"gr": "green", "some gr": "some green", "pré": "prémium", "pre\u0301": "prémium", "世": "世界", "看世": "看世界", "zzz": "", "": "", "green ": ""} {
		words, err := Complete([]*Collection{c}, written, 5)
		if err != nil || want != "" && !strings.HasPrefix(strings.Join(words, "|"), want) && !strings.Contains("|"+strings.Join(words, "|")+"|", "|"+want+"|") || want == "" && len(words) > 0 {
			t.Errorf("%q: %v %v, want %q", written, words, err, want)
		}
	}
}

func TestMoreLikeThis(t *testing.T) {
	c, _ := opened(t, small(t).dir)
	q := &Query{Order: Best, Like: &Like{c.Name(), 1}}
	a, err := Search(context.Background(), []*Collection{c}, q, Ask{Limit: 10, Weights: DefaultWeights()})
	if err != nil || found(a) == "" || strings.HasPrefix(found(a), "1") || !strings.HasPrefix(found(a), "2") {
		t.Errorf("%v %s, want the other page on tea first", err, found(a))
	}
}

// FuzzParseQuery holds that every query can be taken apart and stays within its bounds.
func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{`a "b c" -d site:x after:2020 “中文” -"e f`, "-", `"`, "site:", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := ParseQuery(s)
		if n := len(q.Words) + len(q.Phrases) + len(q.Not); n > mostWords {
			t.Errorf("%d words", n)
		}
	})
}
