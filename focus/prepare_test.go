package focus

import (
	"reflect"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/turn"
)

// pathTo says by which fields a type holds one of others, at whatever depth; empty if it does not.
func pathTo(t reflect.Type, forbidden map[reflect.Type]bool, seen map[reflect.Type]bool) string {
	if forbidden[t] {
		return t.String()
	}
	if seen[t] {
		return ""
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		return pathTo(t.Elem(), forbidden, seen)
	case reflect.Map:
		return pathTo(t.Key(), forbidden, seen) + pathTo(t.Elem(), forbidden, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if at := pathTo(t.Field(i).Type, forbidden, seen); at != "" {
				return t.Field(i).Name + "." + at
			}
		}
	}
	return ""
}

// What is prepared does not depend on which page was faster: whoever prepares holds nothing that another page may change.
func TestAPreparerHoldsNothingThatAnotherPageMayChange(t *testing.T) {
	forbidden := map[reflect.Type]bool{}
	for _, v := range []any{Steps{}, Crawler{}, rank.Memory{}, ledger.Ledger{}, topic.Topic{}, turn.Turn{}, junk.ErrorPages{}, frontier.Memory{}} {
		forbidden[reflect.TypeOf(v)] = true
	}
	forbidden[reflect.TypeFor[frontier.Frontier]()] = true
	forbidden[reflect.TypeFor[func(*Visit) string]()] = true
	look := func(t reflect.Type) string { return pathTo(t, forbidden, map[reflect.Type]bool{}) }
	if at := look(reflect.TypeFor[preparer]()); at != "" {
		t.Errorf("a preparer holds %s", at)
	}
	if at := look(reflect.TypeFor[Steps]()); at == "" {
		t.Error("the test finds nothing where there is something")
	}
	if at := look(reflect.TypeFor[struct{ a []map[string]*watches }]()); !strings.HasSuffix(at, "junk.ErrorPages") {
		t.Errorf("the test finds %q", at)
	}
}
