package watch

import (
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
)

// silent is how old what Redis said may be before it counts as away.
const silent = 5 * time.Second

// late is after which time the lines of a visit that has ended are there, if the machine's folder is.
const late = 5 * time.Second

// idle is after which time without a look what was heard before it is too old to be told of now: other machines went on meanwhile.
const idle = 3 * late

// Join hears how a crawl that machines share stands for all of them. nil says nothing.
func (w *Watcher) Join(t *run.Together) {
	if n := len(w.together); t == nil || n > 0 && w.together[n-1].At.Equal(t.At) {
		return
	}
	w.rest(t.Rests)
	w.together = append(w.together, *t)
	for len(w.together) > 1 && t.At.Sub(w.together[1].At) >= late {
		w.together = w.together[1:]
	}
}

// Told is the state of a run, of which all machines were told something.
func (s State) Told(t *run.Together) State {
	if t == nil || s != Running {
		return s
	}
	switch t.Command {
	case frontier.Pause:
		return Paused
	case frontier.Stop:
		return Stopping
	}
	return s
}

// addTogether adds to a story what is known of all machines.
func (w *Watcher) addTogether(s *Story) {
	n := len(w.together)
	if n == 0 {
		return
	}
	now := &w.together[n-1]
	s.Run.State, s.Run.Away = s.Run.State.Told(now), time.Since(now.At) > silent
	s.Waiting.Links = now.Waiting
	if before := &w.together[0]; now.At.Sub(before.At) >= late {
		elsewhere := max(0, before.Ended-w.visits)
		if now.At.Sub(before.At) > idle {
			elsewhere = max(elsewhere, w.elsewhere)
		}
		w.elsewhere = elsewhere
	}
	s.Run.Elsewhere = w.elsewhere
}
