package serve

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// Steering is how crawls are told what to do: as the commands tell them. Each takes the folder of a run.
type Steering struct {
	Tell   func(dir string, what frontier.Command) error
	Inject func(dir string, addresses []string) (run.Injected, error)
	Block  func(dir string, hosts []string, again bool) (running bool, err error) // running: a crawl hears it at once
	Raise  func(dir string, pages int, more bool) (running bool, err error)

	Winnow  func(dir string) (kept int, err error)   // look again at what is kept; an Unsent error where that was done all the same
	Train   func(dir string) (f1 float64, err error) // a judge, from the labels of the run
	Suggest func(dir string) ([]Suggestion, error)   // words that would tell the topic better
	Take    func(dir, term string, weight float64) error
}

// Unsent says that a second look was taken, and that a cluster could not be told what it keeps.
type Unsent struct{ Cause error }

func (u Unsent) Error() string { return u.Cause.Error() }

// Suggestion is a change of the terms of a topic.
type Suggestion struct {
	Term    string   `json:"term"`
	Weight  float64  `json:"weight"`        // 0: to be taken out
	Was     float64  `json:"was,omitempty"` // what it weighs in the file
	Why     string   `json:"why"`           // parts, strays, hurts or nowhere
	Sure    float64  `json:"sure"`          // on which share of the sure pages it stands,
	Foreign float64  `json:"foreign"`       // and of the foreign ones
	In      int      `json:"in"`            // pages that would come in by this change alone, without a fetch,
	Out     int      `json:"out"`           // and go out
	Titles  []string `json:"titles"`
}

// mostAsked is how much a form may say.
const mostAsked = 1 << 20

// steers tells of a request that would change something: those alone are POST.
func steers(r *http.Request) bool {
	return r.Method == http.MethodPost && (r.URL.Path == "/new" || r.URL.Path == "/api/v1/new" || strings.HasPrefix(r.URL.Path, "/runs/") || strings.HasPrefix(r.URL.Path, "/api/v1/runs/"))
}

// readForm reads what is posted.
func readForm(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, mostAsked)
	if err := r.ParseForm(); err != nil {
		return errAs{http.StatusBadRequest, err}
	}
	return nil
}

// steerRun does what a button says, and shows the page of the run again. The page of labels says what went wrong by itself.
func (s *Server) steerRun(w http.ResponseWriter, r *http.Request, name, dir string) error {
	said, err := s.steer(w, r, dir)
	from := r.PostForm.Get("from")
	switch {
	case err != nil && from != "":
		return s.showLabels(w, r, statusOf(w, err), &teachView{Name: name, From: sourceNamed(from), Trouble: err.Error()}, dir)
	case err != nil:
		return err
	}
	to, told := "/"+watch.Address(name), url.Values{"said": {said}}
	if from != "" {
		to += "/label"
		told.Set("from", from)
	}
	http.Redirect(w, r, to+"?"+told.Encode(), http.StatusSeeOther)
	return nil
}

// apiSteer is the same for programs, and for the script of the page.
func (s *Server) apiSteer(w http.ResponseWriter, r *http.Request, name, dir string) error {
	said, err := s.steer(w, r, dir)
	if err != nil {
		return err
	}
	v := watch.View{W: wordsFor(r).Words, Said: said}
	return writeJSON(w, map[string]string{"run": name, "done": said, "said": v.Done()})
}

// steer does what a form asks for. What it asks for rightly and does not get is in conflict with how the run stands.
func (s *Server) steer(w http.ResponseWriter, r *http.Request, dir string) (said string, err error) {
	if err := cmp.Or(patient(w, longest), readForm(w, r)); err != nil {
		return "", err
	}
	said, err = s.does(r.Context(), dir, r.PostForm)
	if err != nil && !errors.As(err, new(errAs)) {
		err = errAs{http.StatusConflict, err}
	}
	return said, err
}

// does is what a form asks for, and says what came of it.
func (s *Server) does(ctx context.Context, dir string, form url.Values) (said string, err error) {
	do, running := form.Get("do"), true
	switch do {
	case "pause":
		err = s.o.Steer.Tell(dir, frontier.Pause)
	case "resume":
		err = s.o.Steer.Tell(dir, frontier.GoOn)
	case "stop":
		err = s.o.Steer.Tell(dir, frontier.Stop)
	case "inject":
		return s.injects(dir, strings.Fields(form.Get("addresses")))
	case "block", "unblock":
		hosts := strings.Fields(form.Get("host"))
		if len(hosts) == 0 {
			return "", misuse("host: name a host, such as www.example.org")
		}
		running, err = s.o.Steer.Block(dir, hosts, do == "unblock")
	case "raise":
		pages, bad := strconv.Atoi(form.Get("pages"))
		if bad != nil || pages <= 0 {
			return "", misuse("pages: want a number of pages, such as 500")
		}
		running, err = s.o.Steer.Raise(dir, pages, true)
	case "label":
		return s.labels(ctx, dir, form)
	case "winnow", "train", "take":
		return s.teaches(dir, do, form)
	default:
		return "", misuse("do: %q is none of pause, resume, stop, inject, block, unblock, raise, label, winnow, train, take", do)
	}
	if !running {
		do += "-later"
	}
	return do, err
}

func (s *Server) injects(dir string, addresses []string) (said string, err error) {
	if len(addresses) == 0 {
		return "", misuse("addresses: name one, such as https://www.example.org/")
	}
	done, err := s.o.Steer.Inject(dir, addresses)
	if err != nil {
		return "", err
	}
	if done.Taken == 0 {
		for _, address := range addresses {
			if why, refused := done.Refused[address]; refused {
				return "", misuse("%s: refused: %s", address, why.Sentence())
			}
		}
	}
	switch said = "inject"; {
	case done.UsedUp != "":
		said = "inject-usedup"
	case !done.Running:
		said = "inject-later"
	}
	return said + ":" + strconv.Itoa(done.Taken), nil
}
