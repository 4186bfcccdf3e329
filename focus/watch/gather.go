package watch

import (
	"math"
	"strings"

	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
)

// take hears of a page of the host.
func (h *Host) take(d *run.Decision, judged, relevant bool) {
	h.Asked++
	h.Last = d.Time
	if judged {
		h.Pages++
	}
	if relevant {
		h.Relevant++
	}
	if failed(d) {
		h.Failed++
		h.Said = d.Reason.Said()
	}
	if d.Status == tooMany {
		h.TooMany++
	}
}

// rest hears that hosts are left alone.
func (w *Watcher) rest(rests []run.Rest) {
	for _, r := range rests {
		if i, known := w.places[r.Host]; known {
			w.hosts[i].Pause, w.hosts[i].Rests = r.Pause, r.Until
		}
	}
}

// memory knows the pages that were judged last, so that a find can name the page that led to it.
type memory struct {
	places map[uint64]int
	pages  []Page
	next   int
}

// Page is a page with its title.
type Page struct {
	id         uint64
	URL, Title string
}

// remembered is how many pages are known by their number.
const remembered = 2048

func (m *memory) add(d *run.Decision) {
	if m.places == nil {
		m.places = map[uint64]int{}
	}
	p := Page{d.ID, d.URL, d.Title}
	if len(m.pages) < remembered {
		m.pages = append(m.pages, p)
		m.places[p.id] = len(m.pages) - 1
		return
	}
	delete(m.places, m.pages[m.next].id)
	m.pages[m.next], m.places[p.id] = p, m.next
	m.next = (m.next + 1) % remembered
}

func (m *memory) of(id uint64) (address, title string) {
	if at, ok := m.places[id]; ok {
		return m.pages[at].URL, m.pages[at].Title
	}
	return "", ""
}

// words are the topic's words on the pages judged.
type words struct {
	pages int
	all   map[string]*word
}

// word is on how many pages a word was. late counts those of late more.
type word struct {
	pages, kept int
	late        float64
	at          int
}

const (
	mostWords = 500
	lateOver  = 200 // pages, over which what is late is counted
)

// fade is what a page counts when another one has come.
const fade = 1 - 1.0/lateOver

func (w *words) take(d *run.Decision, kept bool) {
	if w.all == nil {
		w.all = map[string]*word{}
	}
	w.pages++
	for _, text := range d.Words {
		one := w.all[text]
		if one == nil && len(w.all) >= mostWords {
			continue
		}
		if one == nil {
			one = &word{}
			w.all[text] = one
		}
		one.late = one.late*math.Pow(fade, float64(w.pages-one.at)) + 1
		one.at = w.pages
		if one.pages++; kept {
			one.kept++
		}
	}
}

// share is the part of the late pages that have a word.
func (w *words) share(one *word) float64 {
	late := one.late * math.Pow(fade, float64(w.pages-one.at))
	return late * (1 - fade) / (1 - math.Pow(fade, float64(w.pages)))
}

// mostPicks is how many ways of choosing are told apart.
const mostPicks = 100

// pick counts a page for what chose its link.
func (w *Watcher) pick(d *run.Decision, relevant bool) {
	by := w.chooser(d)
	p := w.picks[by]
	if p == nil && len(w.picks) >= mostPicks {
		return
	}
	if p == nil {
		p = &Pick{By: by}
		w.picks[by] = p
	}
	if p.Pages++; relevant {
		p.Relevant++
	}
}

// StartPage is the chooser of start pages.
const StartPage = "start page"

// chooser is what chose a link: the arm or the lane that its selection names, or the part of the strategy that promised most.
func (w *Watcher) chooser(d *run.Decision) string {
	if d.Via == 0 && len(d.Numbers) == 0 {
		return StartPage
	}
	if d.Chosen != "" {
		by, _, _ := strings.Cut(d.Chosen, ", ")
		by, _, _ = strings.Cut(by, ": ")
		return by
	}
	if w.ran.Strategy == nil { // that of another version
		return w.ran.Standing.Strategy
	}
	return strongest(w.ran.Strategy, d.Numbers)
}

// strongest is the part of a strategy that a score owes most to.
func strongest(s *rank.Strategy, numbers []float32) string {
	nodes := s.Nodes()
	if len(nodes) != len(numbers) || len(nodes) == 0 {
		return s.Name
	}
	best, most := s.Name, math.Inf(-1)
	weights := []float64{}
	for i, n := range nodes {
		weights = append(weights[:min(n.Depth, len(weights))], n.Weight)
		leaf := i+1 == len(nodes) || nodes[i+1].Depth <= n.Depth
		if !leaf || math.IsNaN(float64(numbers[i])) {
			continue
		}
		worth := float64(numbers[i])
		for _, weight := range weights {
			worth *= weight
		}
		if worth > most {
			best, most = n.Name, worth
		}
	}
	return best
}
