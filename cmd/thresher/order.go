package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/pflag"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// order is by what kept pages are sorted: nothing, which leaves them in the order in which they were found, or a word.
type order string

// What kept pages can be sorted by.
const (
	byRelevance  order = "relevance"
	byImportance order = "importance"
)

func (o *order) register(flags *pflag.FlagSet) {
	flags.StringVar((*string)(o), "sort", "", "the most relevant or the most important first: `relevance` (by the second look, where there was one), or importance (after one)")
}

func (o *order) check(example string) error {
	if *o == "" || *o == byRelevance || *o == byImportance {
		return nil
	}
	return usageError{fmt.Sprintf("--sort is %q, want relevance or importance", string(*o)), example}
}

// errUnlooked is the error of an order that no second look has made.
func errUnlooked(dir string) error {
	return fmt.Errorf("importance is worked out by a second look, and %s has had none: 'thresher winnow --run %s' takes it", dir, shell.Word(dir))
}

// over sorts the rows that a list collects.
func (o *order) over(collect func(*run.Run) ([]row, error)) func(*run.Run) ([]row, error) {
	return func(ran *run.Run) ([]row, error) {
		rows, err := collect(ran)
		if err != nil || *o == "" {
			return rows, err
		}
		if *o == byImportance && len(rows) > 0 && !slices.ContainsFunc(rows, func(r row) bool { return r.Important != nil }) {
			return nil, errUnlooked(ran.Dir)
		}
		slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(o.of(&b), o.of(&a)) })
		return rows, nil
	}
}

// of is what a row is sorted by; what has no number comes last.
func (o *order) of(r *row) float64 {
	switch {
	case *o == byImportance && r.Important != nil:
		return *r.Important
	case *o == byRelevance && r.Relevance != nil:
		return r.relevance()
	}
	return math.Inf(-1)
}

// ofRecord is what a record is sorted by.
func (o *order) ofRecord(r *sink.Record) float64 {
	if *o == byImportance {
		return r.Importance
	}
	if v := r.Relevant(); v == v {
		return v
	}
	return math.Inf(-1)
}
