package sitemap

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Bounds of sitemaps: those of the protocol.
const (
	mostEntries      = 50_000
	mostSitemapBytes = 50 << 20
)

// Sitemap is what stands in one sitemap file.
type Sitemap struct {
	Pages []Found
	Files []Found // further sitemaps, where it is an index
	Cut   bool    // there is more than a sitemap may hold

	others []Found // the pages in other languages, with which each repeats the list
}

// Parse reads a sitemap, a sitemap index or a plain list of addresses, gzipped or not, found at an address. What
// can be read of a broken file is answered together with the error.
func Parse(body []byte, at *url.URL) (*Sitemap, error) { return parse(body, at, mostSitemapBytes) }

// parse is Parse of so many bytes, unpacked, at most.
func parse(body []byte, at *url.URL, most int) (*Sitemap, error) {
	var r io.Reader = bytes.NewReader(body)
	if bytes.HasPrefix(body, []byte("\x1f\x8b")) {
		unpacked, err := gzip.NewReader(r)
		if err != nil {
			return &Sitemap{}, fmt.Errorf("sitemap %q: %w", at, err)
		}
		r = unpacked
	}
	body, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	long := len(body) > most
	body = bytes.TrimSpace(bytes.TrimPrefix(body[:min(len(body), most)], []byte("\ufeff")))
	s := &Sitemap{}
	if !bytes.HasPrefix(body, []byte("<")) {
		if long { // half an address is another one
			body = body[:bytes.LastIndexByte(body, '\n')+1]
		}
		s.list(body, at)
	} else if xerr := s.tree(body, at); err == nil {
		err = xerr
	}
	s.addOthers()
	if s.Cut = s.Cut || long; err != nil && !s.Cut {
		return s, fmt.Errorf("sitemap %q: %w", at, err)
	}
	return s, nil
}

// list reads a sitemap that is a text file.
func (s *Sitemap) list(body []byte, at *url.URL) {
	for line := range strings.Lines(string(body)) {
		f := s.entry(at)
		if strings.Contains(line, "://") && f.link(line, nil) {
			f.Listed = f.Host == page.Host(f.From)
			s.add(&s.Pages, f)
		}
	}
}

func (s *Sitemap) entry(at *url.URL) Found {
	return Found{Link: page.Link{Source: page.Sitemap}, From: at.String(), Priority: float32(math.NaN())}
}

func (s *Sitemap) add(to *[]Found, f Found) {
	if len(*to) >= mostEntries {
		s.Cut = true
		return
	}
	*to = append(*to, f)
}

// tree reads a sitemap that is XML: <url> or <sitemap> elements with loc, lastmod and priority inside.
func (s *Sitemap) tree(body []byte, at *url.URL) error {
	d := xmlTokens(bytes.NewReader(body))
	now := s.entry(at)
	prefix := "" // of the entry's element, and of what in it is the entry's own: not image:loc or video:content_loc
	var text texts
	for !s.Cut {
		token, err := d.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			text.take()
			if t.Name.Local == "link" {
				s.other(t.Attr, at)
			}
			if t.Name.Local == "url" || t.Name.Local == "sitemap" {
				now, prefix = s.entry(at), t.Name.Space
			}
		case xml.CharData:
			text.add(t)
		case xml.EndElement:
			if said := text.take(); t.Name.Space == prefix {
				s.close(t.Name.Local, &now, said, at)
			}
		}
	}
	return nil
}

// other takes the link of an entry to the same page in another language. An alternate that names none is the page for small screens.
func (s *Sitemap) other(attrs []xml.Attr, at *url.URL) {
	alternate := strings.EqualFold(valueOf(attrs, "rel"), "alternate") && valueOf(attrs, "hreflang") != ""
	if f := s.entry(at); alternate && len(s.others) < mostEntries && f.link(valueOf(attrs, "href"), at) {
		f.Listed = f.Host == page.Host(f.From)
		s.others = append(s.others, f)
	}
}

// valueOf is the value of an attribute, whatever its prefix.
func valueOf(attrs []xml.Attr, name string) string {
	for _, a := range attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// addOthers adds the pages in other languages that have no entry of their own.
func (s *Sitemap) addOthers() {
	if len(s.others) == 0 {
		return
	}
	known := make(map[string]bool, len(s.Pages))
	for i := range s.Pages {
		known[s.Pages[i].Identity] = true
	}
	for _, f := range s.others {
		if !known[f.Identity] {
			known[f.Identity] = true
			s.add(&s.Pages, f)
		}
	}
	s.others = nil
}

// close takes the text of an element that ends.
func (s *Sitemap) close(name string, now *Found, text string, at *url.URL) {
	switch name {
	case "loc":
		now.link(text, at)
	case "lastmod":
		now.Modified = date(text)
	case "priority":
		if p, err := strconv.ParseFloat(text, 32); err == nil && p >= 0 && p <= 1 {
			now.Priority = float32(p)
		}
	case "url", "sitemap":
		if now.URL != "" {
			to := &s.Files
			if name == "url" {
				to, now.Listed = &s.Pages, now.Host == page.Host(now.From)
			}
			s.add(to, *now)
			*now = s.entry(at)
		}
	}
}
