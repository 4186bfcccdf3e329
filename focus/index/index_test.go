package index

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/text"
)

// harvester keeps pages as a crawl does.
type harvester struct {
	t     *testing.T
	dir   string
	sinks []sink.Sink
	next  uint64
}

func newHarvest(t *testing.T, to ...string) *harvester {
	t.Helper()
	h := &harvester{t: t, dir: filepath.Join(t.TempDir(), "run")}
	if len(to) == 0 {
		to = []string{"jsonl", "warc"}
	}
	h.open(to...)
	return h
}

func (h *harvester) open(to ...string) {
	h.t.Helper()
	for _, kind := range to {
		s, err := sink.Open(h.dir, sink.Options{To: kind})
		if err != nil {
			h.t.Fatal(err)
		}
		h.sinks = append(h.sinks, s)
	}
	h.t.Cleanup(func() {
		for _, s := range h.sinks {
			s.Close()
		}
	})
}

// keep keeps a page, and has the sinks write it.
func (h *harvester) keep(address, html string, change ...func(*sink.Record)) uint64 {
	h.t.Helper()
	h.next++
	r := recordOf(h.next, address, []byte(html))
	for _, c := range change {
		c(r)
	}
	for _, s := range h.sinks {
		if err := s.Write(r); err != nil {
			h.t.Fatal(err)
		}
		if err := s.Sync(); err != nil {
			h.t.Fatal(err)
		}
	}
	return h.next
}

// recordOf is the record that a crawl would make of a page.
func recordOf(id uint64, address string, html []byte) *sink.Record {
	p := page.Parse(html, address, page.Options{})
	main := p.MainText()
	return &sink.Record{
		ID: id, URL: address, FinalURL: address, Host: page.Host(address), Status: 200, Type: "text/html", Charset: "utf-8",
		Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(id) * time.Second), Language: text.Detect(p.Title+" "+main, p.Language),
		Title: p.Title, Description: p.Facts.Description, Date: p.Facts.Date, Text: main, Markdown: p.Markdown(), Relevance: 0.5,
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: html, Digest: fmt.Sprintf("sha256:%x", id), Bytes: int64(len(html)),
	}
}

// article is a page with a title, paragraphs and links (address, words, address, words …).
func article(title, text string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<html><head><title>%s</title></head><body><h1>%s</h1><div>", title, title)
	for line := range strings.Lines(text) {
		fmt.Fprintf(&b, "<p>%s</p>\n", line)
	}
	for i := 0; i+1 < len(links); i += 2 {
		fmt.Fprintf(&b, "<p><a href=%q>%s</a></p>\n", links[i], links[i+1])
	}
	return b.String() + "</div></body></html>"
}

// opened is a collection that is up to date.
func opened(t *testing.T, dir string, o ...Options) (*Collection, Change) {
	t.Helper()
	var options Options
	if len(o) > 0 {
		options = o[0]
	}
	c, err := Open(dir, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, updated(t, c)
}

func updated(t *testing.T, c *Collection) Change {
	t.Helper()
	change, err := c.Update(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return change
}

func asked(t *testing.T, c *Collection, query string) *Answer {
	t.Helper()
	a, err := Search(context.Background(), []*Collection{c}, ParseQuery(query), Ask{Limit: 10, Weights: DefaultWeights(), Why: true})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return a
}

// found are the numbers of the pages an answer shows.
func found(a *Answer) string {
	var ids []string
	for _, h := range a.Hits {
		ids = append(ids, fmt.Sprint(h.ID))
	}
	return strings.Join(ids, " ")
}

// small is a harvest in two languages.
func small(t *testing.T, to ...string) *harvester {
	h := newHarvest(t, to...)
	h.keep("http://tea.example.com/green", article("Growing green tea", "Green tea grows on hills. It is picked by hand in spring.\nThe office hours of the garden are long.", "/black", "dark leaves of Assam"))
	h.keep("http://tea.example.com/black", article("Black tea", "Black tea is fully oxidised. Hours in the office are spent without it."))
	h.keep("http://www.example.cn/zhang", article("数论中的一个名字", "张益唐证明了素数之间有界的间隔。他在大学里教书。", "http://www.example.cn/cup", "足球赛事"), func(r *sink.Record) { r.Date = "2019-10-05" })
	h.keep("http://www.example.cn/cup", article("世界杯决赛", "二零一八年的世界杯决赛在莫斯科举行，旅游的人很多。", "/zhang", "那位数学家"))
	h.keep("http://www.example.cn/wear", article("店铺", "这里有各种产品和服务，价格公道。"))
	h.keep("http://www.example.cn/full", article("ＡＢＣ公司", "體育新聞在這裡。"), func(r *sink.Record) { r.Date = "2024-03-01" })
	return h
}

func TestWhatIsFound(t *testing.T) {
	c, change := opened(t, small(t).dir)
	if change.Added != 6 || change.Pages != 6 {
		t.Fatalf("%+v, want six pages added", change)
	}
	for query, want := range map[string]string{
		"growing":                 "1",
		"grow hill":               "1",   // stems
		`"office hours"`:          "1",   // and not "hours in the office"
		`"Hours in the office"`:   "2",   // stop words are part of phrases
		"assam":                   "1 2", // words of a link that leads there, and of the page it stands on
		"张益唐":                     "3",
		"張益唐":                     "3", // traditional
		`"有界的间隔"`:                 "3",
		"世界":                      "4",
		"和服":                      "5", // as characters: no page has it as a word
		"服务":                      "5",
		"ABC":                     "6", // full width
		"体育新闻":                    "6",
		"数学家":                     "3 4", // by the words of a link, and those of the page it stands on
		"site:example.com tea":    "1 2",
		"site:www.example.cn 世界杯": "4",
		"lang:zh after:2020":      "6",
		"before:2020":             "3",
		"year:2019":               "3",
		"tea -green":              "2",
		`tea -"fully oxidised"`:   "1",
		"茶":                       "",
		"zhang":                   "3", // by its address
	} {
		a := asked(t, c, query)
		if got := found(a); got != want && !(query == "assam" && got == "2 1") && !(strings.HasPrefix(query, "site:example.com") && got == "2 1") {
			t.Errorf("%s: %s, want %s (%v)", query, got, want, a.Notes)
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
			if got := found(asked(t, c, `"`+p+`"`)); !strings.Contains(" "+got+" ", fmt.Sprintf(" %d ", id)) {
				t.Errorf("“%s” of page %d is not found: %s", p, id, got)
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

// TestFollowsTheHarvest holds that what is kept later is found, and that links which come later say what they say.
func TestFollowsTheHarvest(t *testing.T) {
	h := small(t)
	c, _ := opened(t, h.dir)
	if again := updated(t, c); again.Added != 0 {
		t.Errorf("%+v, want nothing to do", again)
	}
	before, _, err := current(c.folder())
	if err != nil {
		t.Fatal(err)
	}
	h.keep("http://tea.example.com/white", article("White tea", "White tea is hardly touched.", "http://www.example.cn/cup", "the great final"))
	change := updated(t, c)
	if change.Added != 1 || change.Again != 1 || change.Pages != 7 || change.Rebuilt != "" {
		t.Errorf("%+v, want one page added and one indexed again", change)
	}
	if got := found(asked(t, c, "great final")); got != "7 4" {
		t.Errorf("the page with a new link and the one it leads to: %s, want 7 4", got)
	}
	if _, err := os.Stat(before); !os.IsNotExist(err) {
		t.Errorf("the generation before is still there: %v", err)
	}
	other, _ := opened(t, h.dir)
	if got := found(asked(t, other, "hardly touched")); got != "7" {
		t.Errorf("another reader finds %s, want 7", got)
	}
}

// TestMadeInOneOrMany holds that an index that followed a crawl answers as one that was made at its end.
func TestMadeInOneOrMany(t *testing.T) {
	whole := small(t)
	one, _ := opened(t, whole.dir)
	h := newHarvest(t)
	var many *Collection
	n := 0
	for r, err := range sink.Harvest(whole.dir) {
		if err != nil {
			t.Fatal(err)
		}
		links := map[uint64][]string{1: {"/black", "dark leaves of Assam"}, 3: {"http://www.example.cn/cup", "足球赛事"}, 4: {"/zhang", "那位数学家"}}[r.ID]
		h.keep(r.URL, article(r.Title, strings.TrimPrefix(r.Text, r.Title+"\n"), links...), func(k *sink.Record) { k.Text, k.Date = r.Text, r.Date })
		if n++; many == nil {
			many, _ = opened(t, h.dir)
		} else {
			updated(t, many)
		}
	}
	for _, query := range []string{"tea", "世界杯", "assam", "数学家", "lang:zh", `"office hours"`} {
		a, b := asked(t, one, query), asked(t, many, query)
		if found(a) != found(b) {
			t.Errorf("%s: %s made at once, %s made in steps", query, found(a), found(b))
		}
		for i := range min(len(a.Hits), len(b.Hits)) {
			if a.Hits[i].Score != b.Hits[i].Score {
				t.Errorf("%s: score %v made at once, %v made in steps", query, a.Hits[i].Score, b.Hits[i].Score)
			}
		}
	}
}

// TestAKillWhileIndexing holds that whatever a process that was killed has left, the index agrees with the harvest after
// opening.
func TestAKillWhileIndexing(t *testing.T) {
	h := small(t)
	c, _ := opened(t, h.dir)
	h.keep("http://tea.example.com/white", article("White tea", "White tea is hardly touched."))
	path, _, err := current(c.folder())
	if err != nil {
		t.Fatal(err)
	}
	begun := generations + "BEGUN" // and not finished
	if err := os.MkdirAll(filepath.Join(c.folder(), begun+unfinished, folderBleve), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := link(path, filepath.Join(c.folder(), begun+unfinished)); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(c.folder(), begun), 0o755); err != nil { // and one that was not put in place
		t.Fatal(err)
	}
	other, change := opened(t, h.dir)
	if change.Added != 1 || change.Pages != 7 || change.Rebuilt != "" {
		t.Errorf("%+v, want the page that was kept since", change)
	}
	if got := found(asked(t, other, "hardly touched")); got != "7" {
		t.Errorf("%s, want 7", got)
	}
	left, err := filepath.Glob(filepath.Join(c.folder(), generations+"*"))
	if err != nil || len(left) != 1 {
		t.Errorf("%v, want one generation", left)
	}
}

// TestDamageIsSaid flips a byte of each file of an index, and cuts each: it is made anew, and that is said.
func TestDamageIsSaid(t *testing.T) {
	h := small(t)
	c, _ := opened(t, h.dir)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for name := range mustState(t, c).Sums {
		for _, how := range []string{"flip", "cut", "remove"} {
			path, _, err := current(c.folder())
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, ".zap") {
				segments, err := filepath.Glob(filepath.Join(path, folderBleve, "store", "*.zap"))
				if err != nil || len(segments) == 0 {
					t.Fatal(err, segments)
				}
				path = segments[0]
			} else {
				path = filepath.Join(path, name)
			}
			harm(t, path, how)
			again, change := opened(t, h.dir)
			if change.Rebuilt == "" || change.Pages != 6 || found(asked(t, again, "张益唐")) != "3" {
				t.Errorf("%s of %s: %+v, want it made anew", how, name, change)
			}
			again.Close()
		}
	}
	harm(t, filepath.Join(c.folder(), fileCurrent), "cut")
	if _, change := opened(t, h.dir); change.Rebuilt == "" || change.Pages != 6 {
		t.Errorf("%+v, want it made anew", change)
	}
}

func mustState(t *testing.T, c *Collection) *state {
	t.Helper()
	_, st, err := current(c.folder())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func harm(t *testing.T, path, how string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	switch how {
	case "flip":
		raw[len(raw)/2] ^= 0xff
	case "cut":
		raw = raw[:len(raw)/2]
	case "remove":
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := os.Remove(path); err != nil { // it may be a second name of a file
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestAnotherHarvest holds that the index of a harvest that was cleared away is not taken for that of the new one.
func TestAnotherHarvest(t *testing.T) {
	h := small(t)
	opened(t, h.dir)
	other := newHarvest(t)
	other.keep("http://b.example.com/", article("Coffee", "Coffee is roasted."))
	for _, name := range []string{"harvest.jsonl", "pages-0000.warc.gz"} {
		raw, err := os.ReadFile(filepath.Join(other.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(h.dir, name), raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, change := opened(t, h.dir)
	if change.Rebuilt == "" || change.Pages != 1 || found(asked(t, c, "coffee")) != "1" || found(asked(t, c, "tea")) != "" {
		t.Errorf("%+v, want the new harvest alone", change)
	}
}

// TestWithoutArchives holds that without WARC files links come from the log, and headings from the Markdown.
func TestWithoutArchives(t *testing.T) {
	h := small(t, "jsonl")
	c, _ := opened(t, h.dir, Options{Log: func(visit func(uint64, string, string) bool) error {
		visit(1, "http://www.example.cn/cup", "a very fine match")
		return nil
	}})
	if got := found(asked(t, c, "fine match")); got != "4" {
		t.Errorf("%s, want 4 by the link that the log tells", got)
	}
}

// TestWhatIsNotKeptGoes holds that pages which do not count as kept any more are taken out.
func TestWhatIsNotKeptGoes(t *testing.T) {
	h := small(t)
	out := map[uint64]bool{}
	c, _ := opened(t, h.dir, Options{Kept: func(id uint64) bool { return !out[id] }})
	out[1] = true
	if change := updated(t, c); change.Removed != 1 || change.Pages != 5 {
		t.Errorf("%+v, want one page taken out", change)
	}
	if got := found(asked(t, c, "tea")); got != "2" {
		t.Errorf("%s, want 2", got)
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
	c, _ := opened(t, h.dir)
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
		`""`:                         "",
		"\xff\xfe\x00":               "",
		strings.Repeat(`"`, 511):     "",
		"tea OR AND NOT ()":          "no page has",
		"lang:zh lang:en kind:hub":   "",
	} {
		a := asked(t, c, query)
		if note != "" && !strings.Contains(strings.Join(a.Notes, "\n"), note) {
			t.Errorf("%.40s: %v, want a word on %q", query, a.Notes, note)
		}
	}
	if a := asked(t, c, `"green tea`); len(a.Hits) == 0 {
		t.Error("an open phrase is not found")
	}
}

func TestComplete(t *testing.T) {
	c, _ := opened(t, small(t).dir)
	for written, want := range map[string]string{"gr": "green", "some gr": "some green", "世": "世界", "看世": "看世界", "zzz": "", "": "", "green ": ""} {
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
