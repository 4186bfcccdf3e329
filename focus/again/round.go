package again

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/selection"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// What a round leaves below sink.FolderAgain until it is taken in.
const (
	folderRound = run.FolderRound
	folderSince = "since" // what hosts are asked by whether a page has changed
	folderNext  = "next"  // what is to take the place of what is there
	filePlan    = run.FileRound
	fileLinks   = sink.FileLinks
)

// selectAgain lets what a page links to for the first time come before the pages that are visited again, which are start pages.
const selectAgain = "again"

func init() {
	selection.Register(selectAgain, struct{}{}, selection.Rule[struct{}]{Order: func(struct{}, uint64) selection.Order {
		return func(item *frontier.Item, _ uint64) {
			if item.Via == 0 && item.Score >= run.SeedScore {
				item.Tier = 1
			}
		}
	}})
}

// Round is one more visit to the pages of a run: first to its sitemaps and feeds, which tell what has changed, then to the pages in
// their turns. It holds the run folder until it is closed.
type Round struct {
	config  crawlfile.Config
	dir     string // of the run
	below   string // of what is visited again
	folder  *run.Folder
	memory  *memory
	plan    plan
	due     map[string]*known    // by address: what is visited again
	told    map[uint64]time.Time // by key of the address: when it changed, as lists say
	news    []string             // addresses that only a list names
	named   map[string]int       // by host: how many of them were named elsewhere while the lists were read
	notes   *Notes
	orders  run.Orders      // hosts that are asked nothing, and how many pages there are
	goesOn  bool            // it was planned by another process
	entered map[uint64]bool // keys of the links that enter for the first time
}

// plan is who is visited, in order. It is written before anybody is, so that a round that was interrupted is gone on with.
type plan struct {
	Round int       `json:"round"`
	Began time.Time `json:"began"`
	Lists spent     `json:"lists"`           // before the addresses, which may be many: run.ReadOrders reads no further
	Fresh []string  `json:"fresh"`           // addresses that were never visited
	Later []string  `json:"later,omitempty"` // more of them, for which there is no room
	Due   int       `json:"due"`             // pages that might be visited, were there budget for all
	Pages []*known  `json:"pages"`
}

// Open takes up the run of a crawl file to visit its pages again.
func Open(config crawlfile.Config) (*Round, error) {
	s, err := config.LoadStrategy(config.Factors)
	if err != nil {
		return nil, err
	}
	r := &Round{config: config, dir: config.Store, below: filepath.Join(config.Store, sink.FolderAgain), due: map[string]*known{}, told: map[uint64]time.Time{}, named: map[string]int{}, entered: map[uint64]bool{}}
	if err := visitable(&config); err != nil {
		return nil, err
	}
	r.folder, err = run.OpenFolder(r.dir, run.Standing{Name: config.Name, File: config.File, Strategy: s.Name, Fingerprint: s.Fingerprint(), Model: run.DigestOf(config.Topic.Model)})
	if err != nil {
		return nil, err
	}
	err = r.folder.Continue(false, config.YAML(), s)
	if err == nil && r.folder.Before.State != "finished" {
		err = fmt.Errorf("the run in %s is not finished: go on with it without --again first", r.dir)
	}
	if err == nil {
		r.memory, err = remember(r.dir)
	}
	if err == nil {
		err = readJSON(filepath.Join(r.below, filePlan), &r.plan)
	}
	r.goesOn = r.begun()
	if err == nil {
		r.orders, err = run.ReadOrders(r.dir)
	}
	if err == nil {
		err = r.folder.Untell()
	}
	if err != nil {
		return nil, errors.Join(err, r.folder.Close())
	}
	if config.TopicIsSeeds(s) { // they stay what the topic is, and are not what is visited
		r.config.Topic.Examples = config.Seeds
	}
	return r, nil
}

// visitable says why the pages of a crawl cannot be visited again.
func visitable(c *crawlfile.Config) error {
	switch {
	case crawlfile.IsShared(c.Store):
		return errors.New("--again visits the pages of a run folder again, and not yet those of a crawl on Redis, which many machines share: its pages lie in many folders")
	case c.Web != "":
		return fmt.Errorf("--again visits the live web, and %s is a recorded one, which does not change: it is crawled anew with --fresh", c.Web)
	}
	_, err := run.ReadStanding(c.Store)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no run in %s to visit again: crawl it once without --again", c.Store)
	}
	return err
}

// Close lets go of the run.
func (r *Round) Close() error { return errors.Join(r.noted(), r.folder.Close()) }

// noted closes the notes of the crawl that is over.
func (r *Round) noted() (err error) {
	if r.notes != nil {
		err = r.notes.Close()
		r.notes = nil
	}
	return err
}

// GoesOn tells of a round that another process has begun.
func (r *Round) GoesOn() bool { return r.goesOn }

// begun tells of a round that was planned.
func (r *Round) begun() bool { return r.plan.Round > 0 }

// Pages is the crawl of the pages.
func (r *Round) Pages(now time.Time) (crawlfile.Config, error) {
	if !r.begun() {
		fresh, err := r.fresh()
		if err != nil {
			return crawlfile.Config{}, err
		}
		r.make(now, fresh)
		if err := r.afterLists(); err != nil {
			return crawlfile.Config{}, err
		}
		if len(r.plan.Fresh)+len(r.plan.Pages) == 0 {
			return crawlfile.Config{}, r.nothing()
		}
		text, err := json.Marshal(r.plan)
		if err == nil {
			err = os.MkdirAll(r.below, 0o700)
		}
		if err == nil {
			err = whole.Private(filepath.Join(r.below, filePlan), text)
		}
		if err != nil {
			return crawlfile.Config{}, err
		}
	} else if err := r.onward(func(address string, entered bool) {
		if entered {
			r.entered[keyOf(address)] = true
		}
	}); err != nil {
		return crawlfile.Config{}, err
	}
	addresses := slices.Clone(r.plan.Fresh)
	for _, k := range r.plan.Pages {
		addresses = append(addresses, k.URL)
		r.due[k.URL] = r.memory.of[k.ID]
	}
	c, err := r.crawl(addresses, r.plan.Pages)
	r.plan.Lists.addTo(&c.Budget)
	return c, err
}

// make makes the plan: what was never visited, then the pages in their turns, as many as there is budget for.
func (r *Round) make(now time.Time, fresh []string) {
	most := r.most()
	room := len(fresh)
	if most > 0 {
		room = min(room, half(most))
	}
	r.plan = plan{Round: r.memory.Round + 1, Began: now.UTC(), Fresh: fresh[:room], Later: fresh[room:]}
	var due []*known
	var all []Candidate
	for _, k := range r.memory.pages {
		if k.List || !k.Kept && !k.Out && k.leads == 0 || r.isOut(k.URL) || !k.isDue(now, r.told[keyOf(k.URL)]) {
			continue
		}
		worth := k.worth()
		if k.Gone != "" || k.Out {
			worth = max(worth, leastWorth)
			worth *= comesBack
		}
		host, template := Kin(k.URL)
		due = append(due, k)
		all = append(all, Candidate{Past: Past{host, template, k.Looks}, Worth: worth, Seen: k.LastSeen, Told: r.told[keyOf(k.URL)],
			Whole: k.ETag+k.Modified == "" && k.Gone == "" || k.Out})
	}
	r.plan.Due = len(due)
	for _, i := range Turns(all, now, most) {
		if most > 0 && len(r.plan.Pages) >= most {
			break
		}
		r.plan.Pages = append(r.plan.Pages, due[i])
	}
}

// comesBack is how much a visit to a page that is gone, or was taken out, is worth beside one to a page that is there; of one of which
// nobody knows what it was worth it is leastWorth.
const (
	comesBack  = .1
	leastWorth = .1
)

// half is how many of the visits may go to what is new: a site that grows does not keep the others from being seen again.
func half(pages int) int { return max(pages/2, 1) }

// crawl is the crawl of some addresses in a folder of its own. What its host says is as it was is not sent again.
func (r *Round) crawl(addresses []string, pages []*known) (crawlfile.Config, error) {
	c := r.config
	c.Store, c.Seeds, c.Fetch.Since = filepath.Join(r.below, folderRound), addresses, ""
	c.Budget.Relevant, c.Budget.Rounds, c.Budget.Saturation = 0, 0, 0
	c.Learn.From = ""
	c.Sinks = []crawlfile.SinkConfig{{To: "jsonl", Rotate: 1 << 30}}
	for _, s := range r.config.Sinks {
		if s.To == "warc" {
			c.Sinks = append(c.Sinks, s)
		}
	}
	text := "from: " + string(must(json.Marshal(c.Strategy.Name))) + "\n"
	if c.Strategy.Here.Kind() == strict.Map {
		text = ""
	}
	n, err := strict.Parse("the strategy of the round", []byte(text+"select: "+selectAgain+"\n"))
	if err != nil {
		return c, err
	}
	if c.Strategy.Here.Kind() == strict.Map {
		n = n.Over(c.Strategy.Here)
	}
	c.Strategy = crawlfile.StrategyConfig{Here: n}
	since, err := r.since(pages)
	c.Fetch.Since = since
	return c, err
}

func must(b []byte, _ error) []byte { return b } // of a string, which JSON always has

// Offer lets in what is new: what the run knows is visited in its turn, or not at all. What lists name is asked for with the pages, further
// lists among it.
func (r *Round) Offer() focus.Option {
	return focus.Offer(func(address string) bool {
		switch {
		case !r.isNews(address):
			return false
		case !r.begun():
			r.addNamed(address)
			return false
		}
		most, key := r.most(), keyOf(address)
		if most > 0 && !r.entered[key] && len(r.plan.Fresh)+len(r.entered) >= half(most) {
			return false // it waits for the next round
		}
		r.entered[key] = true
		return true
	})
}

// Watch hangs on a crawl what the round has to know of it.
func (r *Round) Watch(c *focus.Crawler, store string) error {
	err := r.noted()
	if err == nil {
		r.notes, err = Note(store)
	}
	if err != nil {
		return err
	}
	c.OnDone(r.notes.Take)
	c.OnDone(func(v *focus.Visit) {
		if v.Refused == admit.RefusedList && !r.begun() {
			r.hear(v)
		}
	})
	return nil
}

// takenIn tells of a round that is part of the run already, and was interrupted before its end.
func (r *Round) takenIn() bool { return r.begun() && r.memory.Round >= r.plan.Round }

// Finished tells whether the crawl of the pages came to its end before.
func (r *Round) Finished() bool {
	if r.takenIn() {
		return true
	}
	s, err := run.ReadStanding(filepath.Join(r.below, folderRound))
	return r.begun() && err == nil && s.State == "finished" && r.pagesBegun()
}

// clean removes what a round has left that is taken in.
func (r *Round) clean() error {
	var errs []error
	for _, name := range []string{folderRound, folderSince, folderNext, filePlan} { // the plan last: until then the round goes on
		errs = append(errs, os.RemoveAll(filepath.Join(r.below, name)))
	}
	return errors.Join(errs...)
}
