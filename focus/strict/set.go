package strict

import (
	"reflect"
	"slices"
	"strings"
)

// Set gives the field at a path (budget.pages) a value that comes from somewhere else than a file: an environment
// variable, a flag. A list may be written a,b,c or as in a file; what is not a scalar is written as in a file. from is
// what the problems call the place it comes from. A path that leads to no field is a problem too.
func Set(into any, path, value, from string) []Problem {
	v, check, ok := fieldAt(reflect.ValueOf(into).Elem(), path)
	if !ok {
		return []Problem{{File: from, Path: path, Want: "unknown key"}}
	}
	n, problems := valueNode(v.Type(), value, from)
	if len(problems) == 0 {
		d := &decoder{}
		d.decode(n.Rename(path), v, check)
		problems = d.problems
	}
	for i := range problems {
		p := &problems[i]
		p.File, p.Line, p.Column = from, 0, 0
		if !strings.HasPrefix(p.Path, path) {
			p.Path = path
		}
	}
	return problems
}

// fieldAt is the field at a path, and what is allowed there.
func fieldAt(v reflect.Value, path string) (field reflect.Value, check string, ok bool) {
	for step := range strings.SplitSeq(path, ".") {
		fields := []structField(nil)
		if isGroup(v.Type()) {
			fields = structFields(v.Type())
		}
		i := slices.IndexFunc(fields, func(f structField) bool { return f.key == step })
		if i < 0 {
			return v, "", false
		}
		v, check = v.FieldByIndex(fields[i].index), fields[i].check
	}
	return v, check, true
}

// valueNode is the node a value stands for, by the type that will take it.
func valueNode(t reflect.Type, text, from string) (Node, []Problem) {
	trimmed := strings.TrimSpace(text)
	t = pointed(t)
	switch {
	case isScalar(t):
		return scalarNode(t, text, from), nil
	case t.Kind() != reflect.Slice || strings.HasPrefix(trimmed, "[") || strings.HasPrefix(trimmed, "- "):
		n, err := Parse(from, []byte(text))
		problems, _ := Problems(err)
		return n, problems
	}
	v := &value{kind: List, file: from, size: 1}
	for _, item := range strings.Split(trimmed, ",") {
		if item = strings.TrimSpace(item); item != "" {
			v.items = append(v.items, scalarNode(t.Elem(), item, from).value)
		}
	}
	return Node{value: v}, nil
}

// scalarNode takes text as it is where text is wanted, and as YAML would read it elsewhere.
func scalarNode(t reflect.Type, text, from string) Node {
	v := &value{kind: Text, file: from, size: 1, text: text, quoted: true}
	if isScalar(t) && t.Kind() != reflect.String {
		v.text = strings.TrimSpace(text)
		v.kind, v.quoted = plainKind(v.text), false
	}
	return Node{value: v}
}

// Values are the values of all keys of a struct by their paths, each on one line as Flow writes it, groups included.
func Values(v any) map[string]string {
	values := map[string]string{}
	collect(values, reflect.Indirect(reflect.ValueOf(v)), "")
	return values
}

// Value is the value of the key at a path as Values has it, empty where there is no such key.
func Value(v any, path string) string {
	field, _, ok := fieldAt(reflect.Indirect(reflect.ValueOf(v)), path)
	if !ok {
		return ""
	}
	return flowOf(field)
}

// flowOf is Flow of a field; of a pointer to nothing, which nobody gave a value, it is empty.
func flowOf(field reflect.Value) string {
	if !present(field) {
		return ""
	}
	return Flow(field.Interface())
}

func collect(values map[string]string, v reflect.Value, prefix string) {
	for _, f := range structFields(v.Type()) {
		field, path := v.FieldByIndex(f.index), join(prefix, f.key)
		values[path] = flowOf(field)
		if isGroup(f.typ) {
			collect(values, field, path)
		}
	}
}
