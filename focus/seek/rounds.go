package seek

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus/probe"
)

// The search asks in rounds: a round of questions made of the topic's words, then questions made of the best pages so far,
// one at a time, because each may be bettered by what the last one found.

// leastYield is how many new relevant pages a result must bring on the mean of the last two questions, or the engine is
// left: one in ten is about what a crawl from the pages at hand would find by itself.
const leastYield = 0.1

// askEngines asks all engines, until the budget of questions is used up or none is worth asking.
func (s *Search) askEngines(ctx context.Context) error {
	terms := s.prober.Topic().Terms()
	if len(terms) == 0 {
		terms = s.shown()
	}
	if len(s.engines) == 0 {
		return nil
	}
	q := newQueries(terms)
	first := q.first(max(s.options.Queries/2, 1))
	if len(first) == 0 {
		s.trouble("the topic has no words to ask search engines with: give topic.terms or topic.about")
		return nil
	}
	rounds := 1 + s.options.Queries - len(first)
	for round := range rounds {
		asking, feedback := first, round > 0
		if feedback {
			better := q.better(s.order)
			if better == "" {
				better = next(q)
			}
			if asking = []string{better}; better == "" {
				return nil
			}
		}
		if !slices.ContainsFunc(s.engines, func(a *asked) bool { return !a.left() }) {
			return nil
		}
		if err := s.round(ctx, asking, feedback, rounds-round); err != nil {
			return err
		}
	}
	return nil
}

// next is a further question of the topic's own words, where feedback has none.
func next(q *queries) string {
	if more := q.first(1); len(more) > 0 {
		return more[0]
	}
	return ""
}

// keptPages is the part of the pages, one in five, that is kept for the front pages of the sites that were found: they tell
// whether a site is of the topic or only some of its pages.
const keptPages = 5

// round asks every engine some questions, and judges what is new. left is how many rounds there are, this one included.
func (s *Search) round(ctx context.Context, asking []string, feedback bool, left int) error {
	answers, err := s.answers(ctx, asking)
	if err != nil {
		return err
	}
	var fresh [][]*find
	var all []*find
	for i := range answers {
		a := &answers[i]
		found := s.take(a)
		fresh = append(fresh, found)
		all = append(all, found...)
	}
	s.options.Say("asked %s: %d pages nobody had found before", quoted(asking), len(all))
	slices.SortStableFunc(all, byVotes)
	room := max(s.options.Pages-s.options.Pages/keptPages-s.report.Pages, 0)
	share := (room + left - 1) / left
	if left > 1 {
		share = max(share, room/2) // the first questions find most
	}
	if err := s.judge(ctx, all, share, perSite); err != nil {
		return err
	}
	for i := range answers {
		s.weigh(&answers[i], fresh[i], feedback)
	}
	return nil
}

func quoted(asking []string) string {
	if len(asking) == 1 {
		return fmt.Sprintf("“%s”", asking[0])
	}
	return fmt.Sprintf("%d questions", len(asking))
}

// answer is what one engine said to one question.
type answer struct {
	engine  *asked
	query   string
	results []Result
	heard   bool // there was an answer, even if it had nothing in it
}

// answers asks all engines that were not left, page after page until there are enough results.
func (s *Search) answers(ctx context.Context, asking []string) ([]answer, error) {
	var list []answer
	for _, query := range asking {
		for _, a := range s.engines {
			if !a.left() {
				list = append(list, answer{engine: a, query: query})
			}
		}
	}
	open := make([]*answer, len(list))
	for i := range list {
		open[i] = &list[i]
	}
	for number := 0; len(open) > 0; number++ {
		var requests []probe.Request
		whose := map[string]*answer{}
		for _, a := range open {
			request, err := a.engine.ask(a.query, number)
			if err != nil {
				s.leave(a.engine, a.engine.Name+": "+err.Error())
				continue
			}
			whose[request.URL] = a
			request.Waits = func(status int, wait time.Duration) bool { return s.waits(a.engine, status, wait) }
			requests = append(requests, request)
		}
		answers := map[*answer]*probe.Answer{}
		if err := s.prober.Go(ctx, requests, func(v *probe.Answer) { answers[whose[v.Request.URL]] = v }); err != nil {
			return nil, err
		}
		var more []*answer
		for _, a := range open {
			if v := answers[a]; v != nil && s.hear(a, v, number) {
				more = append(more, a)
			}
		}
		open = more
	}
	return list, nil
}

// mostWaited is how long a search waits for an engine in all. Each wait counts as one of leastWaited at least: an engine that says at once,
// again and again, is not asked for ever.
const (
	mostWaited  = 5 * time.Minute
	leastWaited = 10 * time.Second
)

// waits tells whether an engine that is busy is waited for, and says so.
func (s *Search) waits(a *asked, status int, wait time.Duration) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.waited += max(wait, leastWaited); a.waited > mostWaited {
		return false
	}
	s.options.Say("%s is busy (%d): it is asked again in %v, as it says", a.Name, status, wait)
	return true
}

// hear takes the results of one page of an answer; it tells whether there may be more worth having.
func (s *Search) hear(a *answer, v *probe.Answer, number int) (more bool) {
	if a.engine.left() || errors.Is(v.Err, probe.ErrTwice) {
		return false
	}
	results, err := a.engine.read(v)
	if errors.Is(err, errNothing) && (number > 0 || a.engine.report.Results > 0) {
		err = nil // further pages, and rare words, may have nothing
	}
	if errors.Is(err, errNothing) {
		err = &Refusal{a.engine.Name, errNothing.Error(), "its page may have changed: compare result and link in " + a.engine.place() + " with the source of " + a.engine.shown(v.FinalURL)}
	}
	if err != nil {
		s.leave(a.engine, err.Error())
		return false
	}
	a.heard = true
	a.engine.report.Results += len(results)
	a.results = append(a.results, results...)
	if n := s.options.Results; len(a.results) >= n {
		a.results = a.results[:n]
		return false
	}
	return len(results) > 0 && number+1 < a.engine.Pages
}

// take notes the results of an answer, and answers those that nobody had found before.
func (s *Search) take(a *answer) []*find {
	var fresh []*find
	own := family(hostOf(a.engine.Address))
	for i, r := range a.results {
		if family(hostOf(r.URL)) == own {
			continue // the engine speaks of itself
		}
		f, isNew := s.found(r.URL, Evidence{Kind: "search", Engine: a.engine.Name, Query: a.query, Rank: i + 1, URL: r.URL, Anchor: r.Title})
		if isNew {
			fresh = append(fresh, f)
		}
	}
	return fresh
}

// weigh notes what a question brought, and leaves an engine whose yield has dropped.
func (s *Search) weigh(a *answer, fresh []*find, feedback bool) {
	if !a.heard {
		return
	}
	r := QueryReport{Engine: a.engine.Name, Query: a.query, Feedback: feedback, Results: len(a.results), New: len(fresh)}
	judged := 0
	for _, f := range fresh {
		if f.visited {
			judged++
		}
		if f.relevant {
			r.Relevant++
		}
	}
	if len(a.results) > 0 {
		r.Yield = float64(r.Relevant) / float64(len(a.results))
	}
	s.report.Queries = append(s.report.Queries, r)
	a.engine.report.Queries++
	if len(fresh) > 0 && judged == 0 {
		return // nobody could look: that says nothing of the engine
	}
	a.engine.yields = append(a.engine.yields, r.Yield)
	if n := len(a.engine.yields); feedback && n >= 2 && (a.engine.yields[n-1]+a.engine.yields[n-2])/2 < leastYield && !a.engine.left() {
		a.engine.report.Left = "its last two questions brought hardly anything new"
		s.options.Say("%s: %s", a.engine.Name, a.engine.report.Left)
	}
}
