package sink

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
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

// TypedFields are the fields of those names; all, and the cluster, where there are none. Values are words, but for those that are
// numbers: what is none is missing there.
func TypedFields(names, numbers []string) ([]Typed, error) {
	if len(names) == 0 {
		names = append(Fields(), FieldCluster)
	}
	chosen, err := choose(names)
	typed := make([]Typed, len(chosen))
	for i, f := range chosen {
		if value, is := strings.CutPrefix(f.name, ValueOf); is && slices.Contains(numbers, value) {
			f.kind, f.number = KindNumber, func(r *Record) float64 { return numberIn(r.Data[value]) }
		}
		typed[i] = Typed{f}
	}
	return typed, err
}

// numberIn is a number that a program or a page has said; NaN where it is none.
func numberIn(said json.RawMessage) float64 {
	var x *float64
	if json.Unmarshal(said, &x) != nil || x == nil {
		return math.NaN()
	}
	return *x
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
