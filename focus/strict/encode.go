package strict

import (
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// Encode writes a struct as YAML that Decode reads back to the same: keys in the order of the struct, short lists on
// one line. Fields whose tag says omitempty are left out when they are zero.
func Encode(v any) []byte {
	var e encoder
	e.block(reflect.Indirect(reflect.ValueOf(v)), 0)
	return []byte(e.String())
}

// Flow is a value on one line: [a, b], {term: x, weight: 1}, 1.5s.
func Flow(v any) string {
	var e encoder
	e.flow(reflect.ValueOf(v))
	return e.String()
}

type encoder struct{ strings.Builder }

// lineWidth is where a list or a mapping is no longer put on one line.
const lineWidth = 100

// pairs are the keys and values of a struct, a map (sorted) or a mapping Node.
func pairs(v reflect.Value) (keys []string, values []reflect.Value) {
	switch {
	case v.Type() == nodeType:
		n := v.Interface().(Node)
		for i := range n.value.entries {
			keys = append(keys, n.value.entries[i].key)
			values = append(values, reflect.ValueOf(n.child(&n.value.entries[i])))
		}
	case v.Kind() == reflect.Map:
		for _, k := range v.MapKeys() {
			keys = append(keys, k.String())
		}
		sort.Strings(keys)
		for _, k := range keys {
			values = append(values, v.MapIndex(reflect.ValueOf(k).Convert(v.Type().Key())))
		}
	default:
		for _, f := range structFields(v.Type()) {
			value := v.FieldByIndex(f.index)
			if f.omitempty && value.IsZero() || !present(value) {
				continue
			}
			keys, values = append(keys, f.key), append(values, value)
		}
	}
	return keys, values
}

// present is false for what cannot be written: an absent Node, a nil pointer.
func present(v reflect.Value) bool {
	if v.Type() == nodeType {
		return v.Interface().(Node).Kind() != Absent
	}
	return v.Kind() != reflect.Pointer || !v.IsNil()
}

// shape says how a value is written.
func shape(v reflect.Value) Kind {
	t := v.Type()
	switch {
	case t == nodeType:
		return v.Interface().(Node).Kind()
	case isScalar(t):
		return Text
	case t.Kind() == reflect.Slice:
		return List
	}
	return Map
}

// written follows pointers and Encoders to what is written for a value.
func written(v reflect.Value) reflect.Value {
	for {
		if e, ok := v.Interface().(Encoder); ok {
			v = reflect.ValueOf(e.EncodeNode())
			continue
		}
		if v.Kind() != reflect.Pointer {
			return v
		}
		v = v.Elem()
	}
}

// Encoder is a value that is written as another: the counterpart of Decoder.
type Encoder interface{ EncodeNode() any }

// block writes a mapping or a list over several lines.
func (e *encoder) block(v reflect.Value, indent int) {
	v = written(v)
	margin := strings.Repeat("  ", indent)
	if shape(v) == List {
		for _, item := range listItems(v) {
			e.WriteString(margin + "-")
			e.after(item, indent+1, true)
		}
		return
	}
	keys, values := pairs(v)
	if len(keys) == 0 {
		e.WriteString(margin + "{}\n")
	}
	for i, key := range keys {
		e.WriteString(margin + quote(key) + ":")
		e.after(values[i], indent+1, false)
	}
}

// after writes a value behind its key or dash: on the same line where it fits, below it otherwise.
func (e *encoder) after(v reflect.Value, indent int, dash bool) {
	w := written(v)
	if simple := shape(w) != Map && shape(w) != List; simple || isShort(w) {
		var line encoder
		if line.flow(w); simple || line.Len()+2*indent < lineWidth {
			e.WriteString(" " + line.String() + "\n")
			return
		}
	}
	var below encoder
	below.block(w, indent)
	if dash {
		e.WriteString(" " + strings.TrimLeft(below.String(), " "))
		return
	}
	e.WriteString("\n" + below.String())
}

// isShort tells whether a value may stand on one line: a list of scalars, or a mapping of scalars in a list.
func isShort(v reflect.Value) bool {
	if shape(v) == List {
		for _, item := range listItems(v) {
			if s := shape(written(item)); s == List || s == Map {
				return false
			}
		}
		return true
	}
	keys, values := pairs(v)
	for _, value := range values {
		if s := shape(written(value)); s == Map || s == List && !isShort(written(value)) {
			return false
		}
	}
	return len(keys) <= 3
}

func listItems(v reflect.Value) []reflect.Value {
	var items []reflect.Value
	if v.Type() == nodeType {
		for _, item := range v.Interface().(Node).Items() {
			items = append(items, reflect.ValueOf(item))
		}
		return items
	}
	for i := 0; i < v.Len(); i++ {
		items = append(items, v.Index(i))
	}
	return items
}

// flow writes a value on one line.
func (e *encoder) flow(v reflect.Value) {
	v = written(v)
	switch shape(v) {
	case List:
		e.WriteString("[")
		for i, item := range listItems(v) {
			e.comma(i)
			e.flow(item)
		}
		e.WriteString("]")
	case Map:
		e.WriteString("{")
		keys, values := pairs(v)
		for i, key := range keys {
			e.comma(i)
			e.WriteString(quote(key) + ": ")
			e.flow(values[i])
		}
		e.WriteString("}")
	default:
		e.WriteString(scalarYAML(v))
	}
}

func (e *encoder) comma(i int) {
	if i > 0 {
		e.WriteString(", ")
	}
}

// scalarYAML is a scalar with quotes where it would otherwise be read as something else.
func scalarYAML(v reflect.Value) string {
	if v.Type() == nodeType {
		switch n := v.Interface().(Node); n.Kind() {
		case Number, Bool:
			return n.Text()
		case Text:
			return quote(n.Text())
		}
		return "null"
	}
	if v.Kind() != reflect.String && v.Type() != durationType && !reflect.PointerTo(v.Type()).Implements(textType) {
		return Scalar(v.Interface())
	}
	text := Scalar(v.Interface())
	if v.Kind() != reflect.String && plainKind(text) == Number {
		return text
	}
	return quote(text)
}

// bare tells of text that needs no quotes anywhere in a document, not even between brackets: words between single spaces,
// each opening with a letter, a digit or a path.
func bare(s string) bool {
	opens := "_/."
	for word := range strings.SplitSeq(s, " ") {
		for i, r := range word {
			others := "_/.+@=%~?&:;*#'()-"
			if i == 0 {
				others = opens
			}
			if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune(others, r) {
				return false
			}
		}
		if word == "" {
			return false
		}
		opens = "_/("
	}
	return true
}

// quote writes text so that it is read back as text.
func quote(s string) string {
	if bare(s) && plainKind(s) == Text && !strings.Contains(s, ": ") && !strings.HasSuffix(s, ":") && !strings.HasPrefix(s, "...") {
		return s
	}
	return strconv.Quote(s)
}
