package redis

import (
	"reflect"
	"testing"

	goredis "github.com/redis/go-redis/v9"
)

// TestWhoSeesAFrontierCompilesNoClient holds what keeps the first build short: from the types that other packages see no way leads to
// go-redis's own client, whose 1,500 methods would be compiled once more for each of these packages.
func TestWhoSeesAFrontierCompilesNoClient(t *testing.T) {
	if !reaches(reflect.TypeFor[goredis.UniversalClient](), map[reflect.Type]bool{}) {
		t.Fatal("this test sees nothing: UniversalClient leads to no client")
	}
	for _, seen := range []reflect.Type{reflect.TypeFor[*Frontier](), reflect.TypeFor[Client](), reflect.TypeFor[*Visits](), reflect.TypeFor[Options]()} {
		if reaches(seen, map[reflect.Type]bool{}) {
			t.Errorf("%s leads to go-redis's client", seen)
		}
	}
}

// reaches tells whether a type is go-redis's client, or has a part or a method that leads there.
func reaches(one reflect.Type, known map[reflect.Type]bool) bool {
	if one == reflect.TypeFor[goredis.Client]() {
		return true
	}
	if known[one] {
		return false
	}
	known[one] = true
	var parts []reflect.Type
	switch one.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		parts = append(parts, one.Elem())
	case reflect.Map:
		parts = append(parts, one.Key(), one.Elem())
	case reflect.Struct:
		for i := range one.NumField() {
			parts = append(parts, one.Field(i).Type)
		}
	case reflect.Func:
		for i := range one.NumIn() {
			parts = append(parts, one.In(i))
		}
		for i := range one.NumOut() {
			parts = append(parts, one.Out(i))
		}
	}
	if one.Kind() == reflect.Interface {
		for i := range one.NumMethod() {
			parts = append(parts, one.Method(i).Type)
		}
	}
	for _, part := range parts {
		if reaches(part, known) {
			return true
		}
	}
	return false
}
