package topic

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/text"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-6) {
		t.Errorf("%s: got %.7f, want %.7f", what, got, want)
	}
}

func mustNew(t testing.TB, s Spec) *Topic {
	t.Helper()
	topic, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return topic
}

// doc is a page of body text alone.
func doc(s string) *text.Doc { return &text.Doc{Segments: []text.Segment{{Text: s}}} }

// terms are terms of weight 1, or of another after a colon.
func terms(list ...string) []Term {
	var out []Term
	for _, s := range list {
		t := Term{s, 1}
		if name, weight, ok := strings.Cut(s, ":"); ok {
			t.Term = name
			if _, err := fmt.Sscan(weight, &t.Weight); err != nil {
				panic(err)
			}
		}
		out = append(out, t)
	}
	return out
}

func TestRestrictedJudgeOfTheSources(t *testing.T) {
	topic := mustNew(t, Spec{Judge: "vsm-restricted", Terms: terms("alpha:1", "beta:.8", "gamma:.5"), Relative: true, Calibrate: "off"})
	near(t, "freq (4,2,0)", topic.Judge(doc("alpha alpha alpha alpha beta beta weather weather")).Raw, .891485)
	near(t, "freq (0,0,3)", topic.Judge(doc("gamma gamma gamma")).Raw, .363696)
	plain := mustNew(t, Spec{Judge: "vsm-restricted", Terms: terms("x1:3", "x2:4", "x3:5"), Calibrate: "off"})
	near(t, "cos((3,4,5),(4,3,0))", plain.Judge(doc("x1 x1 x1 x1 x2 x2 x2 and other words")).Raw, 24/(5*math.Sqrt(50)))
	near(t, "no word of the topic", plain.Judge(doc("nothing here")).Raw, 0)
}

func TestRestrictedJudgeNeedsOnlyTheTerms(t *testing.T) {
	pages := []string{"联赛的比赛在北京，球队和球员都来了", "大学生活很好", "球队 球员 球队 weather", "发展中国家的比赛"}
	fast := mustNew(t, Spec{Judge: "vsm-restricted", Terms: terms("比赛", "球队", "学生", "中国"), Calibrate: "off"})
	for _, p := range pages {
		d := doc(p)
		b := newBag()
		fast.weigh.page(b, d, fast.cutter.Tokens(d), nil)
		full, _ := fast.judge.Score(b, nil)
		j := fast.Judge(doc(p))
		near(t, p, j.Raw, full)
		fast.Learn(doc(p), j)
	}
}

func TestPositionsAndSpeechAreFactors(t *testing.T) {
	d := &text.Doc{Segments: []text.Segment{{Text: "football", Position: title}, {Text: "weather"}}}
	slack := slackOf(1)
	for weight, count := range map[float64]float64{0: 0, 1: 1, 3: 3} {
		weighted := mustNew(t, Spec{Terms: terms("football"), Calibrate: "off", Positions: map[string]float64{"title": weight}}).Judge(d).Raw
		near(t, fmt.Sprint("title ", weight), weighted, count/(count+slack))
	}
	near(t, "the judge's own weight", mustNew(t, Spec{Terms: terms("football"), Calibrate: "off"}).Judge(d).Raw, 4/(4+slack))
	cosine := mustNew(t, Spec{Judge: "vsm-restricted", Calibrate: "off", Terms: terms("football", "weather")})
	near(t, "three times for the other judges", cosine.Judge(d).Raw, 4/math.Sqrt(20))

	verbs := map[string]float64{"verb": 0}
	tagged := mustNew(t, Spec{Terms: terms("足球", "踢"), Calibrate: "off", Speech: verbs})
	j := tagged.Judge(doc("他们在公园踢足球"))
	for _, e := range j.Terms {
		if e.Term == "踢" && text.Backend() == "gojieba" {
			t.Errorf("a verb that weighs nothing counts: %+v", j.Terms)
		}
	}
	if j.Raw == 0 {
		t.Error("the noun does not count")
	}
}

func TestContentRules(t *testing.T) {
	d := &text.Doc{
		Segments: []text.Segment{
			{Text: "football", Position: anchor}, {Text: "weather"}, {Text: "league", Block: 1}, {Text: "cup", Position: title},
		},
		Main: []bool{false, true},
	}
	count := func(content string, hub bool) string {
		w, err := newWeigher(&Spec{Content: content})
		if err != nil {
			t.Fatal(err)
		}
		d.Hub = hub
		b := newBag()
		w.page(b, d, mustNew(t, Spec{Terms: terms("football"), Examples: []*text.Doc{doc("football")}}).cutter.Tokens(d), nil)
		return strings.Join(b.words, " ")
	}
	for _, c := range []struct {
		content string
		hub     bool
		want    string
	}{
		{"whole", false, "footbal weather leagu cup"},
		{"by_kind", false, "weather leagu cup"},
		{"by_kind", true, "footbal"},
		{"main_text", true, "leagu cup"},
	} {
		if got := count(c.content, c.hub); got != c.want {
			t.Errorf("%s, hub %v: %s, want %s", c.content, c.hub, got, c.want)
		}
	}
	d.Main = nil
	if got := count("main_text", false); got != "footbal weather leagu cup" {
		t.Errorf("main_text where nobody looked: %s", got)
	}
}

func TestBlocksAreJudgedAlone(t *testing.T) {
	d := &text.Doc{Segments: []text.Segment{{Text: "football league", Block: 1}, {Text: "weather", Block: 2}, {Text: "football", Block: 3}}}
	topic := mustNew(t, Spec{Terms: terms("football"), Calibrate: "off"})
	for block, want := range []float64{0, 1 / (1 + slackOf(2)), 0, 1 / (1 + slackOf(1))} {
		near(t, fmt.Sprint("block ", block), topic.JudgeBlock(d, block).Raw, want)
	}
}

func TestSimOfShortTexts(t *testing.T) {
	topic := mustNew(t, Spec{Terms: terms("足球", "office hours", "中超", "NBA")})
	near(t, "one of four", topic.Sim("足球新闻"), .5)
	near(t, "a phrase", topic.Sim("Office Hours of the staff"), .5)
	near(t, "all", topic.Sim("NBA 中超 足球 office-hours"), 1)
	near(t, "none", topic.Sim("天气预报 weather"), 0)
	near(t, "empty", topic.Sim(""), 0)
	near(t, "last words before", topic.SimAround("football 足球 green", "blue 中超 sky", 2), math.Sqrt2/2)
	near(t, "too far", topic.SimAround("足球 green trees", "blue sky 中超", 2), 0)
	if got := strings.Join(topic.Matches("NBA：中超足球，NBA Office Hours"), ","); got != "NBA,中超,足球,office hours" {
		t.Errorf("matches are %s", got)
	}
}

func TestSimWithExamplesIsTheSameTwice(t *testing.T) {
	topic := mustNew(t, Spec{Terms: terms("football"), Examples: []*text.Doc{doc("goal keeper striker"), doc("goal league cup")}})
	for _, s := range []string{"goal of the week", "football", "league table", "weather", "keeper and keeper"} {
		first, around := topic.Sim(s), topic.SimAround(s, s, 3)
		if topic.Sim(s) != first || topic.SimAround(s, s, 3) != around {
			t.Errorf("%s: remembered otherwise than cut", s)
		}
		if first == 0 != (s == "weather") {
			t.Errorf("%s: %v", s, first)
		}
	}
}

// An English topic cuts the Chinese it meets into pairs of characters; one with a Chinese term, or in whatever language, by a
// dictionary.
func TestChineseIsCutByADictionaryWhereItTells(t *testing.T) {
	english := []Term{{Term: "solar", Weight: 1}}
	for _, c := range []struct {
		spec  Spec
		pairs bool
	}{
		{Spec{Language: "en", Terms: english}, true},
		{Spec{Language: "auto", Terms: english}, false},
		{Spec{Language: "en", Terms: append(english, Term{Term: "太阳能", Weight: 1})}, false},
		{Spec{Language: "zh", Terms: english}, false},
		{Spec{Language: "en", Terms: english, UserDict: "words.txt"}, false},
	} {
		if have := cutting(&c.spec, false, nil).Pairs; have != c.pairs {
			t.Errorf("%s %v: pairs %v, want %v", c.spec.Language, c.spec.Terms, have, c.pairs)
		}
	}
	if cutting(&Spec{Language: "en"}, false, []string{"太阳"}).Pairs {
		t.Error("a Chinese word of a model is not found")
	}
}
