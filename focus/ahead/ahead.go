// Package ahead works out what is to be known of a page before it has the turn: all that depends on the page alone. Where the
// judge learns while it crawls nothing does, and it is worked out when it is asked for.
package ahead

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Judge is a topic that is settled: what it says of a page depends on the page alone.
type Judge interface {
	Judge(*text.Doc) topic.Judgement
	JudgeBlock(d *text.Doc, block int) topic.Judgement
	With(*topic.Met) *topic.Topic
	Meet(links int, texts func(i int) (anchor, before, after string)) *topic.Met
}

// Work is what was worked out of a page; of the zero value nothing was.
type Work struct {
	judged    bool
	judgement topic.Judgement
	met       *topic.Met
	print     *junk.Print
	shows     uint64 // of a page that is not relevant; 0 where that is not known
	record    *sink.Record
	seen      *sink.Seen
	links     *rank.Ahead
	blocks    map[int32]topic.Judgement // those that a factor has asked about
}

// Attempt works something out. What panics, as a program's own judge or factor may, is left until it is asked for.
func (w *Work) Attempt(do func()) {
	defer func() {
		if recover() != nil {
			*w = Work{}
		}
	}()
	do()
}

// Judge judges a page, and looks for its words in what its links say.
func (w *Work) Judge(t Judge, p *page.Page, d *text.Doc) {
	w.judged, w.judgement = true, t.Judge(d)
	w.met = t.Meet(len(p.Links), func(i int) (anchor, before, after string) {
		l := &p.Links[i]
		return l.Anchor, l.Before, l.After
	})
	if !w.judgement.Relevant {
		w.shows = junk.ShownBy(p)
	}
}

// Rank works out what a strategy can say of those links of a page that are wanted. e is what is known of the page.
func (w *Work) Rank(s *rank.Strategy, t Judge, d *text.Doc, e rank.Evidence, wanted func(link int) bool) {
	if !w.judged {
		return
	}
	e.Topic, e.Judgement, e.Block = t.With(w.met), s.Regard(w.judgement), w.Blocks(s, t, d)
	w.links = s.Ahead(e, wanted)
}

// Links are what is known of the links of a page; nil where nothing was worked out.
func (w *Work) Links() *rank.Ahead { return w.links }

// Blocks judges blocks of a page when a factor asks, each once.
func (w *Work) Blocks(s *rank.Strategy, t Judge, d *text.Doc) func(int32) topic.Judgement {
	if w.blocks == nil {
		w.blocks = map[int32]topic.Judgement{}
	}
	return func(block int32) topic.Judgement {
		j, ok := w.blocks[block]
		if !ok {
			j = s.Regard(t.JudgeBlock(d, int(block)))
			w.blocks[block] = j
		}
		return j
	}
}

// Keep works out what is asked of a page that was judged relevant, and so may be kept, or is wanted for a second look. html is
// what it says, address where it stands, record what is known of it so far, and via the page that its link stands on.
func (w *Work) Keep(a *sink.Ahead, p *page.Page, html []byte, address string, record func(topic.Judgement) *sink.Record, via func() string) {
	looks := a.Looks(w.judgement.Relevance, address)
	if !w.judgement.Relevant && !looks {
		return
	}
	w.record = record(w.judgement)
	from := ""
	if w.judgement.Relevant {
		print := printOf(html, w.record.Saying(), p)
		w.print, from = &print, via()
	}
	if a.Make(w.record, w.judgement.Relevant, from); looks {
		w.seen = seenOf(p, w.record)
		w.seen.Ahead()
	}
}

// Forget leaves of what was worked out what a page is: a program may change what is thought of it, and of its links.
func (w *Work) Forget() { *w = Work{print: w.print} }

// Judgement is what a topic says of a page, which it then knows the links of.
func (w *Work) Judgement(t *topic.Topic, d *text.Doc) topic.Judgement {
	if !w.judged {
		return t.Judge(d)
	}
	t.Bring(w.met)
	return w.judgement
}

// Print is what of a page is compared with others.
func (w *Work) Print(html []byte, p *page.Page) junk.Print {
	if w.print == nil {
		return printOf(html, p.Saying(), p)
	}
	return *w.print
}

// Shows is what of a page that is not relevant is compared with others.
func (w *Work) Shows(p *page.Page) uint64 {
	if w.shows == 0 {
		return junk.ShownBy(p)
	}
	return w.shows
}

func printOf(html []byte, saying string, p *page.Page) junk.Print {
	print := junk.PrintOf(html, saying)
	print.Shows = p.Shows()
	return print
}

// Record is the record of a page, if one was worked out and the page is still said to be fetched at that time; nil otherwise.
func (w *Work) Record(fetched time.Time) *sink.Record {
	if w.record == nil || !w.record.Time.Equal(fetched) {
		return nil
	}
	return w.record
}

// Done says that the page has been written, where it is to be: what was made for that is gone.
func (w *Work) Done() {
	if w.record != nil {
		w.record.Unmake()
	}
}

// Leave gives up what was worked out of the links of a page, when they have been pushed.
func (w *Work) Leave() {
	w.links.Leave()
	w.links = nil
}

// Seen is what a second look needs of a page beside its record, and the record. The last so many addresses of its trail only sent us on,
// and links call the page by them, too.
func (w *Work) Seen(p *page.Page, r *sink.Record, kept, near bool, sent int) *sink.Seen {
	if w.seen == nil {
		w.seen = seenOf(p, r)
	}
	w.seen.Record, w.seen.Kept, w.seen.Near = r, kept, near
	for _, step := range r.Trail[max(len(r.Trail)-sent, 0):] {
		called(w.seen, step.URL)
	}
	return w.seen
}

func seenOf(p *page.Page, r *sink.Record) *sink.Seen {
	seen := &sink.Seen{Record: r, Links: make([]sink.Pointer, len(p.Links))}
	for i := range p.Links {
		l := &p.Links[i]
		seen.Links[i] = sink.Pointer{To: sink.Key(l.Identity), Block: l.Block, Anchor: l.Anchor}
	}
	called(seen, r.URL)
	called(seen, r.FinalURL)
	for _, own := range page.OtherNames(r.Canonical, r.FinalURL) {
		called(seen, own)
	}
	return seen
}

// called says that links may call a page by an address, be it with a slash at its end or without: where a host leads all of the one kind
// to the other nobody asks there any more.
func called(seen *sink.Seen, address string) {
	identity, err := page.Canonical(address)
	if err != nil {
		return
	}
	names := []string{identity, identity + "/"}
	if bare, slash := strings.CutSuffix(identity, "/"); slash {
		names[1] = bare
	} else if strings.Contains(identity, "?") {
		names = names[:1]
	}
	for _, name := range names {
		if key := sink.Key(name); !slices.Contains(seen.Keys, key) {
			seen.Keys = append(seen.Keys, key)
		}
	}
}

// Tell writes into a record what a page says, and what its bytes are.
func Tell(r *sink.Record, p *page.Page) {
	digest := sha256.Sum256(r.Body)
	r.Text, r.Markdown, r.Digest, r.Bytes = p.MainText(), p.Markdown(), "sha256:"+hex.EncodeToString(digest[:]), int64(len(r.Body))
}
