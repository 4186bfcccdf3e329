package topic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
)

// slackOf is what an occurrence competes with on a page of so many English words.
func slackOf(words int) float64 { return 3 * (.1 + .9*float64(words)/700) }

func TestBM25CountsOccurrencesTowardsABound(t *testing.T) {
	topic := mustNew(t, Spec{Terms: terms("alpha", "beta"), Calibrate: "off"})
	j := topic.Judge(doc("alpha alpha beta gamma"))
	near(t, "two terms", j.Raw, (rarity("alpha")*2/(2+slackOf(4))+rarity("beta")*1/(1+slackOf(4)))/(rarity("alpha")+rarity("beta")))
	if len(j.Terms) != 2 || j.Terms[0].Term != "alpha" || j.Terms[0].Count != 2 {
		t.Errorf("because of %+v", j.Terms)
	}
	near(t, "what each term added", j.Terms[0].Added+j.Terms[1].Added, j.Raw)
	near(t, "a page of other words", topic.Judge(doc("gamma delta")).Raw, 0)
	if often := topic.Judge(doc(strings.Repeat("alpha ", 1000))).Raw; often > .5 {
		t.Errorf("one term of two a thousand times is %.3f, more than it alone can be", often)
	}
	long, short := topic.Judge(doc("alpha beta "+strings.Repeat("gamma ", 2000))).Raw, topic.Judge(doc("alpha beta "+strings.Repeat("gamma ", 100))).Raw
	if long > short/2 {
		t.Errorf("named once on a long page is %.3f, on a short one %.3f", long, short)
	}
}

// A page that is nothing but the topic is wholly relevant, whether the topic has one word or twenty, and the weights count
// by what they are to each other.
func TestBM25KnowsAWholePageOfTheTopic(t *testing.T) {
	for _, list := range [][]string{{"football"}, strings.Fields("football league goal keeper striker cup coach match stadium referee penalty midfield")} {
		topic := mustNew(t, Spec{Terms: terms(list...)})
		if j := topic.Judge(doc(strings.Repeat(strings.Join(list, " ")+" ", 5))); j.Relevance < .9 {
			t.Errorf("%d terms: a page of nothing else has relevance %.2f", len(list), j.Relevance)
		}
	}
	one, ten := mustNew(t, Spec{Terms: terms("football:1", "league:.5")}), mustNew(t, Spec{Terms: terms("football:10", "league:5")})
	page := doc("football league weather report")
	near(t, "ten times the weights", ten.Judge(page).Raw, one.Judge(page).Raw)
}

// A term of less weight than 0 speaks against a page, is named with what it took away, and is not looked for in links.
func TestBM25HearsWhatSpeaksAgainstAPage(t *testing.T) {
	topic := mustNew(t, Spec{Terms: terms("jaguar", "habitat", "dealer:-1"), Calibrate: "off"})
	cat, car := topic.Judge(doc("the jaguar in its habitat")), topic.Judge(doc("the jaguar dealer"))
	near(t, "against", car.Raw, 0)
	if cat.Raw < .7 || topic.Sim("jaguar dealer") != topic.Sim("jaguar") {
		t.Errorf("the cat is %.2f; near: %v and %v", cat.Raw, topic.Sim("jaguar dealer"), topic.Sim("jaguar"))
	}
	if why := fmt.Sprint(car.Terms); !strings.Contains(why, "dealer 1 -") {
		t.Errorf("because of %s", why)
	}
	if _, err := New(Spec{Judge: "vsm-restricted", Terms: terms("jaguar", "dealer:-1")}); err == nil || !strings.Contains(err.Error(), "only judge bm25") {
		t.Errorf("another judge: %v", err)
	}
	if _, err := New(Spec{Terms: terms("dealer:-1")}); err == nil || !strings.Contains(err.Error(), "nothing says what is looked for") {
		t.Errorf("nothing but what is not wanted: %v", err)
	}
}

// Menus, advertisements and lists of links are not the page's text, neither their words nor their length; a block of them
// is judged by its links.
func TestBM25ReadsThePagesOwnText(t *testing.T) {
	own := text.Segment{Text: "alpha and more words of its own", Block: 1}
	menu := text.Segment{Text: strings.Repeat("alpha beta gamma ", 300), Position: anchor, Block: 2, Aside: true}
	topic := mustNew(t, Spec{Terms: terms("alpha", "beta"), Calibrate: "off"})
	alone, framed := topic.Judge(&text.Doc{Segments: []text.Segment{own}}), topic.Judge(&text.Doc{Segments: []text.Segment{menu, own}})
	near(t, "in its frame", framed.Raw, alone.Raw)
	linked := &text.Doc{Segments: []text.Segment{{Text: "alpha", Position: anchor, Block: 3}}}
	near(t, "a link in running text", topic.Judge(linked).Raw, rarity("alpha")*.5/(.5+slackOf(1)/2+.15)/(rarity("alpha")+rarity("beta")))
	if block := topic.JudgeBlock(&text.Doc{Segments: []text.Segment{menu, own}}, 2); block.Raw < .9 {
		t.Errorf("a list of links about the topic is %.2f", block.Raw)
	}
}

// Only as much of a page is looked at as is cut, its main text first, and the length is of that.
func TestBM25OfALongPage(t *testing.T) {
	topic := mustNew(t, Spec{Terms: terms("alpha"), Calibrate: "off", Limit: 6000})
	main := text.Segment{Text: strings.Repeat("alpha beta ", 10), Block: 1}
	rest := text.Segment{Text: strings.Repeat("gamma ", 1_000_000) + strings.Repeat("alpha ", 1000)}
	d := &text.Doc{Segments: []text.Segment{rest, main}, Main: []bool{false, true}}
	words := 20 + (6000-len(main.Text))/6
	have, want := topic.Judge(d).Raw, 10/(10+slackOf(words))
	if math.Abs(have-want) > .01 {
		t.Errorf("%.3f, want some %.3f", have, want)
	}
}

// What was seen makes no difference: that is what sets it apart from the judges of the sources.
func TestBM25JudgesAPageAsIfItWereTheFirst(t *testing.T) {
	for _, name := range []string{"terms", "both", "bm25"} {
		fresh, old := mustNew(t, specs()[name]), mustNew(t, specs()[name])
		empty := len(old.State())
		old.Record()
		for _, d := range pages(157) {
			old.Learn(d, old.Judge(d))
		}
		for i, d := range pages(30) {
			if a, b := fresh.Judge(d), old.Judge(d); a.Raw != b.Raw || a.Relevance != b.Relevance {
				t.Fatalf("%s: page %d is %v, after a crawl %v", name, i, a, b)
			}
		}
		if len(old.State()) != empty || old.Lesson() != nil {
			t.Errorf("%s: it remembers pages: %d bytes of state, %d before", name, len(old.State()), empty)
		}
	}
}

// The words of the examples count by how rare they are, as the table says that comes with the program.
func TestBM25KnowsWhatExamplesSay(t *testing.T) {
	both := mustNew(t, specs()["both"])
	if near, far := both.Judge(doc("striker coach match")).Raw, both.Judge(doc("garden music opera")).Raw; !(near > far && far == 0) {
		t.Errorf("a page like the examples is %.3f, another %.3f", near, far)
	}
	shown := mustNew(t, Spec{Examples: []*text.Doc{doc("people see the goalkeeper"), doc("people know a goalkeeper")}})
	if rare, common := shown.Judge(doc("goalkeeper")).Raw, shown.Judge(doc("people")).Raw; rare < 1.5*common {
		t.Errorf("the goalkeeper is %.3f, people %.3f", rare, common)
	}
	if rarity("的") > .2 || rarity("发动机") < 3 || rarity("nosuchword") < rarity("发动机") || rarity("peopl") > rarity("goalkeep") {
		t.Error("the table of common words is turned round")
	}
}

// Beside terms the words of examples count for three tenths of the number, and no more.
func TestBM25HearsTermsLouderThanExamples(t *testing.T) {
	topic := mustNew(t, Spec{Terms: terms("football"), Examples: []*text.Doc{doc("goalkeeper goalkeeper")}})
	for said, share := range map[string]float64{"football": .7, "goalkeeper": .3} {
		near(t, "a page of one word: "+said, topic.Judge(doc(said)).Raw, share/(1+slackOf(1)))
	}
	alone := mustNew(t, Spec{Examples: []*text.Doc{doc("goalkeeper goalkeeper")}})
	near(t, "without terms", alone.Judge(doc("goalkeeper")).Raw, min(sampleCounts/(1+slackOf(1)), 1))
}

// The parameters of bm25 are its two: a lower saturation hears a single word more, and without length a long page is not
// another than a short one.
func TestBM25HasParameters(t *testing.T) {
	with := func(yaml string) *Topic {
		return mustNew(t, Spec{Terms: terms("solar"), Calibrate: "off", With: mustParse(t, yaml)})
	}
	page := doc("a solar roof")
	if low, high := with("{saturation: 1, length: 0}").Judge(page).Raw, with("{saturation: 4, length: 0}").Judge(page).Raw; !(low > 2*high) {
		t.Errorf("a word that occurs once gets %v at a saturation of 1, and %v of 4", low, high)
	}
	long := doc("a solar roof " + strings.Repeat("and soup ", 2000))
	blind := with("length: 0")
	if a, b := blind.Judge(page).Raw, blind.Judge(long).Raw; a != b {
		t.Errorf("with length 0 a short page gets %v, and a long one %v", a, b)
	}
	if a, b := with("length: 0.9").Judge(page).Raw, with("length: 0.9").Judge(long).Raw; !(a > 5*b) {
		t.Errorf("with length 0.9 a short page gets %v, and a long one %v", a, b)
	}
	if _, err := New(Spec{Terms: terms("solar"), With: mustParse(t, "saturation: 0")}); err == nil || !strings.Contains(err.Error(), "saturation") {
		t.Errorf("a saturation of 0: %v", err)
	}
}

func mustParse(t *testing.T, yaml string) strict.Node {
	t.Helper()
	n, err := strict.Parse("with", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Two terms of one weight do not say the same: one of them may stand on every other page.
func TestBM25HearsTheRarerOfTwoTerms(t *testing.T) {
	topic := mustNew(t, Spec{Terms: terms("syllabus", "people"), Calibrate: "off"})
	rare, common := topic.Judge(doc("the syllabus of this term")).Raw, topic.Judge(doc("the people of this term")).Raw
	if rare < 1.5*common {
		t.Errorf("the rare word makes it %.3f, the common one %.3f", rare, common)
	}
	near(t, "a page with both", topic.Judge(doc("syllabus people")).Raw, 1/(1+slackOf(2)))
}

// A site of articles on the topic keeps its pages whatever else is crawled: beside a host of pages that are nothing but the
// topic's words, and where nearly every page has them. It used to lose them, because words that everybody has became
// worthless, and because the scale followed the best.
func TestBM25KeepsASiteBesideDensePages(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	own := strings.Fields("sailing yacht regatta keel mast harbour")
	plain := strings.Fields("morning people town long water year house small work evening week great hand letter street door garden river")
	article := func() *text.Doc {
		var words []string
		for range 250 + r.IntN(300) {
			from := plain
			if r.Float64() < .06 {
				from = own
			}
			words = append(words, from[r.IntN(len(from))])
		}
		return &text.Doc{Segments: []text.Segment{{Text: own[r.IntN(len(own))] + " and a letter", Position: title}, {Text: strings.Join(words, " ")}}}
	}
	topic := mustNew(t, Spec{Terms: terms(own...), Threshold: .3})
	for _, beside := range []string{"dense pages", "pages like them"} {
		kept := 0
		for range 91 {
			other := doc(strings.Repeat(strings.Join(own, " ")+" ", 40))
			if beside == "pages like them" {
				other = article()
			}
			topic.Learn(other, topic.Judge(other))
			page := article()
			if j := topic.Judge(page); j.Relevant {
				kept++
			}
		}
		if kept < 85 {
			t.Errorf("beside %s %d of 91 articles are kept", beside, kept)
		}
	}
	strange := 0
	for range 91 {
		if topic.Judge(doc(strings.Join(plain, " ") + " " + own[r.IntN(len(own))] + " " + strings.Repeat("garden river ", 100))).Relevant {
			strange++
		}
	}
	if strange > 2 {
		t.Errorf("%d of 91 pages that name one word of the topic in passing are kept", strange)
	}
}

// The length of a text goes over its bytes, and counts what its characters are.
func TestLengthByCharacters(t *testing.T) {
	byCharacters := func(s string) float64 {
		dense, words := 0, 0
		within := false
		for _, r := range s {
			letter := r < 0x80 && ('a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9') || 0xC0 <= r && r < 0x2E80
			if r >= 0x3005 && r < 0xFF00 {
				dense++
			} else if letter && !within {
				words++
			}
			within = letter
		}
		return float64(dense)/usualChinese + float64(words)/usualWords
	}
	pieces := []string{"茶", "鿿", "䀀", "㿿", "ー", "。", "、", "a", "Zebra", " ", "0", "é", "ж", "\x00", "𠀀", "한", "ａ", "\uFF00", "\uFEFF", "\xE4", "\xE4\xB8", "\xE9\x80\x20", "\xFF", "\x80", "\xED\xA0\x80", "naïve", "ⸯ", "⺀",
		"harbour", "/ : @ [ ` { 0 9 A Z a z ", "two words, ", "        "}
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		var b strings.Builder
		for range random.IntN(24) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		if have, want := lengthOf(b.String()), byCharacters(b.String()); have != want {
			t.Fatalf("%q is %v long, want %v", b.String(), have, want)
		}
	}
}

// A judge that looks at few words gives what it gives where all are counted.
func TestWhatIsNotLookedAtMakesNoDifference(t *testing.T) {
	listed := terms("体育", "足球", "NBA", "league", "schedule")
	listed[4].Weight = -.5
	for _, spec := range []Spec{{Terms: listed}, {Terms: listed, Examples: []*text.Doc{portal(), doc("中超联赛 球员 教练")}}, {Examples: []*text.Doc{doc("The league announced a schedule"), portal()}}} {
		topic := mustNew(t, spec)
		all := mustNew(t, spec)
		if all.wanted == nil {
			t.Fatal("it looks at all words")
		}
		all.wanted = nil
		for _, d := range []*text.Doc{portal(), doc("a new schedule"), doc("汽车报价"), doc("")} {
			have, want := topic.Judge(d), all.Judge(d)
			if !reflect.DeepEqual(have, want) {
				t.Errorf("have %+v, want %+v", have, want)
			}
			if have, want := topic.JudgeBlock(d, 3), all.JudgeBlock(d, 3); !reflect.DeepEqual(have, want) {
				t.Errorf("a block: have %+v, want %+v", have, want)
			}
		}
	}
}
