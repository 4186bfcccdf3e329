package winnow

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// Told is what a person is shown of a page that was looked at again.
type Told struct {
	Title, URL    string
	First, Second float64 // relevance by each look
	Importance    float64 // of a page that is kept; 1 is the mean
	Before, Kept  bool    // the first look kept it, and the second keeps it
}

// toldOf is what is shown of a page. No text of it turns the direction of what stands around it.
func toldOf(r *sink.Record, v *Verdict) Told {
	plain := func(s string) string {
		return strings.Map(func(c rune) rune {
			if sink.Steers(c) {
				return ' '
			}
			return c
		}, s)
	}
	return Told{Title: plain(r.Title), URL: plain(r.FinalURL), First: v.First, Second: v.Second, Importance: r.Importance, Before: v.Before, Kept: v.Kept}
}

// Best are the best of the pages that are kept: the most relevant, and of equals the most important.
func (r *Report) Best(n int) []Told {
	return sorted(r.told, n, func(t *Told) bool { return t.Kept }, func(a, b *Told) int {
		return cmp.Or(cmp.Compare(b.Second, a.Second), cmp.Compare(b.Importance, a.Importance))
	})
}

// sorted are the first of those pages that belong to a list.
func sorted(all []Told, n int, belongs func(*Told) bool, order func(a, b *Told) int) []Told {
	var list []Told
	for i := range all {
		if belongs(&all[i]) {
			list = append(list, all[i])
		}
	}
	slices.SortStableFunc(list, func(a, b Told) int { return order(&a, &b) })
	return list[:min(n, len(list))]
}

// shown is how many pages a list of report.html shows.
const shown = 25

// tell writes into a folder's report.html what is kept, what was nearly kept, and what the second look moved.
func (r *Report) tell(folder string, told []Told, chinese bool) error {
	say := func(en, zh string) string {
		if chinese {
			return zh
		}
		return en
	}
	higher := func(a, b *Told) int { return cmp.Compare(b.Second, a.Second) }
	list := func(title, text string, belongs func(*Told) bool, order func(a, b *Told) int) (measure.Section, bool) {
		t := &measure.Table{Head: []string{say("page", "网页"), say("second", "复判"), say("first", "初判"), say("importance", "重要度"), say("address", "地址")}}
		for _, p := range sorted(told, shown, belongs, order) {
			important := ""
			if p.Importance > 0 {
				important = fmt.Sprintf("%.2f", p.Importance)
			}
			t.Rows = append(t.Rows, []string{cmp.Or(strings.TrimSpace(p.Title), say("(no title)", "（无标题）")), fmt.Sprintf("%.2f", p.Second), fmt.Sprintf("%.2f", p.First), important, p.URL})
			t.Links = append(t.Links, p.URL)
		}
		return measure.Section{Title: title, Text: text, Table: t}, len(t.Rows) > 0
	}
	var sections []measure.Section
	add := func(s measure.Section, any bool) {
		if any {
			sections = append(sections, s)
		}
	}
	add(list(say("The best of what is kept", "保留的最佳网页"), fmt.Sprintf(say("Pages from %.2f on are kept; kept.jsonl has them all.", "相关度不低于 %.2f 的网页会保留，全部在 kept.jsonl 中。"), r.from),
		func(t *Told) bool { return t.Kept }, func(a, b *Told) int { return cmp.Or(higher(a, b), cmp.Compare(b.Importance, a.Importance)) }))
	add(list(say("Near misses", "差一点保留的网页"), say("Pages that were not kept, the nearest first. If they are of the topic, the threshold is too high: thresher winnow --threshold cuts anew.",
		"未保留的网页，最接近的在前。如果它们属于主题，说明阈值偏高：可用 thresher winnow --threshold 重新划分。"), func(t *Told) bool { return !t.Kept }, higher))
	add(list(say("What the second look took in", "复判收入的网页"), "", func(t *Told) bool { return t.Kept && !t.Before }, higher))
	add(list(say("What the second look took out", "复判剔除的网页"), "", func(t *Told) bool { return t.Before && !t.Kept }, func(a, b *Told) int { return higher(b, a) }))
	return measure.WritePart(filepath.Join(folder, "report.html"), measure.PartKept, sections)
}
