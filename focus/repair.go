package focus

import (
	"context"
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
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/selection"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Repaired tells what Repair found, and what it made of it.
type Repaired struct {
	run.Mended
	Sound   bool // nothing was damaged, and nothing was changed
	Rebuilt bool // the state was made anew from the log and the harvest

	Links, Waiting int // of the state that was made anew
	Lost           int // links of which neither log nor harvest says anything
	Again          int // pages that were kept, stand in the harvest no more, and are visited again
}

// Repair makes a run that was refused as damaged one that can be gone on with. What cannot be read of its log and of its
// harvest is left out; a state that cannot be read is made anew from both: links, outcomes and trails. What the crawl has
// learned begins again. Whatever is replaced is set aside under a name that says so, and nothing is deleted. A run that is
// sound is left as it is, to the byte.
//
// A repair that was killed is done again: until the new state is in its place, what it is made of does not change.
func Repair(dir string) (done Repaired, err error) {
	running, err := run.IsRunning(dir)
	if err != nil {
		return done, err
	}
	if running {
		return done, fmt.Errorf("a crawl is running in %s; stop it first: thresher stop --run %s", dir, dir)
	}
	_, unreadable := run.ReadStanding(dir)
	if run.Newer(unreadable) || errors.Is(unreadable, os.ErrNotExist) {
		return done, unreadable
	}
	if run.OfMachine(dir) {
		return done, done.mendMachine(dir)
	}
	config, err := (&run.Run{Dir: dir}).WholeConfig()
	if err != nil {
		return done, err
	}
	blank, err := folderless(config) // nothing is changed before it is known that the crawl can be made
	if err != nil {
		return done, err
	}
	defer blank.Close()
	found, err := blank.examine(dir)
	if run.Newer(err) {
		return done, err
	}
	for _, err := range []error{unreadable, err} {
		if err != nil {
			done.Damage = append(done.Damage, err.Error())
		}
	}
	if err := done.MendLines(dir); err != nil {
		return done, err
	}
	if err == nil && unreadable == nil && len(found) == 0 {
		done.Sound = len(done.Damage) == 0
		return done, nil
	}
	done.Damage = append(done.Damage, found...)
	past := &past{}
	if err != nil || len(found) > 0 {
		if past, err = done.rebuild(dir, &config, blank.steps.strategy); err != nil {
			return done, err
		}
	}
	return done, done.settle(dir, config, past)
}

// folderless is a crawl of a config that has no folder, and can be told what a run has learned.
func folderless(c Config) (*Crawler, error) {
	c.Store = ""
	crawler, err := New(context.Background(), c)
	if err != nil {
		return nil, err
	}
	crawler.steps.memory.Serve(crawler.steps.strategy)
	return crawler, nil
}

// examine reads everything in a folder that a run needs to go on, and answers the first thing that cannot be read; or
// which files of results are shorter than the run knows them to be. It changes nothing.
func (c *Crawler) examine(dir string) (short []string, err error) {
	f, err := disk.Examine(filepath.Join(dir, run.FileState), run.SafeBefore(dir))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	restored := f.Restored()
	if restored.Items == 0 && run.HasVisited(dir) {
		return nil, fmt.Errorf("%s: nothing of what was kept there can be read", filepath.Join(dir, run.FileState))
	}
	for id := uint64(1); id <= uint64(restored.Items); id++ {
		if _, _, err := f.Look(id); err != nil {
			return nil, err
		}
	}
	if err := c.rememberAll(restored); err != nil {
		return nil, fmt.Errorf("run folder %s: what was learned cannot be taken back: %w", dir, err)
	}
	for name, length := range restored.Files {
		have, _, err := sink.Whole(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if have < length && !run.Reaches(filepath.Join(dir, name), length) {
			short = append(short, fmt.Sprintf("%s: %d of its %d bytes are whole", filepath.Join(dir, name), have, length))
		}
	}
	return short, nil
}

// mendMachine mends the folder of one machine of a shared crawl, whose state is in Redis.
func (done *Repaired) mendMachine(dir string) error {
	if err := done.MendLines(dir); err != nil || len(done.Damage) > 0 {
		return err
	}
	return fmt.Errorf("%s is the folder of one machine of a shared crawl, and holds nothing to repair; if the crawl refuses it: %s", dir, run.MoveAway(dir))
}

// rebuild makes the state anew and puts it in the place of what is there.
func (done *Repaired) rebuild(dir string, config *Config, strategy *rank.Strategy) (*past, error) {
	state := filepath.Join(dir, run.FileState)
	fresh := state + ".new"
	if err := os.RemoveAll(fresh); err != nil { // of a repair that was killed: it is made again of the same things
		return nil, fmt.Errorf("repair %s: %w", dir, err)
	}
	files, err := done.Trim(dir)
	if err != nil {
		return nil, err
	}
	p, err := recall(dir, strategy, config.RandomSeed)
	if err != nil {
		return nil, err
	}
	if err := disk.Rebuild(fresh, p.all, p.last, files); err != nil {
		return nil, err
	}
	if err := done.Replace(state, fresh); err != nil {
		return nil, err
	}
	done.Rebuilt, done.Lost, done.Again, done.Links = true, p.lost, p.again, len(p.links)
	return p, nil
}

// settle writes down how the run stands, and keeps what it has done as what a crawl goes on with.
func (done *Repaired) settle(dir string, config Config, p *past) error {
	strategy, err := config.LoadStrategy(config.Factors)
	if err != nil {
		return err
	}
	if p.first.IsZero() {
		err = run.ReadLog(filepath.Join(dir, run.FileLog), func(d *run.Decision) bool { p.first = d.Time; return false })
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := run.Stand(dir, run.Standing{Name: config.Name, State: "interrupted", Reason: "repaired", Strategy: strategy.Name,
		Fingerprint: strategy.Fingerprint(), Model: run.DigestOf(config.Topic.Model), Started: p.first}); err != nil {
		return err
	}
	config.Store = dir
	c, err := New(context.Background(), config, func(r *running) { r.repair = true })
	if err != nil {
		return err
	}
	defer c.Close()
	p.tell(c)
	done.Waiting = c.Waiting()
	if err := c.saveAll(); err != nil {
		return err
	}
	return c.folder.End("interrupted", "repaired", c.ledger.Standing(), c.Waiting())
}

// past is a run as its log and its harvest tell it: its links with their trails, how its visits ended, and what that adds up
// to. A page counts as kept where it stands in the harvest; one that the log alone says was kept is visited again.
type past struct {
	strategy    *rank.Strategy
	choose      func(*frontier.Item, uint64)
	links       []recalled // by id, from 1
	judged      map[uint64]topic.Judgement
	kept        map[uint64]*sink.Record // what stands in the harvest, and was not met in the log yet
	numbered    bool                    // the records of the harvest say which link they are
	events      []ledger.Event
	visit       *ledger.Counted // the last
	pages       uint64
	lost, again int
	first, last time.Time
}

// recalled is a link; its item has no id where neither log nor harvest knows it.
type recalled struct {
	disk.Rebuilt
	trail rank.Trail
}

// recall reads the log and the harvest of a run. Both can be read through: what could not was taken out of them before.
func recall(dir string, strategy *rank.Strategy, seed uint64) (*past, error) {
	p := &past{strategy: strategy, choose: selection.OrderOf(strategy.Select, seed), judged: map[uint64]topic.Judgement{}, kept: map[uint64]*sink.Record{}}
	if paths, _ := filepath.Glob(filepath.Join(crawlfile.GlobEscape(dir), "harvest*.jsonl")); len(paths) > 0 {
		p.numbered = true
		for r, err := range sink.Harvest(dir) {
			if err != nil {
				return nil, err
			}
			p.kept[r.ID] = &sink.Record{ID: r.ID, URL: r.URL, FinalURL: r.FinalURL, Title: r.Title, Relevance: r.Relevance, Time: r.Time}
			p.numbered = p.numbered && r.ID != 0
		}
	}
	err := run.ReadLog(filepath.Join(dir, run.FileLog), func(d *run.Decision) bool { p.hear(d); return true })
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(p.kept)) { // pages of which the log says nothing
		if r := p.kept[id]; p.numbered {
			p.enter(&run.Decision{Decision: "push", ID: id, URL: r.URL, Time: r.Time})
			p.end(&run.Decision{Decision: "keep", ID: id, URL: r.URL, Time: r.Time}, r)
		}
	}
	return p, nil
}

// hear takes in one line of the log. The line of a visit stands before those of its links.
func (p *past) hear(d *run.Decision) {
	if p.first.IsZero() {
		p.first = d.Time
	}
	p.last = d.Time
	if d.Decision != "keep" && d.Decision != "drop" && p.visit != nil && d.Via == p.visit.ID {
		p.visit.Links++ // those at least: of links that were known before, the log says nothing
	}
	switch d.Decision {
	case "push", "raise":
		p.enter(d)
		if d.Decision == "push" && d.Via != 0 {
			p.events = append(p.events, &ledger.Fresh{Links: 1})
		}
	case "refuse":
		h := fnv.New64a()
		h.Write([]byte(page.LinkTo(d.URL).Identity))
		p.events = append(p.events, &ledger.TurnedAway{Address: h.Sum64(), Reason: d.Reason})
	case "keep", "drop":
		record := p.kept[d.ID]
		if d.Decision == "keep" && p.numbered && record == nil {
			if p.again++; d.ID <= uint64(len(p.links)) {
				l := &p.links[d.ID-1]
				l.Item.Score, l.Item.Alt = run.SeedScore, run.SeedScore // before anything new
			}
			return
		}
		p.end(d, record)
		delete(p.kept, d.ID)
	}
}

// enter lets a link wait, with the trail that led to it.
func (p *past) enter(d *run.Decision) {
	if d.ID == 0 || d.ID > math.MaxUint32 {
		return
	}
	for uint64(len(p.links)) < d.ID {
		p.links = append(p.links, recalled{})
	}
	trail := p.strategy.Root()
	if d.Via != 0 && d.Via <= uint64(len(p.links)) {
		trail = p.links[d.Via-1].trail
		if !strings.HasSuffix(d.Hops, string(run.HopRedirect)) { // that waits in the place of the link that led to it
			trail, _ = p.strategy.Follow(&rank.Evidence{Trail: trail, Judgement: p.strategy.Regard(p.judged[d.Via])})
		}
	}
	l := page.LinkTo(d.URL)
	n := run.Note{Trail: trail, Hops: d.Hops, Anchor: strings.Join(strings.Fields(d.Anchor), " ")}
	item := frontier.Item{ID: d.ID, URL: l.URL, Identity: l.Identity, Host: l.Host, Via: d.Via, Depth: trail.Depth, Numbers: d.Numbers,
		Score: run.SeedScore, Alt: run.SeedScore, Note: n.Bytes()}
	if len(d.Numbers) > 0 {
		item.Score, item.Alt = d.Numbers[0], p.strategy.Alt(d.Numbers)
	}
	p.choose(&item, p.pages)
	p.links[d.ID-1] = recalled{disk.Rebuilt{Item: item, State: frontier.Waiting}, trail}
}

// end ends a visit, as the crawl counted it. Where it was kept, its record knows more than the log.
func (p *past) end(d *run.Decision, record *sink.Record) {
	if d.ID == 0 || d.ID > uint64(len(p.links)) {
		return
	}
	l := &p.links[d.ID-1]
	if l.Item.ID == 0 {
		p.enter(&run.Decision{ID: d.ID, Via: d.Via, Hops: d.Hops, URL: d.URL, Numbers: d.Numbers, Anchor: d.Anchor})
	}
	if l.State = frontier.Finished; d.Reason == admit.RefusedKiller {
		l.State = frontier.Dropped // it may be injected
	} else if id, ok := requestID(d.URL); ok {
		p.events = append(p.events, &ledger.Finished{Request: id})
	}
	if d.Reason.Unvisited() {
		p.events = append(p.events, &ledger.Dismissed{Reason: d.Reason})
		return
	}
	p.pages++
	e := &ledger.Counted{ID: d.ID, Host: page.Host(d.URL), Page: !math.IsNaN(d.Relevance), Kept: d.Decision == "keep", Redirect: d.Reason == admit.RefusedRedirect,
		Failed: d.Status >= 400 || strings.HasPrefix(string(d.Reason), "failed"), Refused: d.Reason != "", Reason: d.Reason, Bytes: d.Bytes,
		URL: d.URL, Title: d.Title}
	if record != nil {
		d.Relevance, e.URL, e.Title = record.Relevance, record.FinalURL, page.Cut(record.Title, maxTitle)
		e.Page = !math.IsNaN(d.Relevance)
	}
	if e.Page {
		e.Relevance = d.Relevance
		e.Relevant = e.Kept || d.Reason != admit.RefusedWeak && d.Reason != admit.RefusedList
		p.judged[d.ID] = topic.Judgement{Relevance: d.Relevance, Relevant: e.Relevant}
	}
	p.visit = e
	p.events = append(p.events, e)
}

// all are the links in the order of their ids. In the place of one that nobody remembers stands one that waits for nothing:
// the ids of the others are those that log and harvest say.
func (p *past) all(yield func(disk.Rebuilt) bool) {
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

// tell lets a crawl know what has been, as if it had seen it.
func (p *past) tell(c *Crawler) {
	if len(p.links) == 0 {
		return
	}
	c.ledger.Record(&ledger.Planted{Began: p.first})
	for _, e := range p.events {
		c.ledger.Record(e)
	}
}
