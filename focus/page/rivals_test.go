//go:build rivals

package page

import (
	"bytes"
	"net/url"
	"strings"
	"testing"
	"time"

	readability "codeberg.org/readeck/go-readability/v2"
	"github.com/markusmobius/go-trafilatura"
)

// The rivals are other programs that find the main text of a page. They take long to build, so that they are asked only with
// -tags rivals.

// rival is one of them, and the time it took.
type rival struct {
	name string
	text func(body []byte, address string) string
	took time.Duration
}

func (r *rival) of(body []byte, address string) (text string) {
	start := time.Now()
	defer func() {
		r.took += time.Since(start)
		_ = recover() // some of them panic at some pages
	}()
	return r.text(body, address)
}

func rivals() []*rival {
	return []*rival{
		{name: "thresher", text: func(body []byte, address string) string { return Parse(body, address, Options{}).MainText() }},
		{name: "go-trafilatura", text: func(body []byte, address string) string {
			u, _ := url.Parse(address)
			result, err := trafilatura.Extract(bytes.NewReader(body), trafilatura.Options{OriginalURL: u, EnableFallback: true, ExcludeComments: true})
			if err != nil {
				return ""
			}
			return result.ContentText
		}},
		{name: "go-readability", text: func(body []byte, address string) string {
			u, _ := url.Parse(address)
			article, err := readability.FromReader(bytes.NewReader(body), u)
			if err != nil || article.Node == nil {
				return ""
			}
			var b strings.Builder
			_ = article.RenderText(&b)
			return b.String()
		}},
	}
}

// TestRivalsOverDrawnPages compares them over the pages whose text is known.
func TestRivalsOverDrawnPages(t *testing.T) {
	var f [3][2]tally
	all := rivals()
	for _, p := range posters(t) {
		for i, r := range all {
			language := 0
			if p.zh {
				language = 1
			}
			x, _, _ := p.f1(r.of([]byte(p.html), "http://house.example/2024/page.html"))
			f[i][language].add(x)
		}
	}
	for i, r := range all {
		t.Logf("%-15s F1 en %.3f zh %.3f  %v a page", r.name, f[i][0].mean(), f[i][1].mean(), r.took/time.Duration(f[i][0].n+f[i][1].n))
	}
	if f[0][0].mean() < max(f[1][0].mean(), f[2][0].mean()) || f[0][1].mean() < max(f[1][1].mean(), f[2][1].mean()) {
		t.Error("a rival reads the drawn pages better")
	}
}
