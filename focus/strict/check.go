package strict

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Checker is a struct that checks of itself what no tag can say. It is called when the struct has been filled from
// YAML without a mistake. wrong reports one at a key of the struct, or below it (hosts.include[2]); "" is the struct.
type Checker interface {
	Check(wrong func(key, want string))
}

// Worder is a word whose type says which words there are: where they are known at run time only, as those of a table that
// programs add to, and no check tag can list them.
type Worder interface{ Words() []string }

// Elser is a Worder that has something to say to whoever wrote a word that is none of them.
type Elser interface{ Else() string }

// allowed is a check tag: a range of numbers, or a list of words.
type allowed struct {
	words    []string
	elsewise string  // what is said beside them
	low      float64 // -Inf and +Inf where an end is missing
	high     float64
	openLow  bool // the end itself is not allowed
	openHigh bool
	written  string // the range as a message says it
}

// parseCheck reads a check tag for values of type t. A tag that makes no sense is a mistake of the program: it panics,
// and the first test that decodes the struct shows it.
func parseCheck(tag string, t reflect.Type) *allowed {
	if w, ok := reflect.Zero(t).Interface().(Worder); ok {
		a := &allowed{words: w.Words()}
		if e, ok := w.(Elser); ok {
			a.elsewise = e.Else()
		}
		return a
	}
	if tag == "" {
		return nil
	}
	key := tagged{tag, t}
	if a, ok := checks.Load(key); ok {
		return a.(*allowed)
	}
	a := readCheck(tag, t)
	checks.Store(key, a)
	return a
}

// checks are the tags that were read, which are those of the program. Nobody changes them.
var checks sync.Map // of *allowed by tagged

type tagged struct {
	tag string
	of  reflect.Type
}

func readCheck(tag string, t reflect.Type) *allowed {
	low, high, isRange := strings.Cut(tag, "..")
	if !isRange {
		return &allowed{words: strings.Split(tag, "|")}
	}
	a := &allowed{low: math.Inf(-1), high: math.Inf(1)}
	low, a.openLow = strings.CutPrefix(low, "(")
	high, a.openHigh = strings.CutSuffix(high, ")")
	for _, end := range []struct {
		written string
		into    *float64
	}{{low, &a.low}, {high, &a.high}} {
		if end.written == "" {
			continue
		}
		v := reflect.New(t)
		if want := setScalar(v.Elem(), end.written); want != "" {
			panic(fmt.Sprintf("strict: check tag %q: %s", tag, want))
		}
		*end.into = asNumber(v.Elem())
	}
	a.written = a.say(low, high)
	return a
}

func (a *allowed) say(low, high string) string {
	above, below := "at least ", "at most "
	if a.openLow {
		above = "more than "
	}
	if a.openHigh {
		below = "less than "
	}
	switch {
	case low == "":
		return below + high
	case high == "":
		return above + low
	case !a.openLow && !a.openHigh:
		return low + " to " + high
	}
	return above + low + " and " + below + high
}

// refuse says what is wrong with a value, or nothing.
func (a *allowed) refuse(v reflect.Value) string {
	if a.words != nil {
		want := oneOf(v.String(), a.words)
		if want != "" && a.elsewise != "" && Nearest(v.String(), a.words) == "" {
			want += "; " + a.elsewise
		}
		return want
	}
	x := asNumber(v)
	aboveLow := x > a.low || x == a.low && !a.openLow
	belowHigh := x < a.high || x == a.high && !a.openHigh
	if aboveLow && belowHigh && !math.IsInf(x, 0) {
		return ""
	}
	return fmt.Sprintf("is %s, want %s", Scalar(v.Interface()), a.written)
}

// asNumber is a number of any kind; NaN is what is none.
func asNumber(v reflect.Value) float64 {
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	case v.CanFloat():
		return v.Float()
	}
	return math.NaN()
}

// Scalar is a value as it is written in YAML, without quotes.
func Scalar(v any) string {
	switch v := v.(type) {
	case time.Duration:
		return formatDuration(v)
	case encoding.TextMarshaler:
		text, err := v.MarshalText()
		if err == nil {
			return string(text)
		}
	}
	r := reflect.ValueOf(v)
	if r.CanFloat() {
		return formatFloat(r.Float(), r.Type().Bits())
	}
	return fmt.Sprint(v)
}

func formatFloat(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return ".nan"
	case math.IsInf(f, 1):
		return ".inf"
	case math.IsInf(f, -1):
		return "-.inf"
	}
	if a := math.Abs(f); a == 0 || a >= 1e-6 && a < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, bits)
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}
