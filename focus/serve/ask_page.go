package serve

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/ask"
)

// askView is what the page shows on which the web is asked.
type askView struct {
	W         words
	Question  // what stands in the form
	Of        []string
	Asked     []askedView // before, the latest first
	Wrong     string      // why a question was not asked
	Busy      *askedView  // the question that is under way
	MostPages int
	MostSecs  int
}

func (s *Server) askPage(w http.ResponseWriter, r *http.Request) error {
	if len(s.o.Ask.Of) == 0 {
		return errNoAsk
	}
	from := r.URL.Query()
	q := Question{Text: from.Get("q"), Of: from.Get("c"), Pages: usualPages, Seconds: usualSeconds}
	return s.showAsk(w, r, http.StatusOK, &askView{Question: q})
}

func (s *Server) showAsk(w http.ResponseWriter, r *http.Request, status int, v *askView) error {
	v.W, v.Of, v.MostPages, v.MostSecs = wordsFor(r), s.o.Ask.Of, ask.MostPages, ask.MostSeconds
	for _, a := range s.questions.list() {
		now, _ := a.now()
		v.Asked = append(v.Asked, now)
	}
	return renderAs(w, r, status, "ask.html", v)
}

// putQuestion asks what a form asks, and leads to the page of its answers.
func (s *Server) putQuestion(w http.ResponseWriter, r *http.Request) error {
	a, err := s.put(w, r)
	if err == nil {
		http.Redirect(w, r, "/ask/"+a.ID, http.StatusSeeOther)
		return nil
	}
	v := &askView{Question: Question{Text: r.PostForm.Get("q"), Of: r.PostForm.Get("c"), Pages: usualPages, Seconds: usualSeconds}, Wrong: err.Error()}
	if a != nil {
		now, _ := a.now()
		v.Busy = &now
	}
	return s.showAsk(w, r, statusOf(w, err), v)
}

// stopAsking ends a question at a button, and shows its page again.
func (s *Server) stopAsking(w http.ResponseWriter, r *http.Request, a *asking) error {
	a.stop()
	http.Redirect(w, r, "/ask/"+a.ID, http.StatusSeeOther)
	return nil
}

// answersView is what the page of a question shows.
type answersView struct {
	W words
	askedView
	s *Server
}

// shownAnswer is an answer as it is shown.
type shownAnswer struct {
	ask.Known
	Page string // the address of the page about it; empty where it is in no collection yet
}

// answerList are answers on a page.
type answerList struct {
	W    words
	List []shownAnswer
}

// Live tells of a question that is under way.
func (v *answersView) Live() bool { return v.State == underWay }

// OfHarvest are the answers that the collection had.
func (v *answersView) OfHarvest() []shownAnswer { return v.shown(v.Known, v.Of) }

// OfWeb are those that were fetched, the best first.
func (v *answersView) OfWeb() []shownAnswer {
	all := slices.Clone(v.Found)
	slices.SortStableFunc(all, func(a, b ask.Known) int { return cmp.Compare(b.Relevance, a.Relevance) })
	return v.shown(all, v.Collection)
}

func (v *answersView) shown(all []ask.Known, in string) []shownAnswer {
	shown := make([]shownAnswer, len(all))
	for i, k := range all {
		k.Title = cmp.Or(strings.TrimSpace(k.Title), k.URL)
		shown[i] = shownAnswer{k, v.s.page(in, k.URL)}
	}
	return shown
}

// Search is the address of a search among the answers.
func (v *answersView) Search() string {
	return "./?" + url.Values{"q": {v.Text}, "c": {v.Collection}}.Encode()
}

// Again is the address of the form with the same question in it.
func (v *answersView) Again() string {
	return "ask?" + url.Values{"q": {v.Text}, "c": {v.Of}}.Encode()
}

// Say is how far the question has come, in words.
func (v *answersView) Say() string {
	switch v.State {
	case underWay:
		return fmt.Sprintf(v.W.T("ask-asking"), v.Pages, v.Seconds)
	case failed:
		return v.W.T("ask-failed")
	}
	said := fmt.Sprintf(v.W.T("ask-"+string(v.State)), v.Fetched, len(v.Found))
	if v.Over != "" {
		said += " " + v.W.T("ask-over")
	}
	return said
}

func (s *Server) answersPage(w http.ResponseWriter, r *http.Request, a *asking) error {
	now, _ := a.now()
	return render(w, r, "answers.html", &answersView{wordsFor(r), now, s})
}

// liveAnswers streams the sections of that page as they are to be shown, until there is no more to tell.
func (s *Server) liveAnswers(w http.ResponseWriter, r *http.Request, a *asking) error {
	said := wordsFor(r)
	shown := map[string]string{}
	return s.told(w, r, a, func(now *askedView) error {
		v, changed := &answersView{said, *now, s}, map[string]any{}
		for _, section := range []string{"asked", "known", "found"} {
			text, err := rendered("answers-"+section, v)
			if err != nil {
				return err
			}
			if shown[section] != text {
				shown[section], changed[section] = text, text
			}
		}
		if err := event(w, "story", changed); err != nil || v.Live() {
			return err
		}
		return event(w, "end", nil)
	})
}

var errNoAsk = errAs{http.StatusForbidden, errors.New("this server does not ask the web: it was started without --ask, or there was no run yet that it could ask for")}
