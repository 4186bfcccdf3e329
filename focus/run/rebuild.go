package run

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/selection"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Past is a run as its log and its harvest tell it: its links with their trails, how its visits ended, and what that adds up
// to. A page counts as kept where it stands in the harvest; one that the log alone says was kept is visited again.
type Past struct {
	strategy *rank.Strategy
	choose   selection.Order
	links    []recalled // by id, from 1
	judged   map[uint64]topic.Judgement
	kept     harvested
	unlogged []*Decision // pages that stand in the harvest alone
	events   []ledger.Event
	spared   bool            // repetitions are
	names    []string        // of kept pages, by their own word: these are not fetched
	visit    *ledger.Counted // the last
	pages    uint64
	lost     int             // links of which neither log nor harvest says anything
	again    map[uint64]bool // pages that were kept, and stand in the harvest no more
	back     map[uint64]bool // pages that an earlier repair found to be lost, and that stand there again
	began    time.Time
	last     time.Time
}

// recalled is a link; its item has no id where neither log nor harvest knows it.
type recalled struct {
	disk.Rebuilt
	trail rank.Trail
}

// recall reads the log and the harvest of a run. Both can be read through: what could not was taken out of them before.
func recall(dir string, strategy *rank.Strategy, config *crawlfile.Config) (*Past, error) {
	p := &Past{strategy: strategy, choose: selection.OrderOf(strategy.Select, config.RandomSeed), judged: map[uint64]topic.Judgement{},
		again: map[uint64]bool{}, back: map[uint64]bool{}, spared: config.Duplicates == "drop"}
	err := p.kept.read(dir, config)
	if err != nil {
		return nil, err
	}
	err = ReadLog(filepath.Join(dir, FileLog), func(d *Decision) bool { p.hear(d); return true })
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if err := eachLost(dir, p.hearLost); err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(p.kept.byID)) { // pages of whose visits the log says nothing
		r := p.kept.byID[id]
		d := &Decision{Decision: "keep", ID: id, URL: r.URL, Time: r.Time, Status: r.Status, Score: math.NaN(), Relevance: r.Relevance, Title: page.Cut(r.Title, MaxTitle)}
		p.unlogged = append(p.unlogged, d)
		p.end(d, r)
		p.span(r.Time)
	}
	if len(p.links) == 0 {
		p.nothing(dir)
	}
	return p, nil
}

// nothing makes a past of a run of which neither log nor harvest says anything any more: it began, and one link that waits for nothing
// tells so, without which nobody could tell its state from one that is gone.
func (p *Past) nothing(dir string) {
	p.links = make([]recalled, 1)
	if s, err := ReadStanding(dir); err == nil {
		p.span(s.Started)
	}
}

// span takes in when something happened.
func (p *Past) span(at time.Time) {
	if p.began.IsZero() || at.Before(p.began) {
		p.began = at
	}
	if at.After(p.last) {
		p.last = at
	}
}

// hear takes in one line of the log. The line of a visit stands before those of its links.
func (p *Past) hear(d *Decision) {
	p.span(d.Time)
	if d.Decision != "keep" && d.Decision != "drop" && p.visit != nil && d.Via == p.visit.ID {
		p.visit.Links++ // those at least: of links that were known before, the log says nothing
	}
	switch d.Decision {
	case "push", "raise":
		back := p.known(d.ID) && p.links[d.ID-1].State == frontier.Shelved // it was refused, and is not any more
		if p.enter(d); d.Decision == "push" && d.Via != 0 && !back {
			p.events = append(p.events, &ledger.Fresh{Links: 1})
		}
	case "refuse":
		h := fnv.New64a()
		h.Write([]byte(page.LinkTo(d.URL).Identity))
		p.events = append(p.events, &ledger.Refused{Address: h.Sum64(), Reason: d.Reason})
	case "keep", "drop":
		record := p.kept.take(d)
		if d.Decision == "keep" && record == nil && p.kept.lacks() {
			p.visitAgain(d.ID)
			return
		}
		p.end(d, record)
	}
}

// visitAgain has a page that is lost wait before anything new.
func (p *Past) visitAgain(id uint64) {
	if p.again[id] = true; p.known(id) {
		l := &p.links[id-1]
		l.Item.Score, l.Item.Alt = SeedScore, SeedScore
	}
}

// hearLost takes in the visit of a page that was lost to an earlier repair: it stands in the harvest again, or waits still.
func (p *Past) hearLost(d *Decision) {
	if r := p.kept.take(d); r != nil {
		p.end(d, r)
		p.back[d.ID] = true
	} else if p.known(d.ID) && p.links[d.ID-1].State == frontier.Waiting {
		p.visitAgain(d.ID)
	}
}

// known tells of a link that the log has said what it is.
func (p *Past) known(id uint64) bool {
	return 0 < id && id <= uint64(len(p.links)) && p.links[id-1].Item.ID != 0
}

// enter lets a link wait, with the trail that led to it.
func (p *Past) enter(d *Decision) {
	if d.ID == 0 || d.ID > math.MaxUint32 {
		return
	}
	for uint64(len(p.links)) < d.ID {
		p.links = append(p.links, recalled{})
	}
	trail := p.strategy.Root()
	if d.Via != 0 && !p.known(d.Via) { // nobody remembers the page: its distance stands in the hops
		trail.Depth = uint16(len(d.Hops) - strings.Count(d.Hops, string(HopRedirect)))
	} else if d.Via != 0 {
		trail = p.links[d.Via-1].trail
		if !strings.HasSuffix(d.Hops, string(HopRedirect)) { // that waits in the place of the link that led to it
			trail, _ = p.strategy.Follow(&rank.Evidence{Trail: trail, Judgement: p.strategy.Regard(p.judged[d.Via])})
		}
	}
	l := page.LinkTo(d.URL)
	n := Note{Trail: trail, Hops: d.Hops, Anchor: page.OneLine(d.Anchor)}
	item := frontier.Item{ID: d.ID, URL: l.URL, Identity: l.Identity, Host: l.Host, Via: d.Via, Depth: trail.Depth, Numbers: d.Numbers,
		Score: SeedScore, Alt: SeedScore, Note: n.Bytes()}
	if len(d.Numbers) > 0 {
		item.Score, item.Alt = d.Numbers[0], p.strategy.Alt(d.Numbers)
	}
	p.choose(&item, p.pages)
	p.links[d.ID-1] = recalled{disk.Rebuilt{Item: item, State: frontier.Waiting}, trail}
}

// end ends a visit, as the crawl counted it. Where it was kept, its record knows more than the log.
func (p *Past) end(d *Decision, record *sink.Record) {
	if !p.known(d.ID) { // the line by which it entered cannot be read any more
		p.enter(d)
	}
	if !p.known(d.ID) {
		return
	}
	l := &p.links[d.ID-1]
	if l.State = frontier.Finished; d.Reason == admit.RefusedKiller {
		l.State = frontier.Dropped // it may be injected
	} else if d.Reason.Kind() == admit.RefusedTrap {
		l.State = frontier.Shelved
	} else if id, ok := ledger.Request(d.URL); ok {
		p.events = append(p.events, &ledger.Finished{Request: id})
	}
	if d.Reason.Unvisited() {
		p.events = append(p.events, &ledger.Dismissed{Reason: d.Reason})
		return
	}
	p.pages++
	e := &ledger.Counted{ID: d.ID, Host: page.Host(d.URL), Page: !math.IsNaN(d.Relevance), Kept: d.Decision == "keep", Redirect: d.Reason == admit.RefusedRedirect,
		Failed: d.Status >= 400 || d.Reason.Kind() == admit.RefusedFailed, Refused: d.Reason != "", Reason: d.Reason, Bytes: d.Bytes,
		URL: d.URL, Title: d.Title}
	if record != nil {
		d.Relevance, e.URL, e.Title = record.Relevance, record.FinalURL, page.Cut(record.Title, MaxTitle)
		e.Page = !math.IsNaN(d.Relevance)
		if p.spared { // whether it is a list the record does not say
			p.names = append(p.names, page.OtherNames(record.Canonical, record.FinalURL)...)
		}
	}
	if e.Page {
		e.Relevance = d.Relevance
		e.Relevant = e.Kept || d.Relevant()
		p.judged[d.ID] = topic.Judgement{Relevance: d.Relevance, Relevant: e.Kept || d.ofTopic()}
	}
	p.visit = e
	p.events = append(p.events, e)
}

// all are the links in the order of their ids. In the place of one that nobody remembers stands one that waits for nothing:
// the ids of the others are those that log and harvest say.
func (p *Past) all(yield func(disk.Rebuilt) bool) {
	for i, l := range p.links {
		if l.Item.ID == 0 {
			p.lost++
			l.Item, l.State = frontier.Item{ID: uint64(i) + 1, URL: "lost:" + strconv.Itoa(i+1)}, frontier.Dropped
		}
		if !yield(l.Rebuilt) {
			return
		}
	}
}

// Tell lets a ledger that has counted nothing know what has been, as if it had counted it.
func (p *Past) Tell(l *ledger.Ledger) {
	if p.began.IsZero() { // nobody knows: its start pages are visited
		return
	}
	l.Record(&ledger.Planted{Began: p.began})
	for _, e := range p.events {
		l.Record(e)
	}
	l.Name(p.names)
}

// Rebuild makes the state of a run anew from its log and its harvest, and puts it in the place of what is there. Before that the
// visits of lost pages are marked as such in the log, and those written that it has lost: it says the same to a repair that is done again.
func (m *Mended) Rebuild(dir string, strategy *rank.Strategy, config *crawlfile.Config) (*Past, error) {
	state := filepath.Join(dir, FileState)
	fresh := state + ".new"
	if err := os.RemoveAll(fresh); err != nil { // of a repair that was killed: it is made again of the same things
		return nil, fmt.Errorf("repair %s: %w", dir, err)
	}
	files, err := m.trim(dir)
	if err != nil {
		return nil, err
	}
	p, err := recall(dir, strategy, config)
	if err != nil {
		return nil, err
	}
	if err := markLost(dir, p.again, p.back); err != nil {
		return nil, err
	}
	if files[FileLog], err = logAll(dir, p.unlogged); err != nil {
		return nil, err
	}
	if err := disk.Rebuild(fresh, p.all, p.last, files); err != nil {
		return nil, err
	}
	if err := m.replace(state, fresh); err != nil {
		return nil, err
	}
	m.Rebuilt, m.Lost, m.Again, m.Unsaid, m.Links = true, p.lost, len(p.again), p.kept.missing(), len(p.links)
	return p, nil
}
