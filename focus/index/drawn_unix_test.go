//go:build unix

package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// TestDrawnPages searches pages of 3 kB that are drawn, half of them English and half Chinese: 1,000, or as many as
// THRESHER_DRAWN says, in an index that was just opened. It holds how much memory that takes, and prints how long 95 of 100
// queries of two words take, with facets, once the index is warm: by the clock, and of the processor.
func TestDrawnPages(t *testing.T) {
	const most = 300 << 20 // bytes of its own that the process may hold with 100,000 pages
	n, rounds := 1000, 2
	if said, err := strconv.Atoi(os.Getenv("THRESHER_DRAWN")); err == nil {
		n, rounds = said, 3
	}
	d := newDrawer()
	h := newHarvest(t, "jsonl")
	text := 0
	for range n {
		text += d.keep(h)
	}
	for _, s := range h.sinks {
		noError(t, s.Sync())
	}
	indexed(t, h.dir, n)
	c, change := opened(t, h.dir)
	if change.Added != 0 || change.Pages != n {
		t.Fatalf("%+v, want %d pages", change, n)
	}
	t.Logf("%d pages, %.1f MB of text; the index is %.2f times the text", n, float64(text)/1e6, float64(sizeOf(t, c.folder()))/float64(text))
	for round := range rounds { // the first one warms
		took, used := timed(t, c, d)
		t.Logf("round %d: two words, median %v, 95 of 100 within %v; of the processor median %v, 95 of 100 within %v",
			round, took[len(took)/2], took[len(took)*95/100], used[len(used)/2], used[len(used)*95/100])
	}
	own, told := ownMemory()
	runtime.GC()
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	t.Logf("%d MB of memory held by Go, %d by the process", after.HeapAlloc>>20, own>>20)
	if most := uint64(50<<20 + 1000*n); after.HeapAlloc > most {
		t.Errorf("%d MB of memory held, want at most %d", after.HeapAlloc>>20, most>>20)
	}
	if !told {
		t.Skip("this system does not tell what a process holds of its own: no /proc/self/status")
	}
	if own > most {
		t.Errorf("%d MB held by the process, want at most %d", own>>20, most>>20)
	}
}

// indexed has another process index a harvest, so that this one holds what searching takes, and no more.
func indexed(t *testing.T, dir string, pages int) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestIndexAndDie$", "-test.v")
	child.Env = append(os.Environ(), "THRESHER_DIE_AT=0", "THRESHER_DIE_IN="+dir, "GOGC=400") // it is not its memory that is measured
	if said, err := child.CombinedOutput(); err != nil || !strings.Contains(string(said), fmt.Sprintf("survived {%d 0 0 %d ", pages, pages)) {
		t.Fatalf("%v: %s, want %d pages indexed", err, said, pages)
	}
}

// timed asks 400 queries, and answers how long each took, in order: by the clock, and of the processor.
func timed(t *testing.T, c *Collection, d *drawer) (took, used []time.Duration) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	for range 400 {
		query := d.two(r)
		before, began := processorTime(), time.Now()
		a, err := Search(context.Background(), []*Collection{c}, ParseQuery(query), Ask{Limit: 10, Weights: DefaultWeights(), Time: time.Minute})
		took, used = append(took, time.Since(began)), append(used, processorTime()-before)
		if err != nil || a.Partial {
			t.Fatalf("%s: %v, partial %v", query, err, a.Partial)
		}
		if a.Total > 0 && len(a.Facets[facetLanguage]) == 0 {
			t.Fatalf("%s: %d pages, and no facets", query, a.Total)
		}
	}
	slices.Sort(took)
	slices.Sort(used)
	return took, used
}

// ownMemory is what the process holds that is no file; false where the system does not tell.
func ownMemory() (int64, bool) {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(raw)) {
		if kb, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			n, err := strconv.ParseInt(strings.Fields(kb)[0], 10, 64)
			if err == nil {
				return n << 10, true
			}
		}
	}
	return 0, false
}

// drawer draws pages whose words are spread as those of a language are.
type drawer struct {
	r      *rand.Rand
	zipf   *rand.Zipf
	common []string // English
	han    []string
}

func newDrawer() *drawer {
	d := &drawer{r: rand.New(rand.NewPCG(3, 4))}
	const words = 20_000
	d.zipf = rand.NewZipf(d.r, 1.1, 8, words-1)
	syllables := []string{"ba", "con", "der", "el", "fi", "gra", "hu", "in", "jo", "kel", "lam", "mi", "nor", "op", "pre", "qui", "ras", "sto", "tu", "ver"}
	for i := range words {
		d.common = append(d.common, syllables[i%20]+syllables[i/20%20]+syllables[i/400%20]+syllables[i/8000])
		d.han = append(d.han, string([]rune{rune(0x4E00 + i*7919%3000), rune(0x4E00 + i*104729/3%3000)}))
	}
	return d
}

// words draws words of a language, so many bytes of them.
func (d *drawer) words(from []string, gap string, bytes int) string {
	var b strings.Builder
	for n := 1; b.Len() < bytes; n++ {
		b.WriteString(from[d.zipf.Uint64()])
		if n%12 == 0 {
			b.WriteString("。\n")
		} else {
			b.WriteString(gap)
		}
	}
	return b.String()
}

// keep keeps a page, and answers how long its text is.
func (d *drawer) keep(h *harvester) int {
	h.next++
	from, gap, language := d.common, " ", "en"
	if h.next%2 == 0 {
		from, gap, language = d.han, "", "zh"
	}
	site := d.r.IntN(2000)
	r := &sink.Record{ID: h.next, URL: fmt.Sprintf("http://site%d.example.com/%d", site, h.next), Status: 200, Type: "text/html", Language: language,
		Time: time.Unix(1700000000+int64(h.next), 0).UTC(), Title: d.words(from, gap, 30), Text: d.words(from, gap, 3000), Relevance: d.r.Float64(),
		Imprint: sink.Imprint{Date: fmt.Sprintf("%d-%02d-01", 2000+d.r.IntN(25), 1+d.r.IntN(12))}, Digest: fmt.Sprint(h.next)}
	for _, s := range h.sinks {
		if err := s.Write(r); err != nil {
			h.t.Fatal(err)
		}
	}
	return len(r.Text)
}

// two are two words of one language, neither the most common nor the rarest.
func (d *drawer) two(r *rand.Rand) string {
	from := d.common
	if r.IntN(2) == 0 {
		from = d.han
	}
	return from[10+r.IntN(500)] + " " + from[10+r.IntN(2000)]
}
