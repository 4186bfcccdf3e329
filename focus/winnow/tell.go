package winnow

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// toldOf is what is shown of a page. No text of it turns the direction of what stands around it.
func toldOf(r *sink.Record, v *Verdict) run.Told {
	plain := func(s string) string {
		return strings.Map(func(c rune) rune {
			if sink.Steers(c) {
				return ' '
			}
			return c
		}, s)
	}
	known := func(x float64) float64 {
		if math.IsNaN(x) {
			return 0
		}
		return x
	}
	told := run.Told{Title: strings.TrimSpace(plain(r.Title)), URL: plain(r.FinalURL), First: known(v.First), Second: known(v.Second), Importance: known(r.Importance), Before: v.Before, Kept: v.Kept}
	if v.List {
		told.List = v.ID
	}
	return told
}

// Best are the best of the pages that are kept: the most relevant, and of equals the most important.
func (r *Report) Best(n int) []run.Told { return best(r.told, n) }

func best(all []run.Told, n int) []run.Told {
	return sorted(all, n, func(t *run.Told) bool { return t.Kept }, func(a, b *run.Told) int {
		return cmp.Or(cmp.Compare(b.Second, a.Second), cmp.Compare(b.Importance, a.Importance))
	})
}

// sorted are the first of those pages that belong to a list.
func sorted(all []run.Told, n int, belongs func(*run.Told) bool, order func(a, b *run.Told) int) []run.Told {
	list := []run.Told{}
	for i := range all {
		if belongs(&all[i]) {
			list = append(list, all[i])
		}
	}
	slices.SortStableFunc(list, func(a, b run.Told) int { return order(&a, &b) })
	return slices.Clone(list[:min(n, len(list))])
}

// shown is how many pages a list of the page of a run shows.
const shown = 25

// lookOf is what a person is shown of a second look at some pages.
func (r *Report) lookOf(told []run.Told, kept int) *run.Look {
	higher := func(a, b *run.Told) int { return cmp.Compare(b.Second, a.Second) }
	return &run.Look{Cut: r.Chosen, From: r.from, Pages: len(told), Kept: kept, Best: best(told, shown),
		Lists: listed(told),
		Near:  sorted(told, shown, func(t *run.Told) bool { return !t.Kept && t.List == 0 }, higher),
		In:    sorted(told, shown, func(t *run.Told) bool { return t.Kept && !t.Before }, higher),
		Out:   sorted(told, shown, func(t *run.Told) bool { return t.Before && !t.Kept && t.List == 0 }, func(a, b *run.Told) int { return higher(b, a) })}
}

// listed are the numbers of the pages that are lists of others.
func listed(told []run.Told) (numbers []uint64) {
	for i := range told {
		if told[i].List != 0 {
			numbers = append(numbers, told[i].List)
		}
	}
	return numbers
}

// tell changes the figures of a run, and of each of its folders where it has several, and prints their reports anew.
func tell(dir string, folders []string, change func(folder string, f *run.Figures) error) error {
	if !slices.Contains(folders, dir) {
		folders = append([]string{dir}, folders...)
	}
	var all []error
	for _, folder := range folders {
		f, err := run.ReadFigures(folder)
		if err == nil {
			err = change(folder, f)
		}
		if err == nil {
			err = f.Write(folder)
		}
		if err == nil {
			err = watch.WriteReport(folder)
		}
		all = append(all, err)
	}
	return errors.Join(all...)
}

// tooFew says that there is too little to learn from, and where the others are of which a crawl has told.
func tooFew(sure, foreign int, o *Options) string {
	said := fmt.Sprintf("learning takes %d pages that are surely of the topic and %[1]d that are surely not, and there are %d and %d", leastSure, sure, foreign)
	if foreign < leastSure && !o.All {
		said += " (of those that are clearly not one in eight is put aside for it, and each with second_look: all)"
	}
	return said
}
