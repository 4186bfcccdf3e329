package topic

import (
	"math"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/text"
)

func TestSpecsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		s    Spec
		want string
	}{
		{Spec{Terms: terms("the", "of")}, "every term is a stop word (the, of)"},
		{Spec{Terms: []Term{{"足球", 0}}}, "weight is 0"},
		{Spec{Terms: []Term{{"足球", math.NaN()}}}, "weight is NaN"},
		{Spec{Terms: []Term{{" ", 1}}}, "terms[0] is empty"},
		{Spec{Examples: []*text.Doc{doc(""), doc("the of and")}}, "none of the 2 examples"},
		{Spec{Judge: "cosine"}, `judge is "cosine", want one of bm25`},
		{Spec{Content: "some"}, `content is "some"`},
		{Spec{Calibrate: "yes"}, `calibrate is "yes"`},
		{Spec{Language: "fr"}, `language is "fr"`},
		{Spec{TF: "log"}, `tf is "log"`},
		{Spec{Threshold: math.NaN()}, "threshold is NaN"},
		{Spec{Threshold: 1.5}, "threshold is 1.5"},
		{Spec{Positions: map[string]float64{"footer": 1}}, `positions has no "footer"`},
		{Spec{Speech: map[string]float64{"noun": -1}}, "speech.noun is -1"},
		{Spec{Speech: map[string]float64{"pronoun": 1}}, `speech has no "pronoun"`},
		{Spec{Judge: "trained"}, "nothing to learn from"},
		{Spec{Judge: "classifier", Relevant: []*text.Doc{doc("a page"), doc("two page")}}, "0 other"},
		{Spec{UserDict: "nowhere/user.dict"}, "user.dict"},
	} {
		_, err := New(c.s)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, want %q", err, c.want)
		}
	}
}

func TestTopicOfNothingWaitsForItsSeeds(t *testing.T) {
	for _, judge := range []string{"vsm-restricted", "bm25"} {
		if _, err := New(Spec{Judge: judge}); err == nil || !strings.Contains(err.Error(), "nothing says what is looked for") {
			t.Errorf("%s takes a topic of nothing: %v", judge, err)
		}
	}
	for _, judge := range []string{"centroid"} {
		topic := mustNew(t, Spec{Judge: judge, Threshold: .3})
		if !topic.NeedsSeeds() {
			t.Errorf("%s: needs no seeds", judge)
		}
		if j := topic.Judge(doc("football league")); j.Raw != 0 || j.Relevant || topic.Sim("football") != 0 {
			t.Errorf("%s: judges %+v by nothing", judge, j)
		}
		topic.Seed([]*text.Doc{doc("football league goal"), doc("football goal keeper")})
		if topic.NeedsSeeds() {
			t.Errorf("%s: still needs seeds", judge)
		}
		before := topic.Judge(doc("football goal league keeper"))
		if before.Raw < .3 || topic.Sim("football") == 0 {
			t.Errorf("%s: a page like the seeds is judged %+v", judge, before)
		}
		topic.Seed([]*text.Doc{doc("cooking recipe")})
		if after := topic.Judge(doc("football goal league keeper")); after.Raw != before.Raw {
			t.Errorf("%s: seeded twice", judge)
		}
		restored := mustNew(t, Spec{Judge: judge, Threshold: .3})
		if err := restored.Restore(topic.State()); err != nil {
			t.Fatal(err)
		}
		if after := restored.Judge(doc("football goal league keeper")); after.Raw != before.Raw || restored.NeedsSeeds() {
			t.Errorf("%s: the seeds are not part of the state", judge)
		}
	}
	if mustNew(t, Spec{Terms: terms("football")}).NeedsSeeds() {
		t.Error("a topic of terms asks for seeds")
	}
}

func TestOneExampleAlone(t *testing.T) {
	for _, judge := range []string{"vsm-restricted", "bm25", "centroid"} {
		topic := mustNew(t, Spec{Judge: judge, Examples: []*text.Doc{doc("football league goal keeper")}})
		same, other := topic.Judge(doc("football league goal keeper")), topic.Judge(doc("cooking recipe garden"))
		if same.Relevance < .9 || other.Relevance != 0 {
			t.Errorf("%s: the example is judged %v, another page %v", judge, same.Relevance, other.Relevance)
		}
	}
}

func TestPagesOfAllKindsAreJudged(t *testing.T) {
	all := map[string]*text.Doc{
		"empty":           {},
		"empty text":      doc(""),
		"one character":   doc(strings.Repeat("球", 10<<20)),
		"one letter":      doc(strings.Repeat("a", 10<<20)),
		"third language":  doc("Футбольный матч завершился со счётом два ноль. サッカーの試合"),
		"invalid bytes":   doc("\xff\xfe\x00football\xc3\x28"),
		"many segments":   {Segments: make([]text.Segment, 100_000)},
		"strange numbers": {Segments: []text.Segment{{Text: "football", Position: 250, Block: -7}}, Main: []bool{true}},
	}
	for name, s := range specs() {
		s.Content = "main_text"
		topic := mustNew(t, s)
		for what, d := range all {
			j := topic.Judge(d)
			if !(0 <= j.Raw && j.Raw <= 1) || !(0 <= j.Relevance && j.Relevance <= 1) {
				t.Errorf("%s, %s: judged %+v", name, what, j)
			}
			topic.JudgeBlock(d, -7)
			topic.Learn(d, j)
		}
		if j := topic.Judge(all["third language"]); j.Relevant && j.Raw == 0 && topic.Threshold() > 0 {
			t.Errorf("%s: a page without a word of the topic is relevant: %+v", name, j)
		}
	}
}

// A term may stand in the topic in simplified and the page in traditional characters, in full width or in capitals.
func TestTermsMeetWhateverTheyAreWrittenIn(t *testing.T) {
	topic := mustNew(t, Spec{Terms: terms("体育", "NBA", "office hours")})
	for _, s := range []string{"體育新聞", "ＮＢＡ", "nba", "Office-Hours"} {
		if topic.Sim(s) == 0 || topic.Judge(doc(s)).Raw == 0 {
			t.Errorf("%s is not met", s)
		}
	}
}

func TestLabelledPagesServeUntrainedJudges(t *testing.T) {
	relevant := []*text.Doc{doc("football league goal"), doc("football goal keeper")}
	for _, judge := range []string{"bm25", "centroid"} {
		topic := mustNew(t, Spec{Judge: judge, Relevant: relevant, Other: []*text.Doc{doc("cooking recipe")}})
		if topic.NeedsSeeds() || topic.Judge(doc("goal keeper football")).Raw < .3 || topic.Judge(doc("cooking recipe")).Raw != 0 {
			t.Errorf("%s: the relevant pages of the corpus are no examples", judge)
		}
	}
}

// nonsense is a judge that divides by nothing: nothing by nothing, or what a page has by nothing.
type nonsense struct{}

func (nonsense) Score(b *Bag, why []Evidence) (float64, []Evidence) {
	none := 0.0
	return float64(b.Len()) / none, why
}

// What a program's own judge says of a page may be no number: the page counts as irrelevant, and the crawl goes on.
func TestAJudgeThatAnswersNoNumber(t *testing.T) {
	for _, calibrate := range []string{"on", "off"} {
		top, err := New(Spec{Terms: []Term{{"solar", 1}}, Calibrate: calibrate, Threshold: 0.2})
		if err != nil {
			t.Fatal(err)
		}
		top.judge = nonsense{}
		for _, words := range []string{"", "solar"} {
			doc := &text.Doc{Segments: []text.Segment{{Text: words}}}
			j := top.Judge(doc)
			top.Learn(doc, j)
			if j.Raw != 0 || j.Relevant {
				t.Errorf("calibrate: %s: %q is %+v, want nothing", calibrate, words, j)
			}
		}
	}
}
