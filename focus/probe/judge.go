// Package probe goes to single pages without a crawl: it reads and judges them as the crawl of that file would. Nothing is
// followed, learned or kept.
package probe

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/pdf"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// Verdict is a page that was read and, unless it was only to be read, judged; and what is to be known of the judge.
type Verdict struct {
	FinalURL  string
	Charset   string // what the bytes were in
	Page      *page.Page
	Doc       *text.Doc
	Judgement topic.Judgement
	Refused   admit.Refused // why a crawl would not judge it
	Notes     []string      // what a person should know before relying on it
	Threshold float64       // the relevance from which the crawl keeps a page
	Err       error         // why the page could not be had, among several
}

// Judge judges pages as the crawl of that file judges them; of a judge that learns, as one that has seen nothing yet. A source
// is an address, asked of the recorded web where the crawl has one, or a file; address is then where the file is said to come
// from. A page that cannot be had is a verdict that says why.
func Judge(config crawlfile.Config, address string, sources ...string) ([]Verdict, error) {
	config.TakeLogins()
	web, err := ground.Open(&config, ground.Options{})
	if err != nil {
		return nil, err
	}
	defer web.Close()
	strategy, err := config.LoadStrategy(config.Factors)
	if err != nil {
		return nil, err
	}
	about, err := Topic(&config, strategy, web)
	if err != nil {
		return nil, err
	}
	verdicts := make([]Verdict, len(sources))
	for i, source := range sources {
		v, body, err := read(&config, web, source, address)
		if v.Err = err; err == nil {
			v.judge(body, about)
		}
		v.Threshold = about.Threshold()
		verdicts[i] = v
	}
	return verdicts, nil
}

// judge says what a crawl would say of a page: one that only a script fills is not judged.
func (v *Verdict) judge(body []byte, about *topic.Topic) {
	if v.Notes = about.Notes(); junk.Shell(body) {
		v.Refused = admit.RefusedScript
		v.Notes = append(v.Notes, string(admit.RefusedScript)+": only a script fills this page, so it cannot be judged, and a crawl does not keep it")
		return
	}
	v.Judgement = about.Judge(v.Doc)
}

// Read reads one page as Judge does, and does not judge it.
func Read(config crawlfile.Config, source, address string) (Verdict, error) {
	config.TakeLogins()
	web, err := ground.Open(&config, ground.Options{})
	if err != nil {
		return Verdict{}, err
	}
	defer web.Close()
	v, _, err := read(&config, web, source, address)
	return v, err
}

// read reads one page, from an address or a file.
func read(config *crawlfile.Config, web *ground.Ground, source, address string) (v Verdict, body []byte, err error) {
	if v.FinalURL = source; crawlfile.IsAddress(source) {
		v.FinalURL = web.Logins.Take(source)
		if body, err = web.Load(v.FinalURL); err != nil {
			return v, nil, fmt.Errorf("page %s: %w", v.FinalURL, err)
		}
	} else if body, err = v.fromFile(source, address); err != nil {
		return v, nil, err
	}
	reading, err := config.PageOptions()
	if err != nil {
		return v, nil, err
	}
	v.Page = page.Parse(body, v.FinalURL, reading)
	v.Doc = study.Document(v.Page)
	return v, body, nil
}

// fromFile reads the body of a page from a file that is said to come from an address.
func (v *Verdict) fromFile(path, address string) ([]byte, error) {
	raw, err := study.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("page %s: there is no such file; give a file, or an address that starts with http:// or https://", path)
	}
	if err != nil {
		return nil, err
	}
	body, name := raw, ""
	switch strings.ToLower(filepath.Ext(path)) {
	case ".pdf":
		if body, err = pdf.HTML(context.Background(), raw); err != nil {
			return nil, fmt.Errorf("page %s: %w", path, err)
		}
	case ".txt":
		body, name = charset.Decode(raw, "")
		body = page.Markup(body)
	default:
		body, name = charset.Decode(raw, "")
	}
	if v.FinalURL = address; address == "" {
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		v.FinalURL = "file://" + strings.TrimPrefix(filepath.ToSlash(path), "//")
	}
	v.Charset = name
	return body, noText(path, raw, name)
}

// noText is what is wrong with a file of pictures, archives or the like, which a crawl would not read either. Letters alone are text, also
// BM and ID3, with which pictures and music begin; and text in UTF-16 has no mark of its own for whoever looks at the bytes alone.
func noText(path string, raw []byte, charset string) error {
	kind := http.DetectContentType(raw)
	signs := http.DetectContentType(append([]byte{' '}, raw[:min(len(raw), 512)]...))
	if strings.EqualFold(filepath.Ext(path), ".pdf") || strings.HasPrefix(kind, "text/") || strings.HasPrefix(charset, "utf-16") ||
		strings.HasPrefix(signs, "text/") && kind != "application/pdf" {
		return nil
	}
	return fmt.Errorf("page %s: this is no page but %s; give HTML, text (.txt) or PDF (.pdf)", path, kind)
}

// Topic makes the topic of a crawl. Example and labelled pages are loaded first.
func Topic(config *crawlfile.Config, strategy *rank.Strategy, web *ground.Ground) (*topic.Topic, error) {
	judged := config.Judged(strategy)
	spec := judged.Spec()
	if err := study.Labelled(config, &spec); err != nil {
		return nil, err
	}
	if err := examples(config, web, &spec); err != nil {
		return nil, err
	}
	t, err := topic.New(spec)
	if err != nil {
		return nil, config.Wrong("topic", err)
	}
	return t, nil
}

// examples loads the example pages: those of the crawl file, each of which must be there, or else, for the judge whose
// source says so, the start pages, of which some may be gone.
func examples(config *crawlfile.Config, web *ground.Ground, spec *topic.Spec) error {
	key, addresses := "topic.examples", config.Topic.Examples
	nothing := len(addresses) == 0 && len(spec.Relevant) == 0 && topic.TraitsOf(spec.Judge).Pages // of words alone no centre can be made
	if nothing {
		key, addresses = "seeds", config.Seeds
	}
	var failed []error
	for i, address := range addresses {
		doc, err := example(web, address)
		if err == nil {
			spec.Examples = append(spec.Examples, doc)
			continue
		}
		at := config.At(fmt.Sprintf("%s[%d]", key, i), "the example page %s cannot be had", address)
		failed = append(failed, fmt.Errorf("%s: %w", at, err))
	}
	if nothing && len(spec.Examples) > 0 {
		return nil
	}
	return errors.Join(failed...)
}

// example loads one example page: a file, or an address.
func example(web *ground.Ground, address string) (*text.Doc, error) {
	var p *page.Page
	switch {
	case !crawlfile.IsAddress(address):
		specimen, err := study.ReadSpecimen(address)
		if err != nil {
			return nil, err
		}
		return specimen.Doc, nil
	case web.Pages != nil:
		var err error
		if p, err = web.Pages.Page(address); err != nil {
			return nil, err
		}
	default:
		body, err := web.Load(address)
		if err != nil {
			return nil, err
		}
		p = page.Parse(body, address, page.Options{})
	}
	return study.Document(p), nil
}
