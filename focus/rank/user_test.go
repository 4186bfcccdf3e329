package rank_test

import (
	"fmt"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// around is a factor of a program of its own that reads what Memory knows around a link.
type around struct{ ask func(rank.Trace) rank.Tally }

func (a around) Score(e *rank.Evidence) float64 { return a.Recall(e.Trace()) }
func (a around) Recall(t rank.Trace) float64    { return a.ask(t).Share() }

func TestAFactorOfOnesOwnReadsMemory(t *testing.T) {
	asks := map[string]func(rank.Trace) rank.Tally{
		"block": rank.Trace.Block, "page": rank.Trace.Page, "path": rank.Trace.Path, "shape": rank.Trace.Shape, "host": rank.Trace.Host, "all": rank.Trace.All,
		"first":  func(t rank.Trace) rank.Tally { return t.Directory(1) },
		"second": func(t rank.Trace) rank.Tally { return t.Directory(2) },
		"third":  func(t rank.Trace) rank.Tally { return t.Directory(3) },
	}
	p := &page.Page{URL: "http://a.example/", Blocks: []page.Block{{Parent: -1}}}
	for i := range 3 {
		p.Links = append(p.Links, page.Link{URL: fmt.Sprintf("http://b.example/x/y/z/%d.html", i), Order: int32(i)})
	}
	for name, ask := range asks {
		mine := rank.NewRegistry()
		rank.Register(mine, "around", "what became of the links around", struct{}{}, func(struct{}) (rank.Factor, error) { return around{ask}, nil })
		s, err := rank.Load("mine.yaml", []byte("rank: {use: around}"), mine)
		if err != nil {
			t.Fatal(err)
		}
		m := rank.NewMemory()
		for i := range p.Links {
			e := &rank.Evidence{Page: p, Link: &p.Links[i], Parent: 1, Memory: m}
			s.Score(e, nil)
			m.Linked(uint64(10+i), e)
		}
		m.Fetched(10, 1, true, 256)
		m.Fetched(11, 0, false, 256)
		if numbers, ok := s.Rescore(12, m); !ok || numbers[0] != 0.5 {
			t.Errorf("%s: scored again %v, want half of the links around", name, numbers)
		}
	}
}

// pageAbout is a page of links with words, and a topic they can be compared with.
func pageAbout(t *testing.T) (*topic.Topic, *page.Page) {
	tea, err := topic.New(topic.Spec{Language: "en", Terms: []topic.Term{{Term: "tea", Weight: 1}, {Term: "harvest", Weight: 1}},
		Judge: "bm25", Content: "whole", Calibrate: "on", Threshold: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	p := page.Parse([]byte(`<html><body><ul><li><a href="/1">tea harvest</a></li><li><a href="/2">football</a></li>
<li><a href="/3"><img src="x.png"></a></li></ul><p>The tea of this year, <a href="/4">it is said</a>, was a good harvest.</p></body></html>`),
		"http://a.example/", page.Options{})
	if len(p.Links) != 4 {
		t.Fatalf("%d links", len(p.Links))
	}
	return tea, p
}

func TestEvidenceComparesWordsWithTheTopic(t *testing.T) {
	tea, p := pageAbout(t)
	var anchors, around, blocks []float64
	for _, m := range []*rank.Memory{nil, rank.NewMemory()} {
		e := rank.Evidence{Topic: tea, Page: p, Memory: m}
		for i := range p.Links { // one evidence for all links
			e.Link = &p.Links[i]
			anchors, around, blocks = append(anchors, e.AnchorSim()), append(around, e.ContextSim(10)), append(blocks, e.BlockSim())
		}
	}
	if !(anchors[0] > 0.9) || anchors[1] != 0 || anchors[2] == anchors[2] || anchors[3] != 0 {
		t.Errorf("anchors %v, want about 1, 0, none, 0", anchors[:4])
	}
	if !(around[3] > 0.9) {
		t.Errorf("around the last link %v, want about 1", around[3])
	}
	if p.Links[0].Block == p.Links[2].Block && !(0.2 < blocks[0] && blocks[0] < 0.4) {
		t.Errorf("block %v, want a third: a link without words counts as 0", blocks[0])
	}
	for i := range 4 {
		if same := fmt.Sprint(anchors[i], around[i], blocks[i]) == fmt.Sprint(anchors[i+4], around[i+4], blocks[i+4]); !same {
			t.Errorf("link %d is told apart by where its page is worked out", i)
		}
	}
}

func TestResetForgetsWhatWasWorkedOut(t *testing.T) {
	tea, p := pageAbout(t)
	for _, m := range []*rank.Memory{nil, rank.NewMemory()} {
		e := rank.Evidence{Topic: tea, Page: p, Link: &p.Links[0], Memory: m}
		before := e.AnchorSim()
		p.Links[0].Anchor = "football"
		if e.AnchorSim() != before {
			t.Error("the words were compared twice")
		}
		e.Reset()
		if have := e.AnchorSim(); have != 0 {
			t.Errorf("after a reset the changed anchor is worth %v, want 0", have)
		}
		p.Links[0].Anchor = "tea harvest"
	}
}
