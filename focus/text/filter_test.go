package text

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// trickyTerms are of all kinds: long, short, of one character, within each other, phrases, mixed, Latin, traditional.
var trickyTerms = append(strings.Fields(`学生 和服 中国 京东 美的 证券 球 车 大学 足球 足球队 世界杯 决赛 4S店 C++ 5G 卡拉OK NBA
	體育 經濟 running 乾隆 の 试驾 国家 生活 生 人 .NET`), "世界杯 决赛", "office hours", "NBA 决赛", "中国 足球", "大学 生活", "产品 和 服务")

// counts are how often each term of the topic stands among tokens.
func counts(c *Cutter, tokens []Token) map[string]int {
	n := map[string]int{}
	for _, t := range tokens {
		if slices.Contains(c.Keys(), t.Term) {
			n[t.Term+"/"+fmt.Sprint(t.Segment, t.Position, t.Speech)]++
		}
	}
	return n
}

// checkFilter holds that looking for the terms alone finds what cutting everything finds.
func checkFilter(t *testing.T, c *Cutter, d *Doc) (found int) {
	t.Helper()
	all, alone := counts(c, c.Tokens(d)), counts(c, c.Found(d))
	if !maps.Equal(all, alone) {
		for k, n := range all {
			if alone[k] != n {
				t.Errorf("%s: %d of everything cut, %d of the terms alone", k, n, alone[k])
			}
		}
		for k, n := range alone {
			if all[k] == 0 {
				t.Errorf("%s: 0 of everything cut, %d of the terms alone", k, n)
			}
		}
	}
	return len(c.Found(d))
}

// TestTermsAloneAreAllTerms is the licence for cutting Chinese only where a term can occur.
func TestTermsAloneAreAllTerms(t *testing.T) {
	for _, tags := range []bool{false, true} {
		c := cutter(t, Options{Terms: trickyTerms, Tags: tags, Limit: -1})
		found := 0
		for seed := range uint64(60) {
			s := generated(seed, 1500, trickyTerms)
			found += checkFilter(t, c, &Doc{Segments: []Segment{{Text: s}, {Text: chineseText + s[:300], Position: Anchor}}})
			if t.Failed() {
				t.Fatalf("tags %v, seed %d: %s", tags, seed, s)
			}
		}
		if found < 3000 {
			t.Errorf("only %d terms in all the texts: the test shows nothing", found)
		}
	}
}

// TestTermsAcrossLongRuns is the same where a run is so long that it is cut in parts.
func TestTermsAcrossLongRuns(t *testing.T) {
	c := cutter(t, Options{Terms: trickyTerms, Limit: -1})
	for shift := range 4 {
		s := strings.Repeat("在", maxRun/utf8Han-shift) + strings.Repeat("学生球世界杯决赛", 600)
		if n := checkFilter(t, c, &Doc{Segments: []Segment{{Text: s}}}); n < 1200 {
			t.Errorf("shift %d: %d terms", shift, n)
		}
	}
}

// utf8Han is the length of a common Han character.
const utf8Han = 3

// TestTermsAloneOnRecordedPages is the same over real pages.
func TestTermsAloneOnRecordedPages(t *testing.T) {
	docs := recordedDocs(t, "zh_portals", 20)
	for name, o := range map[string]Options{
		"sports":       {Terms: sportsTerms},
		"sports, tags": {Terms: sportsTerms, Tags: true},
		"tricky":       {Terms: trickyTerms},
	} {
		o.Limit = -1
		c := cutter(t, o)
		found := 0
		for _, d := range docs {
			found += checkFilter(t, c, emptied(d))
		}
		t.Logf("%s: %d pages, %d terms", name, len(docs), found)
	}
}

// TestFilterSavesMostOfTheCutting holds that looking for the terms alone takes less than half of the time of cutting
// everything, on pages as they are.
func TestFilterSavesMostOfTheCutting(t *testing.T) {
	docs := recordedDocs(t, "zh_portals", 100)
	c := cutter(t, Options{Terms: sportsTerms, Limit: -1})
	c.Tokens(emptied(docs[0]))
	for range 3 { // what else a machine does may come in between once
		var all, alone time.Duration
		for _, d := range docs {
			fresh, start := emptied(d), time.Now()
			c.Tokens(fresh)
			middle := time.Now()
			c.Found(fresh)
			all, alone = all+middle.Sub(start), alone+time.Since(middle)
		}
		n := time.Duration(len(docs))
		t.Logf("%s, mean of %d pages: everything %v, terms alone %v, %.0f %% saved", Backend(), n, all/n, alone/n, 100-100*float64(alone)/float64(all))
		if alone <= all/2 {
			return
		}
	}
	t.Error("terms alone take more than half of the time of everything, each time")
}

// TestFindIsWhereTheTermStands holds matches to the bytes they claim.
func TestFindIsWhereTheTermStands(t *testing.T) {
	c := cutter(t, Options{Terms: trickyTerms})
	for seed := range uint64(50) {
		s := generated(seed, 1000, trickyTerms)
		last := 0
		for _, m := range c.Find(nil, s) {
			if m.Start < last || m.End <= m.Start || m.End > len(s) {
				t.Fatalf("match %+v after byte %d of %q", m, last, s)
			}
			last = m.End
			again := c.Find(nil, s[m.Start:m.End])
			if c.Keys()[m.Term] != m.Key || len(again) == 0 || again[0].Key != m.Key {
				t.Fatalf("%q is matched as %q, alone as %v", s[m.Start:m.End], m.Key, again)
			}
		}
	}
}
