package wire_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/thresher-crawler/thresher/focus/wire"
)

// asking is a layer of our own: every request says which language is wanted.
func asking(language string) wire.Layer {
	return wire.NewLayer("asking", wire.AtMeasure, func(below http.RoundTripper) http.RoundTripper {
		return tripper(func(r *http.Request) (*http.Response, error) {
			r = r.Clone(r.Context()) // a transport must leave the request as it is
			r.Header.Set("Accept-Language", language)
			return below.RoundTrip(r)
		})
	})
}

type tripper func(*http.Request) (*http.Response, error)

func (t tripper) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// A layer says where it stands among the others, and Stack puts it there.
func ExampleNewLayer() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, strings.Repeat(r.Header.Get("Accept-Language")+" ", 3))
	}))
	defer site.Close()
	client := &http.Client{Transport: wire.Stack(http.DefaultTransport, wire.Decode(wire.DecodeConfig{}), asking("zh"))}
	resp, err := client.Get(site.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	fmt.Println(string(body))
	// Output: zh zh zh
}
