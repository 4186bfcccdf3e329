package again

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sitemap"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// spent is what of a round was for the lists.
type spent struct {
	Last  uint64        `json:"last"` // the number of the last of them
	Pages int           `json:"pages"`
	Bytes int64         `json:"bytes"`
	Time  time.Duration `json:"time"`
}

// Lists is the crawl of the sitemaps and feeds; ok is false where there are none, or the round goes on. That of the pages goes on with it:
// what hosts have asked for meanwhile, and when each may be asked again, holds for both.
func (r *Round) Lists() (c crawlfile.Config, ok bool, err error) {
	if r.begun() {
		return c, false, nil
	}
	if err = os.RemoveAll(filepath.Join(r.below, folderRound)); err != nil { // they are read in one go, or anew
		return c, false, err
	}
	var addresses []string
	var lists []*known
	for _, k := range r.memory.pages {
		if k.List && k.Gone == "" && !r.isOut(k.URL) {
			addresses, lists = append(addresses, k.URL), append(lists, k)
		}
	}
	if len(lists) == 0 {
		return c, false, nil
	}
	if c, err = r.crawl(addresses, lists); err == nil {
		c.Budget.Pages = 2 * len(lists)
	}
	return c, true, err
}

// afterLists writes into the plan how much of the round was for the lists.
func (r *Round) afterLists() error {
	dir := filepath.Join(r.below, folderRound)
	s, err := run.ReadStanding(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil // there are none
	}
	if err != nil {
		return err
	}
	l := &r.plan.Lists
	l.Pages, l.Time = s.Pages, s.Ended.Sub(s.Started)
	return run.ReadLog(filepath.Join(dir, run.FileLog), func(d *run.Decision) bool {
		if l.Last = max(l.Last, d.ID); d.Decision == "keep" || d.Decision == "drop" {
			l.Bytes += d.Bytes
		}
		return true
	})
}

// addTo adds it to the budget of the pages.
func (l *spent) addTo(b *crawlfile.BudgetConfig) {
	if b.Pages > 0 {
		b.Pages += l.Pages
	}
	if b.Bytes > 0 {
		b.Bytes += strict.Size(l.Bytes)
	}
	if b.Time > 0 {
		b.Time += strict.Duration(l.Time)
	}
}

// pagesBegun tells whether the crawl of the pages, of which the lists are the beginning, has begun.
func (r *Round) pagesBegun() bool {
	c, err := (&run.Run{Dir: filepath.Join(r.below, folderRound)}).Config()
	if err != nil {
		return false
	}
	for _, k := range r.plan.Pages {
		return slices.Contains(c.Seeds, k.URL)
	}
	return len(r.plan.Fresh) > 0 && slices.Contains(c.Seeds, r.plan.Fresh[0])
}

// add takes an address that only a list names, or a robots.txt.
func (r *Round) add(address string) {
	r.news = append(r.news, address)
	r.memory.address[keyOf(address)] = true
}

// mostNamed is how many addresses of a host are taken while the lists are read that no list names: a robots.txt may name a thousand
// sitemaps. The others wait for another round.
const mostNamed = 20

// addNamed adds an address that a robots.txt names, or a page to which a list has led.
func (r *Round) addNamed(address string) {
	if host := page.Host(address); r.named[host] < mostNamed {
		r.named[host]++
		r.add(address)
	}
}

// hear takes what a sitemap or a feed says.
func (r *Round) hear(v *focus.Visit) {
	listed, _ := sitemap.Listed(v.Body, v.FinalURL)
	empty := datesItself(listed, v.Time)
	for i := range listed {
		l := &listed[i]
		key := keyOf(l.URL)
		absent, was := r.memory.absent[key]
		switch {
		case r.isNews(l.URL), was && !empty && isNewer(l.Modified, absent, v.Time): // it may have been published since
			delete(r.memory.absent, key)
			r.add(l.URL)
		case !empty && l.Modified.After(r.told[key]):
			r.told[key] = l.Modified
		}
	}
}

// isNewer tells whether what a list says to have changed at a time may be another than it was at a visit; what lies ahead is nothing. Many
// lists say the day alone: it may have been its last minute.
func isNewer(said, visited, now time.Time) bool {
	if said.After(now) {
		return false
	}
	if !said.IsZero() && said.Equal(said.Truncate(day)) {
		said = said.Add(day)
	}
	return said.After(visited)
}

// day is what a list that names no time of day names.
const day = 24 * time.Hour

const (
	manyDated = 5           // addresses of a list
	atOnce    = time.Minute // in which it is made
)

// datesItself tells of a list that gives all its addresses the time at which it was made itself, or the day: that says of none of them that
// it has changed.
func datesItself(listed []sitemap.Found, at time.Time) bool {
	var dated []time.Time
	for i := range listed {
		if m := listed[i].Modified; !m.IsZero() {
			dated = append(dated, m)
		}
	}
	if len(dated) < manyDated {
		return false
	}
	first, last := slices.MinFunc(dated, time.Time.Compare), slices.MaxFunc(dated, time.Time.Compare)
	return last.Sub(first) <= atOnce && at.Sub(last) <= 24*time.Hour
}
