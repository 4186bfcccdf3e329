package study

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/pdf"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// Specimen is a page outside of a crawl: one that a judge learns from, or that a person labels.
type Specimen struct {
	Address string // or the path of a file
	Title   string
	Doc     *text.Doc
	Bare    bool    // nothing but its main text is known
	Anchors float64 // the share of its text that stands in links; not known where it is bare
}

// harvestSpecimen is a page of which its title, its description and its main text are known.
func harvestSpecimen(r *sink.Record) Specimen {
	d := &text.Doc{Language: r.Language}
	for _, s := range []text.Segment{{Text: r.Title, Position: text.Title}, {Text: r.Description, Position: text.Meta}, {Text: r.Text}} {
		if s.Text != "" {
			d.Segments = append(d.Segments, s)
		}
	}
	return Specimen{Address: r.FinalURL, Title: r.Title, Doc: d, Bare: true}
}

// maxFile is how much of a file is read: what is named by mistake may be a device, or a film.
const maxFile = 10 << 20

// ReadFile reads a file, up to maxFile bytes of it. What is longer is cut off there without a word.
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile))
}

// ReadSpecimen reads a page from a file: HTML, plain text where its name ends in .txt, or PDF where it ends in .pdf.
func ReadSpecimen(path string) (Specimen, error) {
	raw, err := ReadFile(path)
	if err != nil {
		return Specimen{}, err
	}
	var body []byte
	if strings.EqualFold(filepath.Ext(path), ".pdf") {
		if body, err = pdf.HTML(context.Background(), raw); err != nil {
			return Specimen{}, fmt.Errorf("%s: %w", path, err)
		}
	} else {
		body, _ = charset.Decode(raw, "")
	}
	if strings.EqualFold(filepath.Ext(path), ".txt") {
		return plainSpecimen(path, string(body)), nil
	}
	p := page.Parse(body, "file://"+filepath.ToSlash(path), page.Options{})
	return pageSpecimen(path, p), nil
}

func pageSpecimen(address string, p *page.Page) Specimen {
	return Specimen{Address: address, Title: p.Title, Doc: Document(p), Anchors: p.HubRatio}
}

// plainSpecimen is a page of which there is nothing but text; its first line stands for a title where people see it.
func plainSpecimen(path, body string) Specimen {
	first, _, _ := strings.Cut(strings.TrimSpace(body), "\n")
	d := &text.Doc{Language: text.Detect(page.Cut(body, 2000), ""), Segments: []text.Segment{{Text: body}}}
	return Specimen{Address: path, Title: page.Cut(strings.TrimSpace(first), 200), Doc: d, Bare: true}
}
