package focus

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// record is what the sinks are given of a kept page.
func (st *Steps) record(v *Visit) *sink.Record {
	r := &sink.Record{
		ID: v.Item.ID, URL: v.Item.URL, FinalURL: v.FinalURL, Host: v.Item.Host,
		Time: v.Time, Status: v.Status, Type: v.Type, Charset: v.Charset,
		Language: v.Doc.Language, Title: v.Page.Title,
		Description: v.Page.Facts.Description, Author: v.Page.Facts.Author, Date: v.Page.Facts.Date,
		Text: v.Page.MainText(), Markdown: v.Page.Markdown(),
		Relevance: v.Judgement.Relevance, Raw: v.Judgement.Raw,
		Score: float64(v.Item.Score), Why: numbersOf(st.strategy, v.Item.Numbers),
		Depth: int(v.Item.Depth), Trail: st.trail(v), Links: len(v.Page.Links), OptOuts: optOuts(v.OptOut),
		Header: v.Header, Body: v.Body,
	}
	for _, t := range v.Judgement.Terms {
		r.Terms = append(r.Terms, sink.Term{Term: t.Term, Weight: t.Added})
	}
	if v.raw != nil && v.raw.request != nil {
		r.Request, r.Header, r.Body, r.Proto = v.raw.request, v.raw.header, v.raw.body, v.raw.proto
		r.Cut, r.Took = v.raw.cut, v.Took
	}
	if cut := v.Header.Get(wire.CutHeader); cut != "" {
		r.Cut = cut // decoding found more than the wire showed
	}
	digest := sha256.Sum256(r.Body)
	r.Digest, r.Bytes = "sha256:"+hex.EncodeToString(digest[:]), int64(len(r.Body))
	if len(v.Item.Numbers) > 0 {
		r.Score = float64(v.Item.Numbers[0])
	}
	return r
}

// numbersOf zips a score's numbers with the tree they belong to.
func numbersOf(s *rank.Strategy, numbers []float32) []sink.Number {
	nodes := s.Nodes()
	if len(numbers) != len(nodes) {
		return nil
	}
	tree := make([]sink.Number, len(nodes))
	for i, n := range nodes {
		tree[i] = sink.Number{Name: n.Name, Depth: n.Depth, Value: float64(numbers[i])}
	}
	return tree
}

// trail is how the crawl got to a page: its ancestors, the start page first, each with the words of the link that led
// on. It follows the items' ids; a trail is cut after maxHops.
func (st *Steps) trail(v *Visit) []sink.Step {
	if st.can.find == nil {
		return nil
	}
	var steps []sink.Step
	anchor := v.note.Anchor
	for via := v.Item.Via; via != 0 && len(steps) < run.MaxHops; {
		item, state := st.can.find.Get(via)
		if state == frontier.Unknown {
			break
		}
		relevance, _ := st.ledger.Relevance(via)
		steps = append(steps, sink.Step{URL: item.URL, Anchor: anchor, Relevance: float64(relevance)})
		n, err := run.ReadNote(item)
		if err != nil {
			break
		}
		anchor, via = n.Anchor, item.Via
	}
	for i, j := 0, len(steps)-1; i < j; i, j = i+1, j-1 {
		steps[i], steps[j] = steps[j], steps[i]
	}
	return steps
}
