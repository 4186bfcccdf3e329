package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/ask"
	"github.com/thresher-crawler/thresher/focus/index"
)

// Asking is how the web is asked a question: by a small crawl that begins at what a collection knows.
type Asking struct {
	Of []string // the names of the collections that may be asked of; empty: the web is not asked
	// Ask shows each answer as it comes: what is known, then what is found. It ends with its context, and says what came of it.
	Ask func(ctx context.Context, q Question, show func(found bool, k ask.Known) error) (Answered, error)
}

// Question is what the web is asked.
type Question struct {
	Of      string `json:"collection"` // the name of a collection
	Text    string `json:"question"`
	Pages   int    `json:"pages"`   // to be fetched at most
	Seconds int    `json:"seconds"` // after which it ends
}

// Answered is what came of a question.
type Answered struct {
	Collection string `json:"answers,omitempty"` // what is searched with the others from now on
	Fetched    int    `json:"fetched"`           // pages, with those of the same question before
	Over       string `json:"over,omitempty"`    // why there is nothing more to be found
}

// How much is fetched for a question that does not say so, how long a question may be, and how many are remembered.
const (
	usualPages, usualSeconds = 60, 60
	longestQuestion          = 300
	mostRemembered           = 100
)

// progress is how far a question has come.
type progress string

const (
	underWay progress = "asking"
	answers  progress = "answered"
	stopped  progress = "stopped"
	failed   progress = "failed"
)

// asking is a question that was asked here.
type asking struct {
	Question
	ID   string
	stop context.CancelFunc

	mu     sync.Mutex
	answer askedView
	moved  chan struct{} // closed when there is more to tell
}

// askedView is what is told of a question.
type askedView struct {
	ID string `json:"id"`
	Question
	State progress `json:"state"`
	Answered
	Failed string      `json:"failed,omitempty"` // why
	Known  []ask.Known `json:"known"`            // the collection had them
	Found  []ask.Known `json:"found"`            // they were fetched now, as they came
}

// now is what is to be told, and what is closed when there is more.
func (a *asking) now() (askedView, <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.answer, a.moved
}

// tell changes what is to be told.
func (a *asking) tell(change func(v *askedView)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(&a.answer)
	close(a.moved)
	a.moved = make(chan struct{})
}

// questions are those that were asked here, the latest first.
type questions struct {
	mu  sync.Mutex
	all []*asking
}

func (q *questions) list() []*asking {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.all)
}

// errBusy says that a question is under way.
var errBusy = errAs{http.StatusConflict, errors.New("another question is being asked: wait for its answer, or stop it")}

// ask begins to ask a question. The same question, while it is under way, is asked once.
func (s *Server) ask(q Question) (*asking, error) {
	s.questions.mu.Lock()
	defer s.questions.mu.Unlock()
	for _, a := range s.questions.all {
		if now, _ := a.now(); now.State == underWay {
			if a.Of == q.Of && strings.EqualFold(a.Text, q.Text) {
				return a, nil
			}
			return a, errBusy
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	a := &asking{Question: q, ID: strconv.FormatInt(time.Now().UnixNano(), 36), stop: stop, moved: make(chan struct{})}
	a.answer = askedView{ID: a.ID, Question: q, State: underWay, Known: []ask.Known{}, Found: []ask.Known{}}
	s.questions.all = append([]*asking{a}, s.questions.all[:min(len(s.questions.all), mostRemembered-1)]...)
	s.work.Go(func() {
		defer stop()
		defer context.AfterFunc(s.serving, stop)()
		s.find(ctx, a)
	})
	return a, nil
}

// find asks the web, and tells what comes.
func (s *Server) find(ctx context.Context, a *asking) {
	got, err := s.o.Ask.Ask(ctx, a.Question, func(found bool, k ask.Known) error {
		a.tell(func(v *askedView) { // what was told before stays as it is: others read it
			if found {
				v.Found = append(slices.Clip(v.Found), k)
			} else {
				v.Known = append(slices.Clip(v.Known), k)
			}
		})
		return nil
	})
	a.tell(func(v *askedView) {
		v.Answered, v.State = got, answers
		switch {
		case ctx.Err() != nil:
			v.State = stopped
		case err != nil:
			v.State, v.Failed = failed, err.Error()
		}
	})
}

// asks tells of a request that would have the web asked.
func asks(r *http.Request) bool {
	path := strings.TrimPrefix(r.URL.Path, "/api/v1")
	return r.Method == http.MethodPost && (path == "/ask" || strings.HasPrefix(path, "/ask/"))
}

// question is what a form asks.
func (s *Server) question(form url.Values) (q Question, err error) {
	q = Question{Text: strings.Join(strings.Fields(form.Get("q")), " "), Of: cmp.Or(form.Get("c"), s.o.Ask.Of[0])}
	q.Pages, err = numberOf(form, "pages", usualPages, 1, ask.MostPages)
	seconds, bad := numberOf(form, "seconds", usualSeconds, 1, ask.MostSeconds)
	q.Seconds, err = seconds, cmp.Or(err, bad)
	n := utf8.RuneCountInString(q.Text)
	switch {
	case n == 0:
		err = misuse("q: what is asked?")
	case n > longestQuestion:
		err = misuse("q: the question has %d characters, want at most %d", n, longestQuestion)
	case !slices.Contains(s.o.Ask.Of, q.Of):
		err = misuse("c: %q may not be asked of; there is %s", q.Of, strings.Join(s.o.Ask.Of, ", "))
	}
	return q, err
}

// put asks what a request asks.
func (s *Server) put(w http.ResponseWriter, r *http.Request) (*asking, error) {
	if err := readForm(w, r); err != nil {
		return nil, err
	}
	q, err := s.question(r.PostForm)
	if err != nil {
		return nil, err
	}
	return s.ask(q)
}

// ofQuestion answers of the question that an address names.
func (s *Server) ofQuestion(answer func(w http.ResponseWriter, r *http.Request, a *asking) error) answering {
	return func(w http.ResponseWriter, r *http.Request) error {
		for _, a := range s.questions.list() {
			if a.ID == r.PathValue("id") {
				return answer(w, r, a)
			}
		}
		return errAs{http.StatusNotFound, errors.New("no such question was asked since the server was started")}
	}
}

func (s *Server) apiAsk(w http.ResponseWriter, r *http.Request) error {
	a, err := s.put(w, r)
	if err != nil {
		return err
	}
	return writeJSON(w, map[string]string{"id": a.ID, "events": "/api/v1/ask/" + a.ID + "/events", "page": "/ask/" + a.ID})
}

func (s *Server) apiQuestions(w http.ResponseWriter, _ *http.Request) error {
	all := []askedView{}
	for _, a := range s.questions.list() {
		now, _ := a.now()
		all = append(all, now)
	}
	return writeJSON(w, map[string]any{"of": append([]string{}, s.o.Ask.Of...), "questions": all})
}

func (s *Server) apiQuestion(w http.ResponseWriter, r *http.Request, a *asking) error {
	now, _ := a.now()
	return writeJSON(w, now)
}

// apiStopAsking ends a question; what was found by then stays.
func (s *Server) apiStopAsking(w http.ResponseWriter, r *http.Request, a *asking) error {
	a.stop()
	return writeJSON(w, map[string]string{"id": a.ID, "said": wordsFor(r).T("done-stopasking")})
}

// apiAnswers streams the answers to a question: an event for each, as it is judged, and one at the end.
func (s *Server) apiAnswers(w http.ResponseWriter, r *http.Request, a *asking) error {
	known, found := 0, 0
	return s.told(w, r, a, func(now *askedView) error {
		for ; known < len(now.Known); known++ {
			if err := event(w, "known", now.Known[known]); err != nil {
				return err
			}
		}
		for ; found < len(now.Found); found++ {
			if err := event(w, "found", now.Found[found]); err != nil {
				return err
			}
		}
		if now.State == underWay {
			return nil
		}
		last := *now
		last.Known, last.Found = nil, nil // they were told
		return event(w, "end", last)
	})
}

// told streams what is to be told of a question until that is all, or until the caller or the server has gone.
func (s *Server) told(w http.ResponseWriter, r *http.Request, a *asking, tell func(now *askedView) error) error {
	leave, err := s.streaming(w)
	if err != nil {
		return err
	}
	defer leave()
	control := http.NewResponseController(w)
	alive := time.NewTicker(15 * time.Second)
	defer alive.Stop()
	for {
		now, moved := a.now()
		if patient(w, 10*time.Second) != nil || tell(&now) != nil || control.Flush() != nil || now.State != underWay {
			return nil
		}
		select {
		case <-r.Context().Done():
			return nil
		case <-s.serving.Done():
			return nil
		case <-moved:
		case <-alive.C:
			if _, err := fmt.Fprint(w, ":\n\n"); err != nil { // so that both sides notice when the other has gone
				return nil
			}
		}
	}
}

// page is the collection of a name that has an address, as a link to what is known of that page.
func (s *Server) page(collection, address string) string {
	if c, err := s.collection(collection); err == nil {
		return linkTo(c, address)
	}
	return ""
}

func linkTo(c *index.Collection, address string) string {
	id, ok := c.Named(address)
	if !ok {
		return ""
	}
	return "page?" + url.Values{"c": {c.Name()}, "id": {strconv.FormatUint(id, 10)}}.Encode()
}
