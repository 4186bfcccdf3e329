//go:build rivals

package page

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
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

// TestRivalsOverSharedWebs tells how far they agree over pages of the recorded webs, one of so many, and writes into the folder
// that THRESHER_RIVALS names the pages on which the two others agree with each other, but not with us.
func TestRivalsOverSharedWebs(t *testing.T) {
	for _, web := range []struct {
		name string
		nth  int
	}{{"webkb", 7}, {"zh_portals", 17}} {
		t.Run(web.name, func(t *testing.T) {
			all := rivals()
			var agree [3]tally
			seen, pages := 0, 0
			var slow []time.Duration
			type fault struct {
				score   float64
				address string
				texts   [3]string
			}
			var faults []fault
			eachPage(t, sharedWeb(t, web.name), func(rec recorded) {
				if seen++; seen%web.nth != 0 {
					return
				}
				var texts [3]string
				for i, r := range all {
					before := r.took
					texts[i] = r.of(rec.body, rec.address)
					if i == 0 {
						slow = append(slow, r.took-before)
					}
				}
				pages++
				theirs := alikeness(texts[1], texts[2])
				ours := (alikeness(texts[0], texts[1]) + alikeness(texts[0], texts[2])) / 2
				agree[0].add(alikeness(texts[0], texts[1]))
				agree[1].add(alikeness(texts[0], texts[2]))
				agree[2].add(theirs)
				if theirs > .8 && len(texts[1]) > 300 {
					faults = append(faults, fault{ours, rec.address, texts})
				}
			})
			t.Logf("%d pages: F1 with go-trafilatura %.3f, with go-readability %.3f, of these two %.3f", pages, agree[0].mean(), agree[1].mean(), agree[2].mean())
			sum := 0.0
			low := 0
			for _, f := range faults {
				sum += f.score
				if f.score < .7 {
					low++
				}
			}
			t.Logf("where these two agree (%d pages): F1 with them %.3f, below .7 on %d", len(faults), sum/float64(len(faults)), low)
			slices.Sort(slow)
			for _, r := range all {
				t.Logf("%-15s %v a page", r.name, r.took/time.Duration(pages))
			}
			t.Logf("thresher: median %v, 99th of a hundred %v", slow[len(slow)/2], slow[len(slow)*99/100])
			if mean := all[0].took / time.Duration(pages); mean > 2*time.Millisecond && !raced {
				t.Logf("more than 2 ms a page: %v", mean)
			}
			to := os.Getenv("THRESHER_RIVALS")
			if to == "" {
				return
			}
			slices.SortFunc(faults, func(a, b fault) int { return cmp.Compare(a.score, b.score) })
			var b strings.Builder
			for _, f := range faults[:min(len(faults), 60)] {
				fmt.Fprintf(&b, "#### %.3f %s\n== thresher %d\n%s\n== trafilatura %d\n%s\n== readability %d\n%s\n", f.score, f.address, len(f.texts[0]), Cut(f.texts[0], 700), len(f.texts[1]), Cut(f.texts[1], 500), len(f.texts[2]), Cut(f.texts[2], 200))
			}
			if err := os.WriteFile(filepath.Join(to, web.name+".txt"), []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// alikeness is the F1 of the words of two texts.
func alikeness(a, b string) float64 {
	if strings.TrimSpace(a) == "" && strings.TrimSpace(b) == "" {
		return 1
	}
	f, _, _ := (&poster{own: []string{b}}).f1(a)
	return f
}
