package extensions

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// answer is a transport that always answers the same.
func answer(status int, header http.Header, body string) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		if header == nil {
			header = http.Header{}
		}
		return &http.Response{
			StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
			Header: header.Clone(), ContentLength: int64(len(body)), Body: io.NopCloser(strings.NewReader(body)),
		}, nil
	})
}

// get sends a GET through a transport and reads the body.
func get(t *testing.T, rt http.RoundTripper, address string) (*http.Response, string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := rt.RoundTrip(r)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, string(body), err
}

func TestLayersStandInOneOrder(t *testing.T) {
	var seen []string
	mark := func(name string, p place) Layer {
		return Layer{name: name, place: p, wrap: func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) {
				seen = append(seen, name)
				return next.RoundTrip(r)
			})
		}}
	}
	layers := []Layer{mark("decode", placeDecode), mark("limits", placeLimits), mark("charset", placeCharset)}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		seen = nil
		rt := Stack(answer(200, nil, ""), layers[order[0]], layers[order[1]], layers[order[2]])
		if _, _, err := get(t, rt, "http://a.example/"); err != nil {
			t.Fatal(err)
		}
		if want := []string{"charset", "decode", "limits"}; !slices.Equal(seen, want) {
			t.Errorf("named as %v: passed %v, want %v", order, seen, want)
		}
	}
}

func TestTheLayerNamedLastCounts(t *testing.T) {
	base := answer(200, nil, "twelve bytes")
	_, body, err := get(t, Stack(base, Limits(MaxBody(3)), Limits(MaxBody(6))), "http://a.example/")
	if err != nil || body != "twelve" {
		t.Errorf("got %q, %v", body, err)
	}
}

func TestPrivateHeadersAreOurs(t *testing.T) {
	var out http.Header
	base := roundTripper(func(r *http.Request) (*http.Response, error) {
		out = r.Header
		return answer(200, http.Header{CutHeader: {"size"}, "X-Other": {"1"}}, "whole").RoundTrip(r)
	})
	r, _ := http.NewRequest(http.MethodGet, "http://a.example/", nil)
	r.Header.Set("X-Thresher-Item", "7")
	resp, err := Stack(base).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	if out.Get("X-Thresher-Item") != "" {
		t.Error("a private header went out")
	}
	if resp.Header.Get(CutHeader) != "" || resp.Header.Get("X-Other") != "1" {
		t.Errorf("the server's headers came through as %v", resp.Header)
	}
	if r.Header.Get("X-Thresher-Item") != "7" {
		t.Error("the caller's request was changed")
	}
}

func TestOptionsBelongToTheirExtension(t *testing.T) {
	defer func() {
		if got, want := recover(), "extensions: Decode knows no option MaxBody"; got != want {
			t.Errorf("panic %v, want %q", got, want)
		}
	}()
	Decode(MaxBody(1))
}
