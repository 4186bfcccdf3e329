package wire

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
	mark := func(name string, p Place) Layer {
		return Layer{name: name, place: p, wrap: func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) {
				seen = append(seen, name)
				return next.RoundTrip(r)
			})
		}}
	}
	layers := []Layer{mark("decode", AtDecode), mark("limits", AtLimits), mark("charset", AtCharset)}
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
	_, body, err := get(t, Stack(base, Limits(LimitsConfig{MaxBody: 3}), Limits(LimitsConfig{MaxBody: 6})), "http://a.example/")
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

// TestASettingBelowZeroIsAMistake: and names itself.
func TestASettingBelowZeroIsAMistake(t *testing.T) {
	defer func() {
		if got, want := recover(), "wire.DecodeConfig.MaxRatio is -1: want a value above 0, or 0 for the default"; got != want {
			t.Errorf("panic %v, want %q", got, want)
		}
	}()
	Decode(DecodeConfig{MaxRatio: -1})
}

// TestALayerOfOnesOwn: it stands where it says, among the others.
func TestALayerOfOnesOwn(t *testing.T) {
	seen := ""
	spy := NewLayer("spy", AtRecord, func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(r)
			if err == nil {
				seen = resp.Header.Get("Content-Encoding")
			}
			return resp, err
		})
	})
	base := answer(200, http.Header{"Content-Encoding": {"gzip"}}, coded(t, "gzip", "whole"))
	if _, body, err := get(t, Stack(base, spy, Decode(DecodeConfig{})), "http://a.example/"); err != nil || body != "whole" || seen != "gzip" {
		t.Errorf("got %q, the layer saw %q, %v", body, seen, err)
	}
}
