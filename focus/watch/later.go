package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// later is what the looks after a crawl changed of what it kept, so that a page stands with what is kept or with what is refused.
type later struct {
	of    string           // the state of the files in which that stands
	in    map[*Refusal]int // pages that are kept, and were refused for this reason at first
	out   int              // pages that were kept at first
	named map[string]bool  // those that were taken in and stand as examples of a refusal
}

// hearLater reads it again where it has changed. What cannot be read has changed nothing: who wrote it was told.
func (w *Watcher) hearLater() {
	of, written := fmt.Sprint(w.counts.Pages), false
	for _, folder := range w.folders() {
		if info, err := os.Stat(filepath.Join(folder, sink.FileKept)); err == nil {
			of, written = fmt.Sprint(of, info.ModTime().UnixNano(), info.Size()), true
		}
	}
	if of == w.later.of {
		return
	}
	if w.later = (later{of: of}); !written {
		return
	}
	if heard, err := w.keptLater(); err == nil {
		w.later = heard
		w.later.of = of
	}
}

// keptLater holds what is kept now against what became of the pages at first.
func (w *Watcher) keptLater() (later, error) {
	l := later{in: map[*Refusal]int{}, out: w.counts.Kept, named: map[string]bool{}}
	for _, folder := range w.folders() {
		if names, err := sink.HarvestFiles(folder); !sink.HasKept(folder) && (err != nil || len(names) == 0) {
			continue
		}
		for record, err := range sink.KeptBriefly(folder) {
			if err != nil {
				return l, err
			}
			switch r, is := w.refusedAs(record.ID); {
			case r != nil:
				l.in[r]++
				if slices.ContainsFunc(r.Examples, func(e Example) bool { return e.URL == record.URL }) {
					l.named[record.URL] = true
				}
			case is:
				l.out--
			}
		}
	}
	return l, nil
}

// withoutTaken is a reason without the pages that were taken in since.
func (w *Watcher) withoutTaken(r *Refusal) Refusal {
	one := *r
	one.Count, one.Pages = r.Count-w.later.in[r], r.Pages-w.later.in[r]
	one.Examples = slices.DeleteFunc(slices.Clone(r.Examples), func(e Example) bool { return w.later.named[e.URL] })
	return one
}

// takenOut are the pages that were taken out since.
func (w *Watcher) takenOut() []Refusal {
	if w.later.out <= 0 {
		return nil
	}
	all := Refusal{Reason: admit.RefusedOut, Count: w.later.out, Pages: w.later.out, Examples: []Example{}}
	if f := w.figures.now; f != nil && f.Look != nil {
		for _, t := range f.Look.Out[:min(len(f.Look.Out), shownExamples)] {
			all.Examples = append(all.Examples, Example{URL: t.URL})
		}
	}
	return []Refusal{all}
}
