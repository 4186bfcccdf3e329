package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// timed is an answer that may be given a deadline.
type timed struct {
	*httptest.ResponseRecorder
	until time.Time
}

func (w *timed) SetWriteDeadline(t time.Time) error { w.until = t; return nil }

// TestWorkHasTimeAndIsDoneAlone holds that what may take minutes is not cut off after one, and is done once at a time for a run, while
// pages are labelled and searched.
func TestWorkHasTimeAndIsDoneAlone(t *testing.T) {
	began, goOn := make(chan struct{}), make(chan struct{})
	s, _ := taught(t, Options{Steer: Steering{
		Suggest: func(string) ([]Suggestion, error) { return nil, nil }, Take: func(string, string, float64) error { return nil },
		Train: func(string) (float64, error) {
			close(began)
			<-goOn
			return .9, nil
		},
	}})
	trained := make(chan *httptest.ResponseRecorder, 1)
	go func() { trained <- posted(s, "/api/v1/runs/tea", url.Values{"do": {"train"}}) }()
	<-began
	ask := func(method, target, form string) *timed {
		r := httptest.NewRequest(method, "http://127.0.0.1:7700"+target, strings.NewReader(form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := &timed{ResponseRecorder: httptest.NewRecorder()}
		s.ServeHTTP(w, r)
		if time.Until(w.until) < 5*time.Minute {
			t.Errorf("%s %s has no more than %v", target, form, time.Until(w.until))
		}
		return w
	}
	for _, form := range []string{"do=train", "do=winnow", "do=take&term=tea&weight=1"} {
		if w := ask(http.MethodPost, "/api/v1/runs/tea", form); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), errWorking.Error()) {
			t.Errorf("%s, while a judge is trained: %d %s", form, w.Code, w.Body)
		}
	}
	for _, target := range []string{"/api/v1/runs/tea/change", "/api/v1/runs/tea/suggest"} {
		if w := ask(http.MethodGet, target, ""); w.Code != http.StatusConflict {
			t.Errorf("%s, while a judge is trained: %d %s", target, w.Code, w.Body)
		}
	}
	for target, working := range map[string]bool{"/runs/tea/label": false, "/runs/tea/label?change=1": true, "/runs/tea/label?suggest=1": true} {
		if w := ask(http.MethodGet, target, ""); w.Code != http.StatusOK || strings.Contains(w.Body.String(), errWorking.Error()) != working {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	close(goOn)
	if w := <-trained; w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(http.MethodGet, "/api/v1/runs/tea/change", ""); w.Code != http.StatusOK {
		t.Errorf("after the training: %d %s", w.Code, w.Body)
	}
}

// TestSearchDoesNotWaitForLabels holds that pages to label take no place of somebody who searches, and that those who want pages of a
// run which is being read are sent away.
func TestSearchDoesNotWaitForLabels(t *testing.T) {
	s, dir := taught(t, Options{})
	for range atOnce {
		s.busy <- struct{}{}
	}
	if w := got(s, "/runs/tea/label"); w.Code != http.StatusOK {
		t.Fatalf("while others search: %d %s", w.Code, w.Body)
	}
	s.school.lessons[dir].seat <- struct{}{} // it is being read
	gone, leave := context.WithCancel(t.Context())
	leave()
	left := func(r *http.Request) { *r = *r.WithContext(gone) }
	form := url.Values{"do": {"label"}, "address": {"http://daily.test/"}, "relevant": {"yes"}}
	for name, w := range map[string]*httptest.ResponseRecorder{"asking": got(s, "/api/v1/runs/tea/label", left), "labelling": posted(s, "/api/v1/runs/tea", form, left)} {
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

// TestWhatNobodyLooksAtIsForgotten holds that the pages of a run do not stay in memory when nobody looks any more, at any run.
func TestWhatNobodyLooksAtIsForgotten(t *testing.T) {
	s, _ := taught(t, Options{})
	synctest.Test(t, func(t *testing.T) {
		s.serving, s.end = context.WithCancel(t.Context())
		for _, target := range []string{"/runs/tea", "/runs/tea/label"} {
			if w := got(s, target); w.Code != http.StatusOK {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
		}
		go s.forgets()
		remembered := func() int {
			s.school.mu.Lock()
			defer s.school.mu.Unlock()
			s.desk.mu.Lock()
			defer s.desk.mu.Unlock()
			return len(s.school.lessons) + len(s.desk.runs)
		}
		time.Sleep(forgetAfter - time.Second)
		synctest.Wait()
		if remembered() != 2 {
			t.Error("it is forgotten while somebody may look again")
		}
		time.Sleep(forgetAfter / 5)
		synctest.Wait()
		if n := remembered(); n > 0 {
			t.Errorf("%d are there still", n)
		}
		s.end()
	})
}
