package sink

import (
	"encoding/json"
	"math"
	"testing"
)

// TestWhatIsReadAtOnceIsTheSame holds that nodes and links that stand as they are written are read as encoding/json reads them, and that
// any other is left to it: from each of them every byte is taken, and others are put in its place.
func TestWhatIsReadAtOnceIsTheSame(t *testing.T) {
	type plain Number
	numbers := []string{`{"name":"max","depth":1,"value":0.5}`, `{"name":"锚文本","depth":0,"value":null}`, `{"name":"","depth":-2,"value":1e-9}`}
	links := []string{`[17,-1,"Tea"]`, `[18446744073709551615,2147483647,"乌龙茶"]`, `[0,0,""]`}
	at := 0 // how many were read at once
	changed(numbers, func(b []byte) {
		var n Number
		if !n.read(b) {
			return
		}
		at++
		want := plain{Value: math.NaN()}
		err := json.Unmarshal(b, &want)
		if w := Number(want); err != nil || n.Name != w.Name || n.Depth != w.Depth || math.Float64bits(n.Value) != math.Float64bits(w.Value) {
			t.Errorf("%s: %v, want %v, %v", b, n, w, err)
		}
	})
	changed(links, func(b []byte) {
		var p, want Pointer
		if !p.read(b) {
			return
		}
		at++
		if err := json.Unmarshal(b, &[3]any{&want.To, &want.Block, &want.Anchor}); err != nil || p != want {
			t.Errorf("%s: %v, want %v, %v", b, p, want, err)
		}
	})
	if at < len(numbers)+len(links) {
		t.Errorf("%d were read at once", at)
	}
}

// changed shows texts as they are, and with each of their bytes left out or another in its place, where that is JSON.
func changed(texts []string, see func([]byte)) {
	for _, text := range texts {
		for i := range len(text) + 1 {
			for _, put := range []string{"", `"`, `\`, `\n`, "\t", ",", ".", "-", "+", "0", "_", "x", " ", "}", "]", "null", "e1", "\xff"} {
				for _, end := range []int{i, min(i+1, len(text))} {
					if b := []byte(text[:i] + put + text[end:]); json.Valid(b) {
						see(b)
					}
				}
			}
		}
	}
}
