package wire

import (
	"net/http"
	"strings"
	"testing"
)

func TestTapHearsTheWire(t *testing.T) {
	packed := coded(t, "gzip", article)
	base := answer(200, http.Header{"Content-Encoding": {"gzip"}, "Content-Length": {"7"}}, packed)
	var heard []Answer
	hear := func(r *http.Request, a Answer) {
		if r.Header.Get("Accept-Encoding") != accepts {
			t.Errorf("the request as it went out: %v", r.Header)
		}
		heard = append(heard, a)
	}
	if _, body, err := get(t, Stack(base, Decode(DecodeConfig{}), Tap(hear)), "http://a.example/"); err != nil || body != article {
		t.Fatalf("%d bytes, %v", len(body), err)
	}
	if len(heard) != 1 {
		t.Fatalf("heard %d answers", len(heard))
	}
	a := heard[0]
	if a.Status != 200 || a.Proto != "HTTP/1.1" || string(a.Body) != packed || a.Cut != "" || a.Header.Get("Content-Length") != "7" {
		t.Errorf("heard %d %s, %d bytes, cut %q, %v", a.Status, a.Proto, len(a.Body), a.Cut, a.Header)
	}
	heard = nil
	get(t, Stack(base, Decode(DecodeConfig{}), Tap(hear), Limits(LimitsConfig{MaxBody: 20})), "http://a.example/")
	if a := heard[0]; len(a.Body) != 20 || a.Cut != CutSize || a.Header.Get(CutHeader) != "" {
		t.Errorf("heard of a cut body: %d bytes, cut %q, %v", len(a.Body), a.Cut, a.Header)
	}
}

// Who has the bytes that were sent gets back its own, and another one what was sent, in memory that nobody writes to later; both as
// often as they ask.
func TestWhatIsCaughtIsHeldOnce(t *testing.T) {
	sent := strings.Repeat(article, 50) // in several parts
	for _, packed := range []bool{false, true} {
		header, body := http.Header{}, sent
		if packed {
			header, body = http.Header{"Content-Encoding": {"gzip"}}, coded(t, "gzip", sent)
		}
		var caught []func([]byte) []byte
		catch := Catch(func(_ *http.Request, a Answer, body func([]byte) []byte) {
			if a.Body != nil {
				t.Errorf("%d bytes come with the answer", len(a.Body))
			}
			caught = append(caught, body)
		})
		rt := Stack(answer(200, header, body), Decode(DecodeConfig{}), catch)
		for n := range 20 {
			_, got, err := get(t, rt, "http://a.example/")
			if err != nil || got != sent {
				t.Fatalf("%d bytes, %v", len(got), err)
			}
			have := []byte(got)
			for range 2 {
				raw := caught[n](have)
				if string(raw) != body || (&raw[0] == &have[0]) == packed {
					t.Fatalf("packed %v: %d bytes, its own %v", packed, len(raw), &raw[0] == &have[0])
				}
			}
		}
		if packed && string(caught[0](nil)) != body {
			t.Error("what was answered first was written over")
		}
	}
}
