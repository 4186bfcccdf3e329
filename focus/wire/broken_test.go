package wire

import (
	"net/http"
	"testing"
)

// A page that breaks off is asked for again, and of a host where that was of no use none is.
func TestBroken(t *testing.T) {
	var b Broken
	short, whole := http.Header{CutHeader: {CutShort}}, http.Header{CutHeader: {CutSize}}
	for _, c := range []struct {
		host  string
		h     http.Header
		left  bool
		again bool
	}{
		{"a.example", short, true, true}, {"a.example", whole, true, false}, {"a.example", whole, false, false}, {"a.example", short, true, true},
		{"a.example", short, false, false}, {"a.example", short, true, false}, {"b.example", short, true, true}, {"b.example", nil, true, false},
	} {
		if again := b.Again(c.host, c.h, c.left) != nil; again != c.again {
			t.Errorf("%s, %v, another one left: %v: asked again: %v", c.host, c.h, c.left, again)
		}
	}
	if BrokeOff(whole) || BrokeOff(nil) || !BrokeOff(short) {
		t.Error("what is longer than allowed is no fault of its host, and what broke off is")
	}
}
