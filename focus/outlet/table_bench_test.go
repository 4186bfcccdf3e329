package outlet

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// BenchmarkHundredThousand is what a table of 100,000 pages of some 3 kB costs: processor time is that of the clock, for one goroutine
// does it all; MB-held is what the heap has taken from the system by the end.
func BenchmarkHundredThousand(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("sail harbour wind 茶 茶园 采摘 keel rope tide regatta buoy mast crew storm calm anchor")
	page := func(i int) *sink.Record {
		var text strings.Builder
		for text.Len() < 3000 {
			text.WriteString(words[r.IntN(len(words))])
			text.WriteByte(' ')
		}
		return &sink.Record{ID: uint64(i), URL: fmt.Sprintf("http://site%d.example/%d.html", i%99, i), Host: "site.example", Title: "Page", Text: text.String(),
			Relevance: r.Float64(), OptOuts: []string{"noarchive (header)"}, Terms: []sink.Term{{Term: "sail", Weight: 1}}}
	}
	for b.Loop() {
		table, err := New("parquet", io.Discard, Options{})
		if err != nil {
			b.Fatal(err)
		}
		for i := range 100_000 {
			if err := table.Encode(page(i)); err != nil {
				b.Fatal(err)
			}
		}
		if err := table.(io.Closer).Close(); err != nil {
			b.Fatal(err)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.Sys)/1e6, "MB-held")
}
