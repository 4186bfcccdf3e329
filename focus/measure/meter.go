package measure

import (
	"bufio"
	"encoding/csv"
	"io"
	"strconv"
)

// Reading is the state of a crawl after one page.
type Reading struct {
	Page      int // counted from 1
	Relevant  int // pages found so far
	Kept      int
	Waiting   int     // links
	Harvest   float64 // over all pages so far
	Recent    float64 // over the last 500
	Relevance float64 // of this page; NaN where nothing was judged
	Host      string
}

// meterHead is the first line of a meter.csv.
var meterHead = []string{"page", "relevant", "kept", "waiting", "harvest", "recent", "relevance", "host"}

// Meter writes readings as CSV, one line a page.
type Meter struct {
	out *csv.Writer
	buf *bufio.Writer
	row [8]string
}

// NewMeter writes to w, beginning with the names of the columns.
func NewMeter(w io.Writer) (*Meter, error) {
	buf := bufio.NewWriter(w)
	m := &Meter{out: csv.NewWriter(buf), buf: buf}
	return m, m.out.Write(meterHead)
}

// Write writes one reading.
func (m *Meter) Write(r Reading) error {
	number := func(x float64) string {
		if x != x {
			return ""
		}
		return strconv.FormatFloat(x, 'f', 4, 64)
	}
	m.row = [8]string{strconv.Itoa(r.Page), strconv.Itoa(r.Relevant), strconv.Itoa(r.Kept), strconv.Itoa(r.Waiting),
		number(r.Harvest), number(r.Recent), number(r.Relevance), r.Host}
	return m.out.Write(m.row[:])
}

// Flush hands what was written to the writer below.
func (m *Meter) Flush() error {
	m.out.Flush()
	if err := m.out.Error(); err != nil {
		return err
	}
	return m.buf.Flush()
}
