package index

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/text"
)

// What a program has set on a page (price: 12.5) is asked for by its name: price:12.5, price:>10, maker:lipton. What stands
// deeper is named with dots, and each element of a list counts.

// value is one value of a page. Names and texts are folded.
type value struct {
	Name   string
	Text   string // empty of a number
	Number float64
}

// What is kept of a page's values: more than this is no field but a document.
const (
	mostValues   = 64
	deepestValue = 4
	longestValue = 400
)

// valuesOf are the values of a record.
func valuesOf(data map[string]json.RawMessage) []value {
	var all []value
	for _, name := range slices.Sorted(maps.Keys(data)) {
		in := json.NewDecoder(bytes.NewReader(data[name]))
		in.UseNumber()
		var v any
		if in.Decode(&v) == nil {
			all = appendValues(all, text.Fold(name), v, 0)
		}
	}
	return all
}

func appendValues(all []value, name string, v any, depth int) []value {
	if len(all) >= mostValues || depth > deepestValue {
		return all
	}
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Float64(); err == nil {
			all = append(all, value{Name: name, Number: n})
		}
	case string:
		if folded := clipped(text.Fold(strings.TrimSpace(v)), longestValue); folded != "" {
			all = append(all, value{Name: name, Text: folded})
		}
	case bool:
		all = append(all, value{Name: name, Text: strconv.FormatBool(v)})
	case []any:
		for _, element := range v {
			all = appendValues(all, name, element, depth+1)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			all = appendValues(all, name+"."+text.Fold(key), v[key], depth+1)
		}
	}
	return all
}

// Wanted is what a query wants of a value: that it is one, or lies between two. Both are written as a person wrote them.
type Wanted struct {
	Name        string // folded
	Is          string // empty where a range is wanted
	Least, Most string // empty: no bound
	Above       bool   // Least itself is not wanted
	Below       bool   // Most itself is not wanted
	Not         bool   // pages must have no such value
	// Where no page has a value of the name, these are words, and a phrase.
	Words, Phrase string

	place int // among the words of the query
}

// wantedOf reads what stands behind NAME: in a query, perhaps in quotation marks; ok is false where there is nothing.
func wantedOf(name, written string, quoted bool) (w Wanted, ok bool) {
	w = Wanted{Name: strings.TrimPrefix(text.Fold(name), "data."), Words: name + ":" + written}
	if quoted {
		w.Words, w.Phrase = name, written
	}
	asked := text.Fold(strings.TrimSpace(written))
	least, most, isRange := strings.Cut(asked, "..")
	switch {
	case strings.HasPrefix(asked, ">"):
		least, equal := strings.CutPrefix(asked[1:], "=")
		w.Least, w.Above = strings.TrimSpace(least), !equal
	case strings.HasPrefix(asked, "<"):
		most, equal := strings.CutPrefix(asked[1:], "=")
		w.Most, w.Below = strings.TrimSpace(most), !equal
	case isRange:
		w.Least, w.Most = strings.TrimSpace(least), strings.TrimSpace(most)
	default:
		w.Is = asked
	}
	return w, w.Name != "" && w.Is+w.Least+w.Most != ""
}

// said is what was asked, as it was written.
func (w *Wanted) said() string {
	said := w.Words
	if w.Phrase != "" {
		said += `:"` + w.Phrase + `"`
	}
	if w.Not {
		said = "-" + said
	}
	return said
}

// besideWords tells of a range that it has a bound which is no number.
func (w *Wanted) besideWords() bool {
	return w.Least != "" && !isNumber(w.Least) || w.Most != "" && !isNumber(w.Most)
}

func isNumber(s string) bool {
	n, err := strconv.ParseFloat(s, 64)
	return err == nil && !math.IsNaN(n)
}

// in tells whether a page has such a value, or, where it must not, has none.
func (w *Wanted) in(all []value) bool {
	return slices.ContainsFunc(all, func(v value) bool { return v.Name == w.Name && w.met(&v) }) != w.Not
}

func (w *Wanted) met(v *value) bool {
	if w.Is != "" {
		return holds(v.Text, w.Is) || v.compare(w.Is) == 0
	}
	low, high := 1, -1
	if w.Least != "" {
		low = v.compare(w.Least)
	}
	if w.Most != "" {
		high = v.compare(w.Most)
	}
	return (low == 1 || low == 0 && !w.Above) && (high == -1 || high == 0 && !w.Below)
}

// incomparable is what compare answers of a number beside a word, and of what is called not a number.
const incomparable = 2

// compare tells a value from what was asked: numbers by their size, also where a program has set them as text; texts by
// their letters, which puts dates in order.
func (v *value) compare(with string) int {
	asked, err := strconv.ParseFloat(with, 64)
	number := v.Number
	if v.Text != "" {
		var word error
		if number, word = strconv.ParseFloat(v.Text, 64); err != nil || word != nil {
			return strings.Compare(v.Text, with)
		}
	}
	if err != nil || math.IsNaN(asked) || math.IsNaN(number) {
		return incomparable
	}
	return cmp.Compare(number, asked)
}

// holds tells whether words stand in a text as they are: whole words, where a script parts them.
func holds(s, words string) bool {
	for from := 0; from < len(s); {
		at := strings.Index(s[from:], words)
		if at < 0 {
			return false
		}
		at += from
		if !joined(s, at) && !joined(s, at+len(words)) {
			return true
		}
		_, n := utf8.DecodeRuneInString(s[at:])
		from = at + n
	}
	return false
}

// joined tells of a place inside a word.
func joined(s string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	return inWord(before) && inWord(after)
}

func inWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}
