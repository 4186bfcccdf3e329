// Package ahead works out what is to be known of a page before it has the turn: all that depends on the page alone. Where the
// judge learns while it crawls nothing does, and it is worked out when it is asked for.
package ahead

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Judge is a topic that is settled: what it says of a page depends on the page alone.
type Judge interface {
	Judge(*text.Doc) topic.Judgement
	Meet(links int, texts func(i int) (anchor, before, after string)) *topic.Met
}

// Work is what was worked out of a page; of the zero value nothing was.
type Work struct {
	judged    bool
	judgement topic.Judgement
	met       *topic.Met
	print     *junk.Print
	saying    *Saying
}

// Saying is what a record has of a page's text, and the digest of its bytes.
type Saying struct{ Text, Markdown, Digest string }

// Judge judges a page, and looks for its words in what its links say.
func (w *Work) Judge(t Judge, p *page.Page, d *text.Doc) {
	w.judged, w.judgement = true, t.Judge(d)
	w.met = t.Meet(len(p.Links), func(i int) (anchor, before, after string) {
		l := &p.Links[i]
		return l.Anchor, l.Before, l.After
	})
}

// Keep works out what is asked of a page that was judged relevant, and so may be kept. html is what it says, body its bytes.
func (w *Work) Keep(p *page.Page, html, body []byte) {
	if !w.judgement.Relevant {
		return
	}
	print, saying := junk.PrintOf(html), sayingOf(p, body)
	w.print, w.saying = &print, &saying
}

// Judgement is what a topic says of a page, which it then knows the links of.
func (w *Work) Judgement(t *topic.Topic, d *text.Doc) topic.Judgement {
	if !w.judged {
		return t.Judge(d)
	}
	t.Bring(w.met)
	return w.judgement
}

// Print is what of a page is compared with others.
func (w *Work) Print(html []byte) junk.Print {
	if w.print == nil {
		return junk.PrintOf(html)
	}
	return *w.print
}

// Saying is what a record has of a page.
func (w *Work) Saying(p *page.Page, body []byte) Saying {
	if w.saying == nil {
		return sayingOf(p, body)
	}
	return *w.saying
}

func sayingOf(p *page.Page, body []byte) Saying {
	digest := sha256.Sum256(body)
	return Saying{p.MainText(), p.Markdown(), "sha256:" + hex.EncodeToString(digest[:])}
}
