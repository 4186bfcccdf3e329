package topic

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/text"
)

func listed(list []Term) string {
	var s []string
	for _, t := range list {
		s = append(s, fmt.Sprintf("%s %.2f", t.Term, t.Weight))
	}
	return strings.Join(s, ", ")
}

func TestTermsAreTakenFromASentence(t *testing.T) {
	for _, c := range []struct{ about, want string }{
		{"Pages about universities and the courses of universities", "universities 1.58, courses 1.00"},
		{`Look for "office hours" and homework in C++`, "office hours 1.00, homework 1.00, C++ 1.00"},
		{"关于“世界杯 决赛”的文章", "世界杯 决赛 1.00"},
		{"research groups, and harmonium reeds", "research groups 0.50, research 0.50, groups 0.50, harmonium 1.00, reeds 1.00"},
		{"home, page of a harmonium", "home 0.50, harmonium 1.00"},
		{"Restoration of harmoniums. Research pages on reeds", "Restoration 1.00, harmoniums 1.00, Research 0.50, reeds 1.00"},
		{"old harmoniums + research groups", "old harmoniums 0.50, research groups 0.50, old 0.50, harmoniums 0.50, research 0.50, groups 0.50"},
		{"research groups of research groups", "research groups 0.50, research 0.79, groups 0.79"},
		{"Looking for .NET, (.NET) harmoniums and a net", ".NET 1.58, harmoniums 1.00, net 1.00"},
		{"ASP.NET harmoniums...net reeds .and keys", "ASP 1.00, NET 1.58, harmoniums 1.00, reeds 1.00, keys 1.00"},
		{"harmoniums, not about keys", "harmoniums 1.00"},
		{"not about keys but about harmoniums", "harmoniums 1.00"},
		{`Pages on harmoniums but not "keys, black or white", and reeds; nothing on bellows`, "harmoniums 1.00, reeds 1.00"},
		{"harmoniums (except for reeds), excluding keys. 关于茶，不包括茶具，但茶叶", "harmoniums 1.00, 茶 1.00, 茶叶 1.00"},
		{"绿茶和红茶，不要咖啡；普洱，但是我不想要可可。茶叶", "绿茶 1.00, 红茶 1.00, 普洱 1.00, 茶叶 1.00"},
		{"不要咖啡因的绿茶", "咖啡因 1.00, 绿茶 1.00"},
		{"绿茶，不要门票的景点", "绿茶 1.00, 门票 1.00, 景点 1.00"},
		{"绿茶，我也不要手续费的银行卡", "绿茶 1.00, 手续费 1.00, 银行卡 1.00"},
		{"绿茶，不要门票", "绿茶 1.00"},
		{"绿茶，不要收费的景点", "绿茶 1.00"},
		{"绿茶，不要咖啡的广告", "绿茶 1.00"},
		{"绿\u200b茶 and har\u00admoniums", "绿茶 1.00, harmoniums 1.00"},
		{"harmoniums, not on keys; bellows not on reeds", "harmoniums 1.00, bellows 1.00, reeds 1.00"},
		{"reeds and not-for-profit harmoniums", "reeds 1.00, profit 1.00, harmoniums 1.00"},
		{"harmoniums, including but not limited to reeds, and not only bellows", "harmoniums 1.00, including 0.50, reeds 1.00, bellows 1.00"},
		{`"reeds but not keys" and harmoniums, except "bellows"`, "reeds but not keys 1.00, harmoniums 1.00"},
		{"I'd like to collect articles about harmoniums", "harmoniums 1.00"},
		{"Please crawl all pages on harmoniums and reeds", "harmoniums 1.00, reeds 1.00"},
		{"Gather and download articles about harmoniums", "harmoniums 1.00"},
		{"crawl spaces, harmoniums", "crawl spaces 0.50, crawl 0.50, spaces 0.50, harmoniums 1.00"},
		{"我想收集关于绿茶的文章", "绿茶 1.00"},
		{"帮我抓取一些绿茶相关的网页", "绿茶 1.00"},
		{"请下载所有有关绿茶和红茶的资料", "绿茶 1.00, 红茶 1.00"},
		{"采集有关绿茶的内容", "绿茶 1.00"},
		{"我們要搜集绿茶的文章", "绿茶 1.00"},
		{"我要绿茶", "绿茶 1.00"},
		{"harmoniums not connected to bellows", "harmoniums 1.00, connected 1.00, bellows 1.00"},
	} {
		topic := mustNew(t, Spec{About: c.about})
		if got := listed(topic.Terms()); got != c.want {
			t.Errorf("%s: %s, want %s", c.about, got, c.want)
		}
	}
	if text.Backend() != "gojieba" {
		t.Skip("parts of speech need gojieba")
	}
	topic := mustNew(t, Spec{About: "我非常想寻找有关足球比赛和著名球员的网页"})
	var names []string
	for _, term := range topic.Terms() {
		names = append(names, term.Term)
	}
	if got := strings.Join(names, " "); got != "足球比赛 著名球员 足球 比赛 著名 球员" && got != "著名球员 足球比赛 著名 球员" {
		t.Errorf("terms are %s", got)
	}
}

// TestWordsThatTheDictionaryDoesNotKnowAreWhole: a word with a single character, which the cut leaves over, is one; what is
// counted by, verbs that take an object and what stands behind a space are not joined to anything.
func TestWordsThatTheDictionaryDoesNotKnowAreWhole(t *testing.T) {
	for about, want := range map[string]string{
		"奶茶店加盟":       "奶茶店 1.00, 加盟 1.00",
		"剧本杀门店":       "剧本杀 1.00, 门店 1.00",
		"植物奶市场":       "植物奶市场 0.50, 植物奶 0.50, 市场 0.50",
		"碳中和政策":       "碳中和政策 0.50, 碳中和 0.50, 政策 0.50",
		"元宇宙投资":       "元宇宙投资 0.50, 元宇宙 0.50, 投资 0.50",
		"500元手机壳":     "手机壳 0.50, 手机 0.50, 壳 0.50",
		"孩子学英语":       "孩子 0.50, 英语 1.00",
		"三星堆考古新发现":    "新发现 0.40, 三星堆 1.00, 考古 1.00, 发现 0.40",
		"汉服 店 租赁":     "汉服店 0.50, 店租赁 0.40, 汉服 0.50, 店 0.50, 租赁 0.40",
		"植物奶和學區房":     "植物奶 1.00, 学区房 1.00",
		"news of 植物奶": "news 0.50, 植物奶 1.00",
	} {
		if got := listed(mustNew(t, Spec{About: about}).Terms()); got != want {
			t.Errorf("%s: %s, want %s", about, got, want)
		}
	}
	if left := Untold("有关孩子学英语的网页", terms("孩子", "英语")); fmt.Sprint(left) != "[学]" {
		t.Errorf("in no term: %v", left)
	}
}

// TestSentencesOfManySubjects holds how many of the words that say what is looked for are terms, whole.
func TestSentencesOfManySubjects(t *testing.T) {
	list, err := os.ReadFile("testdata/sentences.tsv")
	if err != nil {
		t.Fatal(err)
	}
	wanted, had := 0, 0
	for line := range strings.Lines(string(list)) {
		about, words, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		found, err := AboutTerms(&Spec{About: about})
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range strings.Fields(words) {
			wanted++
			if slices.ContainsFunc(found, func(k Term) bool { return k.Term == word }) {
				had++
			} else {
				t.Logf("%s: no %s in %s", about, word, listed(found))
			}
		}
	}
	t.Logf("%d of %d words", had, wanted)
	if had < 138 {
		t.Errorf("%d of %d words, want 138", had, wanted)
	}
}

func TestStatedTermsOutweighTheSentence(t *testing.T) {
	topic := mustNew(t, Spec{About: "football and cooking", Terms: terms("football")})
	if got := listed(topic.Terms()); got != "football 1.00, cooking 0.50" {
		t.Errorf("terms are %s", got)
	}
}

func TestSentenceThatSaysNothing(t *testing.T) {
	_, err := New(Spec{About: "the pages that I am looking for"})
	if err == nil || !strings.Contains(err.Error(), "about") {
		t.Errorf("error is %v", err)
	}
}
