package wire

import (
	"net/http"
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
