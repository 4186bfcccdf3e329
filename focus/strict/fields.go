package strict

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// structField is one key a struct can be filled by.
type structField struct {
	key, check, doc string
	called          []string
	index           []int
	typ             reflect.Type
	omitempty       bool
}

// structs are the fields of the structs that were asked after: a config is written and read several times by every crawl that
// goes on, and to find them out took most of that.
var structs sync.Map // of []structField by reflect.Type

// structFields are the fields of a struct that have a yaml tag, embedded structs included, in their order. Nobody changes them.
func structFields(t reflect.Type) []structField {
	if fields, ok := structs.Load(t); ok {
		return fields.([]structField)
	}
	var fields []structField
	for _, f := range reflect.VisibleFields(t) {
		key, option, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if key == "" || key == "-" || !f.IsExported() {
			continue
		}
		fields = append(fields, structField{key: key, check: f.Tag.Get("check"), doc: f.Tag.Get("doc"), called: strings.Fields(f.Tag.Get("called")),
			index: f.Index, typ: f.Type, omitempty: option == "omitempty"})
	}
	structs.Store(t, fields)
	return fields
}

// Field is one key of a struct, for documentation.
type Field struct {
	Path    string   // scope.hosts.include; a key of the structs in a list: topic.terms[].weight
	Type    string   // what to write: text, a number, true or false, a list of text …
	Default string   // as it would be written; empty for what has no default of its own
	Allowed string   // what the check tag says, in words
	Doc     string   // the doc tag
	Group   bool     // a struct: it has no value but those of its own keys
	Called  []string // the called tag: what other programs call it, for whoever writes that here
}

// AnyName stands in a path for a name that the file's author chooses.
const AnyName = ".NAME"

// Fields are the keys of a struct with their defaults, in the order of the struct. A struct that is a field is followed
// by its own keys; so is one that stands in a list, or in lists by names of the author's own.
func Fields(defaults any) []Field {
	v := reflect.Indirect(reflect.ValueOf(defaults))
	return appendFields(nil, v, "")
}

// Meant is the path of the key of a struct that another program calls so, or that has this name somewhere below; empty where
// there is none.
func Meant(whole any, key string) string {
	fields := Fields(whole)
	for _, f := range fields {
		if slices.Contains(f.Called, strings.ToLower(key)) {
			return f.Path
		}
	}
	for _, f := range fields {
		if f.Path == key || strings.HasSuffix(f.Path, "."+key) && !strings.Contains(f.Path, "[]") && !strings.Contains(f.Path, AnyName) {
			return f.Path
		}
	}
	return ""
}

// HasFields tells whether a struct has any key.
func HasFields(of any) bool {
	return len(structFields(reflect.Indirect(reflect.ValueOf(of)).Type())) > 0
}

func appendFields(dst []Field, v reflect.Value, prefix string) []Field {
	for _, f := range structFields(v.Type()) {
		value := v.FieldByIndex(f.index)
		field := Field{Path: join(prefix, f.key), Type: typeName(f.typ), Doc: f.doc, Group: isGroup(f.typ), Called: f.called}
		if !field.Group && f.typ != nodeType {
			field.Default = flowOf(value)
		}
		if a := checkOf(f); a != nil {
			if field.Allowed = a.written; a.words != nil {
				field.Allowed = strings.Join(a.words, " | ")
			}
		}
		dst = append(dst, field)
		switch inner := f.typ; {
		case field.Group:
			dst = appendFields(dst, value, field.Path)
		case inner.Kind() == reflect.Slice && isStruct(inner.Elem()):
			item := reflect.New(inner.Elem())
			if d, ok := item.Interface().(Defaulter); ok {
				d.SetDefaults()
			}
			dst = appendFields(dst, item.Elem(), field.Path+"[]")
		case inner.Kind() == reflect.Map && inner.Elem().Kind() == reflect.Slice && isStruct(inner.Elem().Elem()):
			dst = appendFields(dst, reflect.New(inner.Elem().Elem()).Elem(), field.Path+AnyName)
		}
	}
	return dst
}

func checkOf(f structField) *allowed {
	t := pointed(f.typ)
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	return parseCheck(f.check, t)
}

func isStruct(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != nodeType && !isScalar(t)
}

// isGroup is a struct that is read key by key.
func isGroup(t reflect.Type) bool {
	return isStruct(t) && !reflect.PointerTo(t).Implements(nodeDecoder)
}

// pointed is what a pointer points to, which is what is written for it.
func pointed(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func typeName(t reflect.Type) string {
	t = pointed(t)
	switch {
	case t == nodeType || isStruct(t) && !isGroup(t):
		return "one value or a mapping"
	case isScalar(t):
		return wanted(t)
	case t.Kind() == reflect.Slice:
		if isGroup(t.Elem()) {
			return "a list of mappings"
		}
		return "a list of " + strings.TrimPrefix(strings.TrimPrefix(typeName(t.Elem()), "a "), "whole ")
	}
	return "a mapping"
}
