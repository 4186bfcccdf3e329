package topic

import (
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/text"
)

func docOf(title, body string) *text.Doc {
	return &text.Doc{Segments: []text.Segment{{Text: title, Position: text.Title}, {Text: body}}}
}

func names(list []Term) string {
	var words []string
	for _, t := range list {
		words = append(words, t.Term)
	}
	return strings.Join(words, " ")
}

// TestTermsAreProposedFromExamples: what the pages have in common and say most, as they write it; not what stands on one
// page alone, nor what stands on every page of the web.
func TestTermsAreProposedFromExamples(t *testing.T) {
	pages := []*text.Doc{
		docOf("Keeping bees", "The beekeeper opens the hives. Hives are full of honey, and the news of the hives is honey. Contact home."),
		docOf("Honey from your hives", "Bees bring nectar to the hives; hives in winter need honey. News, contact, home."),
		docOf("Bees and hives", "Swarming bees leave their hives, and the beekeeper follows. Zebras zebras zebras zebras zebras zebras. News."),
		docOf("The beekeeper", "Bees, bees, honey. The hives stand in the garden. Home and contact, news."),
		docOf("Honey", "Hives, bees and honey; a beekeeper in spring."),
		docOf("Spring", "The hives of the beekeeper, honey again."),
	}
	list, err := Propose(Spec{Examples: pages}, 4)
	if err != nil {
		t.Fatal(err)
	}
	if have := names(list); have != "hives honey bees beekeeper" {
		t.Errorf("proposed are %s", have)
	}
	if list[0].Weight != 1 || !slices.IsSortedFunc(list, func(a, b Term) int { return int(100 * (b.Weight - a.Weight)) }) {
		t.Errorf("weights are %v", list)
	}
}

// A word that stands on most pages of any subject does not come before one that is as often there and rare elsewhere.
func TestRareWordsAreProposedFirst(t *testing.T) {
	pages := []*text.Doc{docOf("", "in the apiary, 没有 蜂箱"), docOf("", "the apiary 蜂箱 没有"), docOf("", "apiary and 没有 蜂箱")}
	list, err := Propose(Spec{Examples: pages}, 4)
	if have := names(list); err != nil || have != "apiary 蜂箱 没有" || list[2].Weight > .7 {
		t.Errorf("proposed are %s: %v %v", have, list, err)
	}
}

func TestTermsArePartedFromOtherPages(t *testing.T) {
	relevant := []*text.Doc{docOf("", "keel and wind"), docOf("", "keel in the wind"), docOf("", "wind, keel, mast")}
	other := []*text.Doc{docOf("", "wind over fields"), docOf("", "wind in trees"), docOf("", "mast years of oaks")}
	list, err := Propose(Spec{Relevant: relevant, Other: other}, 1)
	if have := names(list); err != nil || have != "keel" {
		t.Errorf("proposed are %s: %v", have, err)
	}
}

func TestChineseTermsAreProposed(t *testing.T) {
	pages := []*text.Doc{docOf("旅游", "景点、景点门票，旅游攻略，记者报道"), docOf("旅游", "这里的景点适合自由行，旅游攻略。新闻")}
	list, err := Propose(Spec{Examples: pages}, 3)
	if have := names(list); err != nil || have != "景点 旅游 攻略" {
		t.Errorf("proposed are %s: %v", have, err)
	}
	pages = []*text.Doc{docOf("快递柜", "快递柜收费，小区的快递柜，记者报道"), docOf("小区", "快递柜里的快递，快递柜超时。奶茶店")}
	list, err = Propose(Spec{Examples: pages}, 1)
	if have := names(list); err != nil || have != "快递柜" { // 快递|柜 by the dictionary
		t.Errorf("proposed are %s: %v", have, err)
	}
}

// TestStatedTermsStayAndComeFirst: a person's words are kept even where they are common, and are not proposed again.
func TestStatedTermsStayAndComeFirst(t *testing.T) {
	list, err := Propose(Spec{Terms: terms("news", "hive"), About: "honey", Examples: []*text.Doc{docOf("", "hives hives swarm")}}, 9)
	if have := names(list); err != nil || have != "news hive honey swarm" {
		t.Errorf("proposed are %s: %v", have, err)
	}
}

func TestCommonWordsAreKnown(t *testing.T) {
	for term, want := range map[string]bool{"news": true, "Services": true, "the": true, "新闻": true, "related pages": true, "problem set": false,
		"solar energy": false, "旅游": false, "bee": false, "": false, "news agency keel": false} {
		if Common(term) != want {
			t.Errorf("%q: %v", term, !want)
		}
	}
}

// Of what goes on without a mark the beginning is looked through for new words: nobody speaks so long, and each word is looked for in all of it.
func TestOfEndlessTextTheBeginningGivesWords(t *testing.T) {
	cutter, err := text.NewCutter(text.Options{Tags: true})
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Repeat("快递柜在小区。", fewestTogether)
	for filler, want := range map[string]int{"": 1, strings.Repeat("茶", longestPiece): 0} {
		d := &text.Doc{Segments: []text.Segment{{Text: filler + strings.ReplaceAll(words, "。", map[bool]string{true: "。", false: "在"}[filler == ""])}}}
		if got := compounds(cutter, []*text.Doc{d}); len(got) != want {
			t.Errorf("behind %d bytes: %q, want %d", len(filler), got, want)
		}
	}
}
