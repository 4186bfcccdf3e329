package extensions

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/rights"
)

// JSONLinesConfig tunes JSONLines; the zero value is the default.
type JSONLinesConfig struct {
	// Fields adds what it answers to each line: what the program's own callbacks have found.
	Fields  func(*colly.Response) map[string]any
	OnError func(error)      // hears of it when nothing can be written any more; nil is nobody
	Now     func() time.Time // the clock; nil is the wall's
}

type jsonLines struct {
	recording
	fields func(*colly.Response) map[string]any
}

// line is one page. Times are in UTC.
type line struct {
	URL       string           `json:"url"`
	Time      time.Time        `json:"time"`
	Status    int              `json:"status,omitempty"`
	Type      string           `json:"type,omitempty"`
	Charset   string           `json:"charset,omitempty"`
	Bytes     int              `json:"bytes"`
	Cut       string           `json:"cut,omitempty"`
	Trap      string           `json:"trap,omitempty"`
	Duplicate string           `json:"duplicate,omitempty"`
	Item      uint64           `json:"item,omitempty"`
	Via       uint64           `json:"via,omitempty"`
	Score     float32          `json:"score,omitempty"`
	OptOut    *rights.Reserved `json:"opt_out,omitempty"`
	Error     string           `json:"error,omitempty"`
	Fields    map[string]any   `json:"fields,omitempty"`
}

// JSONLines writes one line of JSON for every page, when all of its callbacks have run, and for every request that
// failed. When it cannot be written any more, OnError hears of it and further requests are aborted.
func JSONLines(c *colly.Collector, w io.Writer, o JSONLinesConfig) {
	j := &jsonLines{recording: recording{now: clock(o.Now), tell: o.OnError}, fields: o.Fields}
	c.OnRequest(func(r *colly.Request) {
		if j.failed() != nil {
			r.Abort()
		}
	})
	note := func(r *colly.Response, err error) {
		l := j.line(r)
		if err != nil {
			l.Error = err.Error()
		} else if j.fields != nil {
			l.Fields = j.fields(r)
		}
		j.write(func() error { return writeLine(w, l) })
	}
	c.OnScraped(func(r *colly.Response) { note(r, nil) })
	c.OnError(note)
}

func (j *jsonLines) line(r *colly.Response) *line {
	l := &line{URL: addressOf(r.Request.URL), Time: j.now().UTC(), Status: r.StatusCode, Bytes: len(r.Body)}
	if r.Headers != nil {
		h := *r.Headers
		l.Type, l.Charset = h.Get("Content-Type"), h.Get(CharsetHeader)
		l.Cut, l.Trap, l.Duplicate = h.Get(CutHeader), h.Get(TrapHeader), h.Get(DuplicateHeader)
	}
	if item, ok := ItemOf(r.Ctx); ok {
		l.Item, l.Via, l.Score = item.ID, item.Via, item.Score
	}
	l.OptOut = noteOn(r.Request).optOuts
	return l
}

func writeLine(w io.Writer, l *line) error {
	b, err := json.Marshal(l)
	if err != nil { // it is the program's own fields that JSON cannot hold: the page is still worth its line
		l.Fields, l.Error = nil, err.Error()
		b, err = json.Marshal(l)
	}
	if err != nil {
		return fmt.Errorf("write a line about %q: %w", l.URL, err)
	}
	if _, err := w.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("write a line about %q: %w", l.URL, err)
	}
	return nil
}
