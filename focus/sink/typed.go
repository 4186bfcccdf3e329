package sink

import (
	"math"
	"slices"
)

// Kind is what a field holds.
type Kind byte

// The kinds of fields.
const (
	KindWords Kind = iota
	KindWhole
	KindNumber // it may be missing
	KindMoment // to the millisecond
	KindList   // of words
	KindObject // or a list of objects, as JSON
)

// Typed is a field for tables whose columns have types.
type Typed struct{ field }

// TypedFields are the fields of those names; all, and the cluster, where there are none.
func TypedFields(names []string) ([]Typed, error) {
	if len(names) == 0 {
		names = append(Fields(), FieldCluster)
	}
	chosen, err := choose(names)
	typed := make([]Typed, len(chosen))
	for i, f := range chosen {
		typed[i] = Typed{f}
	}
	return typed, err
}

// Name is what the field is called.
func (t Typed) Name() string { return t.name }

// Kind is what it holds.
func (t Typed) Kind() Kind { return t.kind }

// Text is what a record has in a field of words, and the JSON of objects.
func (t Typed) Text(r *Record) string {
	if t.kind == KindObject {
		return string(t.json(nil, r))
	}
	return t.text(r)
}

// Whole is what it has in a field of whole numbers; of a moment the milliseconds since 1970, or math.MinInt64
// where the record says none.
func (t Typed) Whole(r *Record) int64 {
	if t.whole == nil {
		return 0
	}
	return t.whole(r)
}

// Number is what it has in a field of numbers; NaN where that is missing.
func (t Typed) Number(r *Record) float64 {
	if t.number == nil {
		return math.NaN()
	}
	return t.number(r)
}

// List is what it has in a list.
func (t Typed) List(r *Record) []string {
	if t.kind != KindList {
		return nil
	}
	return slices.Clone(r.OptOuts)
}
