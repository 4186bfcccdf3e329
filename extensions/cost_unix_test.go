//go:build unix

package extensions_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/klauspost/compress/gzip"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/extensions/metrics"
	pages "github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sitemap"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// sized are pages of about 38 KB with 80 links and 1,500 words, gzipped: what a crawl meets on average.
func sized(n int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><html lang=en><head><meta charset=utf-8><title>Page %d</title><meta name=description content=x><link rel=stylesheet href=/s.css></head><body>", n)
	for i := range 80 {
		fmt.Fprintf(&b, `<div class="row item-%d col-md-6 col-sm-12" data-track="list-%d-%d" style="margin:0 auto;padding:4px 8px"><div class="inner card shadow-sm">`, i, n, i)
		fmt.Fprintf(&b, `<h2 class="card-title text-truncate">Heading %d of %d</h2><p class="card-text text-muted small">`, i, n)
		for j := range 10 {
			fmt.Fprintf(&b, "word%d ", (n*7919+i*104729+j*j*31)%5000)
		}
		fmt.Fprintf(&b, `<a class="btn btn-link stretched-link" href="/page/%d/%d.html" title="more">A link</a></p></div></div>`+"\n", n, i)
	}
	b.WriteString("</body></html>")
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, 6)
	io.WriteString(w, b.String())
	w.Close()
	return packed.Bytes()
}

// newSizedSite serves sized pages. They repeat every 64 but for a few words, so that no two are byte for byte the same.
func newSizedSite(t testing.TB) *httptest.Server {
	var bodies [64][]byte
	for i := range bodies {
		bodies[i] = sized(i)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			io.WriteString(w, "User-agent: *\nDisallow: /private/\nDisallow: /*?print=\nAllow: /\n")
			return
		}
		n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(bodies[n%len(bodies)])
		w.Write(stored(fmt.Sprintf("<p>This is visit number %d.", n)))
	}))
	t.Cleanup(s.Close)
	return s
}

// stored is a gzip member that holds a short text as it is.
func stored(text string) []byte {
	b := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(text)))
	b = binary.LittleEndian.AppendUint16(b, ^uint16(len(text)))
	b = append(b, text...)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(text)))
	return binary.LittleEndian.AppendUint32(b, uint32(len(text)))
}

// addition is one extension, or some, as a program adds them.
type addition struct {
	name   string
	layers func() []extensions.Layer
	hang   func(c *colly.Collector)
}

func one(name string, l func() extensions.Layer) addition {
	return addition{name: name, layers: func() []extensions.Layer { return []extensions.Layer{l()} }}
}

func hung(name string, hang func(*colly.Collector)) addition { return addition{name: name, hang: hang} }

func additions() []addition {
	return []addition{
		one("Limits", func() extensions.Layer { return extensions.Limits(extensions.LimitsConfig{}) }),
		one("Decode", func() extensions.Layer { return extensions.Decode(extensions.DecodeConfig{}) }),
		one("Charset", func() extensions.Layer { return extensions.Charset() }),
		one("PrivateNetworks", func() extensions.Layer {
			return extensions.PrivateNetworks(extensions.PrivateNetworksConfig{Allow: []string{"127.0.0.1"}})
		}),
		one("Retry", func() extensions.Layer { return extensions.Retry(extensions.RetryConfig{}) }),
		one("Resolver", func() extensions.Layer { return extensions.Resolver(extensions.ResolverConfig{}) }),
		hung("Robots", func(c *colly.Collector) { extensions.Robots(c, extensions.RobotsConfig{}) }),
		hung("Canonical", func(c *colly.Collector) { extensions.Canonical(c, extensions.CanonicalConfig{}) }),
		hung("Traps", func(c *colly.Collector) { extensions.Traps(c, extensions.TrapsConfig{Paths: 1e9, Queries: 1e9}) }),
		hung("NearDuplicates", func(c *colly.Collector) { extensions.NearDuplicates(c, extensions.NearDuplicatesConfig{}) }),
		hung("SoftNotFound", func(c *colly.Collector) { extensions.SoftNotFound(c, extensions.SoftNotFoundConfig{}) }),
		hung("Walls", func(c *colly.Collector) { extensions.Walls(c) }),
		hung("OptOuts", func(c *colly.Collector) { extensions.OptOuts(c, nil) }),
		hung("Conditional", func(c *colly.Collector) { extensions.Conditional(c, extensions.NewValidators(0)) }),
		hung("Sitemaps", func(c *colly.Collector) { extensions.Sitemaps(c, nil, func(sitemap.Found) {}) }),
		hung("Feeds", func(c *colly.Collector) { extensions.Feeds(c, func(sitemap.Found) {}) }),
		hung("Agent", func(c *colly.Collector) { extensions.Agent(c, "shark/1.0", "bot@shark.example") }),
		hung("Metrics", func(c *colly.Collector) { metrics.Metrics(c, prometheus.NewRegistry()) }),
		hung("Progress", func(c *colly.Collector) { extensions.Progress(c, io.Discard, extensions.ProgressConfig{}) }),
	}
}

// recordings are reported beside the others.
func recordings() []addition {
	return []addition{
		one("WARC", func() extensions.Layer { return extensions.WARC(warc.NewWriter(io.Discard), extensions.WARCConfig{}) }),
		hung("JSONLines", func(c *colly.Collector) { extensions.JSONLines(c, io.Discard, extensions.JSONLinesConfig{}) }),
	}
}

// together is many additions as one.
func together(name string, all []addition) addition {
	return addition{name: name,
		layers: func() (layers []extensions.Layer) {
			for _, a := range all {
				if a.layers != nil {
					layers = append(layers, a.layers()...)
				}
			}
			return layers
		},
		hang: func(c *colly.Collector) {
			for _, a := range all {
				if a.hang != nil {
					a.hang(c)
				}
			}
		},
	}
}

// program is a Colly program that fetches pages and parses each once, with additions. It answers how to visit one.
func (a addition) program(t testing.TB, site string) (visit func(n int), end func()) {
	c := colly.NewCollector(colly.AllowURLRevisit())
	end = func() {}
	if a.layers != nil {
		rt := extensions.Transport(c, a.layers()...)
		end = rt.(interface{ CloseIdleConnections() }).CloseIdleConnections
	}
	if a.hang != nil {
		a.hang(c)
	}
	parsed := 0
	c.OnResponse(func(r *colly.Response) {
		if p := pages.Parse(r.Body, r.Request.URL.String(), pages.Options{}); len(p.Links) == 80 {
			parsed++
		}
	})
	return func(n int) {
		before := parsed
		if err := c.Visit(site + "/" + strconv.Itoa(n)); err != nil || parsed == before {
			t.Fatalf("%s: page %d: %v", a.name, n, err)
		}
	}, end
}

// BenchmarkPage: a page fetched from a local server and parsed, with each extension. Server and client are one process,
// so that a page includes what serving it costs (little: its body is ready). Plain pages are measured in turns with it;
// times-plain is the ratio of the cheaper halves of both.
func BenchmarkPage(b *testing.B) {
	site := newSizedSite(b)
	all := append(additions(), together("all", additions()))
	all = append(all, recordings()...)
	all = append(all, together("all and recordings", append(additions(), recordings()...)))
	for _, a := range all {
		b.Run(a.name, func(b *testing.B) {
			plain, with := inTurns(b, site.URL, a, max(2, b.N/pagesOfTurn))
			b.ReportMetric(float64(with.Nanoseconds())/1000, "cpu-µs/page")
			b.ReportMetric(float64(with)/float64(plain), "times-plain")
		})
	}
}

// pagesOfTurn is how many pages are fetched before the other side has its turn.
const pagesOfTurn = 25

// inTurns measures plain pages and pages with an addition in turns.
func inTurns(t testing.TB, site string, a addition, turns int) (plain, with time.Duration) {
	bare, end1 := addition{name: "plain"}.program(t, site)
	full, end2 := a.program(t, site)
	defer end1()
	defer end2()
	var p, w []time.Duration
	for turn := range turns {
		p = append(p, measure(bare, turn*pagesOfTurn))
		w = append(w, measure(full, turn*pagesOfTurn))
	}
	return cheaper(p), cheaper(w)
}

func measure(visit func(int), from int) time.Duration {
	begin := cpu()
	for i := range pagesOfTurn {
		visit(from + i)
	}
	return (cpu() - begin) / pagesOfTurn
}

// cheaper is the mean of the cheaper half.
func cheaper(turns []time.Duration) (mean time.Duration) {
	slices.Sort(turns)
	half := turns[:len(turns)/2]
	for _, d := range half {
		mean += d
	}
	return mean / time.Duration(len(half))
}

// cpu is the processor time this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestExtensionsCostLittle: all extensions together, but for the recordings, add at most 15 % to the processor time of
// fetching and parsing a page. Both are measured in many short turns, and the cheaper half of the turns of each counts:
// what else the machine does can only make a turn dearer.
func TestExtensionsCostLittle(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("a measurement")
	}
	site := newSizedSite(t)
	ratio := 0.0
	for range 16 { // a machine that does much else may mislead; what is really too dear is so each time
		p, a := inTurns(t, site.URL, together("all", additions()), 24)
		ratio = float64(a) / float64(p)
		t.Logf("a page costs %v, with all extensions %v: %.3f", p, a, ratio)
		if ratio <= 1.15 {
			return
		}
	}
	t.Errorf("all extensions make a page cost %.3f of a plain one, want at most 1.15", ratio)
}
