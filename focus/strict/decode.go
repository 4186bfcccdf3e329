package strict

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"time"
)

// Decode fills what into points to: a struct, or anything a field of a struct may be. It answers every mistake in the
// order they were found; with none, the answer is empty. Where there is a mistake, into may be filled in part.
//
// A key given without a value is a mistake. A list replaces the default list as a whole; a mapping changes only the
// keys it names. Struct fields without a yaml tag are left alone.
func (n Node) Decode(into any) []Problem {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		panic(fmt.Sprintf("strict: decode into %T: want a pointer", into))
	}
	if n.Kind() == Null && n.path == "" {
		return nil // an empty file changes nothing
	}
	d := &decoder{}
	if n.path == "" && isGroup(v.Elem().Type()) {
		d.whole = v.Elem().Type()
	}
	d.decode(n, v.Elem(), "")
	return d.problems
}

type decoder struct {
	problems []Problem
	whole    reflect.Type // what the whole document is decoded into; nil for a part of one
}

func (d *decoder) wrong(n Node, format string, args ...any) {
	d.problems = append(d.problems, n.Problem(format, args...))
}

var (
	nodeType     = reflect.TypeFor[Node]()
	durationType = reflect.TypeFor[time.Duration]()
	textType     = reflect.TypeFor[encoding.TextUnmarshaler]()
	nodeDecoder  = reflect.TypeFor[Decoder]()
)

// Decoder is a value that reads itself from a node, where one word may be written for a whole structure.
type Decoder interface {
	DecodeNode(n Node) []Problem
}

func (d *decoder) decode(n Node, v reflect.Value, check string) {
	t := v.Type()
	switch {
	case t == nodeType:
		v.Set(reflect.ValueOf(n))
		return
	case n.Kind() == Null:
		d.wrong(n, "has no value; give it one, or take the line out")
		return
	case reflect.PointerTo(t).Implements(nodeDecoder):
		d.problems = append(d.problems, v.Addr().Interface().(Decoder).DecodeNode(n)...)
		return
	case isScalar(t):
		d.scalar(n, v, check)
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		d.structure(n, v)
	case reflect.Slice:
		d.list(n, v, check)
	case reflect.Map:
		d.mapping(n, v, check)
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(t.Elem()))
		}
		d.decode(n, v.Elem(), check)
	default:
		panic(fmt.Sprintf("strict: %s: cannot fill a %s from YAML", n.Path(), t))
	}
}

// scalars says of the types that were met whether they are scalars.
var scalars sync.Map // of bool by reflect.Type

func isScalar(t reflect.Type) bool {
	if is, ok := scalars.Load(t); ok {
		return is.(bool)
	}
	is := readsScalar(t)
	scalars.Store(t, is)
	return is
}

func readsScalar(t reflect.Type) bool {
	if t == durationType || reflect.PointerTo(t).Implements(textType) {
		return true
	}
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return true
	}
	return false
}

func (d *decoder) structure(n Node, v reflect.Value) {
	fields := structFields(v.Type())
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.key
	}
	before := len(d.problems)
	d.problems = append(d.problems, n.only(known, d.misplaced)...)
	if n.Kind() != Map {
		return
	}
	for _, f := range fields {
		if e := n.entry(f.key); e != nil {
			d.decode(n.child(e), v.FieldByIndex(f.index), f.check)
		}
	}
	if checker, ok := v.Addr().Interface().(Checker); ok && len(d.problems) == before {
		checker.Check(func(key, want string) { d.problems = append(d.problems, n.Below(key, want)) })
	}
}

// misplaced says where in the whole document a key belongs that is unknown where it stands.
func (d *decoder) misplaced(key string) string {
	if d.whole == nil {
		return ""
	}
	return Meant(reflect.New(d.whole).Interface(), key)
}

// Below is a problem at a path below this node: at the value it leads to, or at the nearest that was written.
func (n Node) Below(path, want string) Problem {
	at := n
	for _, step := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		next, ok := at.Get(step)
		if at.Kind() == List {
			var i int
			if _, err := fmt.Sscanf(step, "%d", &i); err == nil && i >= 0 && i < len(at.value.items) {
				next, ok = at.Items()[i], true
			}
		}
		if !ok {
			break
		}
		at = next
	}
	p := at.Problem("%s", want)
	p.Path = n.path
	if path != "" {
		p.Path = join(n.path, path)
	}
	return p
}

func (d *decoder) list(n Node, v reflect.Value, check string) {
	if n.Kind() != List {
		d.wrong(n, "%s, want a list, such as [a, b]%s", n.is(), n.inWide())
		return
	}
	items := n.Items()
	filled := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		into := filled.Index(i)
		if defaults, ok := into.Addr().Interface().(Defaulter); ok {
			defaults.SetDefaults()
		}
		d.decode(item, into, check)
	}
	v.Set(filled)
}

// Defaulter is a struct that stands in lists and has defaults other than zero.
type Defaulter interface{ SetDefaults() }

func (d *decoder) mapping(n Node, v reflect.Value, check string) {
	if n.Kind() != Map {
		d.wrong(n, "%s, want a mapping", n.is())
		return
	}
	d.problems = append(d.problems, n.duplicates()...)
	t := v.Type()
	if v.IsNil() {
		v.Set(reflect.MakeMap(t))
	}
	for i := range n.value.entries {
		e := &n.value.entries[i]
		value := reflect.New(t.Elem()).Elem()
		d.decode(n.child(e), value, check)
		v.SetMapIndex(reflect.ValueOf(e.key).Convert(t.Key()), value)
	}
}

func (d *decoder) scalar(n Node, v reflect.Value, check string) {
	if n.Kind() == List || n.Kind() == Map {
		d.wrong(n, "%s, want %s", n.is(), wanted(v.Type()))
		return
	}
	if n.value.quoted && v.Kind() != reflect.String && !v.Addr().Type().Implements(textType) && v.Type() != durationType {
		d.wrong(n, "%s in quotes, want %s", n.is(), wanted(v.Type()))
		return
	}
	if want := setScalar(v, n.Text()); want != "" {
		d.wrong(n, "%s, %s", n.is(), want)
		return
	}
	if a := parseCheck(check, v.Type()); a != nil {
		if want := a.refuse(v); want != "" {
			d.wrong(n, "%s", want)
		}
	}
}

// wanted is what a type is called in a message.
func wanted(t reflect.Type) string {
	switch {
	case t == durationType || t == reflect.TypeFor[Duration]():
		return "a time such as 1.5s"
	case t == reflect.TypeFor[Size]():
		return "a size such as 10MB"
	case t == reflect.TypeFor[Pace]():
		return "a pause such as 1.5s or a rate such as 2/s"
	case reflect.PointerTo(t).Implements(textType):
		return "one value"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.String:
		return "text"
	case t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

// setScalar reads a scalar as it was written; it answers what is wanted instead where that fails.
func setScalar(v reflect.Value, text string) (want string) {
	if v.Type() == durationType {
		d, err := parseDuration(text)
		if err != nil {
			return err.Error()
		}
		v.SetInt(int64(d))
		return ""
	}
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if err := u.UnmarshalText([]byte(text)); err != nil {
			return err.Error()
		}
		return ""
	}
	switch {
	case v.Kind() == reflect.String:
		v.SetString(text)
		return ""
	case v.CanInt() || v.CanUint():
		return setWhole(v, text)
	case v.Kind() == reflect.Bool && plainKind(text) == Bool:
		v.SetBool(strings.EqualFold(text, "true"))
		return ""
	case v.CanFloat():
		if f, ok := parseFloat(text); ok {
			v.SetFloat(f)
			return ""
		}
	}
	return "want " + wanted(v.Type())
}

// setWhole reads a whole number into an integer of any size.
func setWhole(v reflect.Value, text string) (want string) {
	i, ok := parseInt(text)
	switch {
	case !ok && !wholeNumber.MatchString(text):
		return "want " + wanted(v.Type())
	case v.CanUint():
		u, ok := parseUint(text)
		if !ok || v.OverflowUint(u) {
			return fmt.Sprintf("want a whole number from 0 to %d", uint64(math.MaxUint64)>>(64-v.Type().Bits()))
		}
		v.SetUint(u)
	case !ok || v.OverflowInt(i):
		return fmt.Sprintf("want a whole number of at most %d", int64(1)<<(v.Type().Bits()-1)-1)
	default:
		v.SetInt(i)
	}
	return ""
}
