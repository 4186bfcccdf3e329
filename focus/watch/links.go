package watch

import (
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/run"
)

// links knows of every link of a run where it waits: the place of its host and its band, or what became of it. It takes four bytes a
// link, because a run may have millions.
type links struct{ parts map[uint64]*[partLinks]uint32 }

const (
	partLinks = 1 << 12
	bandShift = 28
	visited   = 15 << bandShift // from here on: one that does not wait any more, and the place of the reason for which it is not kept
)

// slot is where a link is known; nil where it is not and is not to be.
func (l *links) slot(id uint64, make bool) *uint32 {
	part := l.parts[id/partLinks]
	if part == nil && !make {
		return nil
	}
	if part == nil {
		part = new([partLinks]uint32)
		l.parts[id/partLinks] = part
	}
	return &part[id%partLinks]
}

// Bands of scores: start pages have none and come first, then what lies below 0, ten steps up to 1, and what is above.
const (
	bandStart = iota
	bandBelow
	bandFirst
	bandAbove = bandFirst + 10
	bands     = bandAbove + 1
)

// bandOf is the band of a score.
func bandOf(score float64) int {
	switch {
	case math.IsNaN(score):
		return bandStart
	case score < 0:
		return bandBelow
	case score >= 1:
		return bandAbove
	}
	return bandFirst + int(score*10)
}

// wait lets a link of a host wait in a band, and tells where it waited before. Nothing waits that was visited.
func (w *Watcher) wait(id uint64, score float64, site []byte) {
	at := w.links.slot(id, true)
	if *at >= visited {
		return
	}
	w.leave(*at)
	host, band := w.hostOf(site), bandOf(score)
	*at = uint32(band+1)<<bandShift | host
	w.bands[band]++
	w.hosts[host].Waiting++
	w.waiting++
}

// leave takes a link away from where it waited.
func (w *Watcher) leave(at uint32) {
	if band := at >> bandShift; band > 0 && at < visited {
		w.bands[band-1]--
		w.hosts[at&(1<<bandShift-1)].Waiting--
		w.waiting--
	}
}

// visit takes a link that was visited away; false where it had been before, by a machine that had been given up.
func (w *Watcher) visit(d *run.Decision) (first bool) {
	at := w.links.slot(d.ID, true)
	if *at >= visited && d.ID != 0 && !(w.comesBack(*at) && d.Fetched()) {
		return false
	}
	w.leave(*at)
	if *at = visited; d.Decision != "keep" {
		*at |= w.refusal(d.Reason.Kind()).place
	}
	return true
}

// back takes back that a link was refused for what has turned out to be untrue: it waits again. The logs of several machines are read one
// after the other, and do not tell that.
func (w *Watcher) back(id uint64, address []byte) {
	at := w.links.slot(id, false)
	if at == nil || len(w.tails) > 1 || !w.comesBack(*at) {
		return
	}
	r := w.reasons[*at-visited-1]
	r.Count, r.Pages = r.Count-1, r.Pages-1
	r.Examples = slices.DeleteFunc(r.Examples, func(e Example) bool { return e.URL == string(address) })
	*at = 0
}

// comesBack tells of a link that was refused that it may wait again.
func (w *Watcher) comesBack(at uint32) bool {
	return at > visited && run.ComesBack(w.reasons[at-visited-1].Reason)
}

// refusedAs is for which reason a page that was visited was not kept; nil of one that was. is tells of a page that the crawl itself
// has visited.
func (w *Watcher) refusedAs(id uint64) (r *Refusal, is bool) {
	at := w.links.slot(id, false)
	if at == nil || *at < visited {
		return nil, false
	}
	if place := *at - visited; place > 0 {
		r = w.reasons[place-1]
	}
	return r, true
}

// mostHosts is how many hosts are told apart; what is on others counts together.
const mostHosts = 20_000

// hostOf is the place of a host.
func (w *Watcher) hostOf(site []byte) uint32 {
	if i, ok := w.places[string(site)]; ok {
		return i
	}
	if len(w.hosts) > mostHosts {
		return 0
	}
	name := string(site)
	i := uint32(len(w.hosts))
	w.hosts = append(w.hosts, Host{Host: name})
	w.places[name] = i
	return i
}
