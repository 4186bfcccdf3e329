package topic

import (
	"fmt"
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
		{"home, page of a harmonium", "home 1.00, harmonium 1.00"},
		{"Restoration of harmoniums. Research pages on reeds", "Restoration 1.00, harmoniums 1.00, Research 1.00, reeds 1.00"},
		{"old harmoniums + research groups", "old harmoniums 0.50, research groups 0.50, old 0.50, harmoniums 0.50, research 0.50, groups 0.50"},
		{"research groups of research groups", "research groups 0.50, research 0.79, groups 0.79"},
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
