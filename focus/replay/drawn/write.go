package drawn

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// drawnOn is the day all drawn webs were recorded.
var drawnOn = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// writePages writes the web's answers: each site's robots.txt, then its pages.
func (w *drawing) writePages(name string) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	buf := bufio.NewWriterSize(f, 1<<20)
	out, err := warc.NewWriterLevel(buf, 9)
	if err != nil {
		return err
	}
	if _, err := out.Write(&warc.Record{
		Type: "warcinfo", Date: drawnOn, Body: []byte("software: thresher\r\nformat: WARC File Format 1.1\r\ndescription: a drawn web\r\n"),
		Header: http.Header{"Content-Type": {"application/warc-fields"}},
	}); err != nil {
		return err
	}
	for i, s := range w.sites {
		if s.robots == "" {
			continue
		}
		if _, err := out.Write(response(s, "/robots.txt", "text/plain", []byte(s.robots), i)); err != nil {
			return err
		}
	}
	for _, p := range w.pages {
		if err := w.writePage(out, p); err != nil {
			return err
		}
	}
	return buf.Flush()
}

func (w *drawing) writePage(out *warc.Writer, p *drawn) error {
	c := charsets[p.site.charset]
	body, err := c.encode(w.render(p))
	if err != nil {
		return fmt.Errorf("%s: %w", p.address(), err)
	}
	media := "text/html"
	if c.header != "" {
		media += "; charset=" + c.header
	}
	_, err = out.Write(response(p.site, p.path, media, body, p.n))
	return err
}

func response(s *site, path, media string, body []byte, n int) *warc.Record {
	server := []string{"nginx", "Apache/2.4", "Microsoft-IIS/6.0"}[s.layout]
	head := fmt.Sprintf("HTTP/1.1 200 OK\r\nServer: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", server, media, len(body))
	return &warc.Record{
		Type: "response", Target: s.scheme + "://" + s.host + path, Date: drawnOn.Add(time.Duration(n) * time.Second),
		Body: append([]byte(head), body...),
		Header: http.Header{
			"Content-Type": {"application/http;msgtype=response"}, replay.TookField: {strconv.Itoa(s.latency + n*7919%40)},
		},
	}
}

func (w *drawing) labels() []byte {
	var b bytes.Buffer
	for _, p := range w.pages {
		topic := "general"
		if p.topic != nil {
			topic = p.topic.name
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", p.address(), topic, p.kind, p.site.t.code)
	}
	return b.Bytes()
}

// redirects are the old addresses that links still use, and a few that none does: one of them leads to another.
func (w *drawing) redirects() []byte {
	lines := [][2]string{{w.sites[0].scheme + "://" + w.sites[0].host + "/default.htm", w.sites[0].home.alias}}
	for _, p := range w.pages {
		if p.alias != "" {
			lines = append(lines, [2]string{p.alias, p.address()})
		}
	}
	lines = append(lines, w.extra...)
	slices.SortFunc(lines, func(a, b [2]string) int { return bytes.Compare([]byte(a[0]), []byte(b[0])) })
	var b bytes.Buffer
	for _, l := range lines {
		b.WriteString(l[0] + "\t" + l[1] + "\n")
	}
	return b.Bytes()
}
