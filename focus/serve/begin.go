package serve

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/thresher-crawler/thresher/focus/watch"
)

// Topic is what somebody wants crawled.
type Topic struct {
	Name, Terms, About, Language, Contact, Web string
	Seeds, Engines                             []string
	Pages                                      int // the budget; 0: the usual one
}

// Begin writes the crawl file of a topic, finds start pages where engines are named, and starts a crawl. It answers the folder
// of the run, when there is one.
type Begin func(context.Context, *Topic) (dir string, err error)

// newView is what the page on which a topic is begun shows.
type newView struct {
	W       words
	Trouble string
	Form    url.Values
}

// Is is what somebody has written into a field.
func (v *newView) Is(name string) string { return v.Form.Get(name) }

// errNoBegin says that a server starts nothing.
var errNoBegin = errAs{http.StatusNotFound, errors.New("this server starts no crawls: it was started without --crawl")}

func (s *Server) newPage(w http.ResponseWriter, r *http.Request) error {
	if s.o.Begin == nil {
		return errNoBegin
	}
	return render(w, r, "new.html", &newView{W: wordsFor(r), Form: url.Values{"language": {"auto"}, "pages": {"1000"}}})
}

// beginTopic does what the form says, and shows the page of the run; what is wrong with it is said above the form.
func (s *Server) beginTopic(w http.ResponseWriter, r *http.Request) error {
	name, err := s.begin(w, r)
	if err == nil {
		http.Redirect(w, r, "/"+watch.Address(name), http.StatusSeeOther)
		return nil
	}
	return renderAs(w, r, statusOf(w, err), "new.html", &newView{W: wordsFor(r), Trouble: err.Error(), Form: r.PostForm})
}

func (s *Server) apiBegin(w http.ResponseWriter, r *http.Request) error {
	name, err := s.begin(w, r)
	if err != nil {
		return err
	}
	return writeJSON(w, map[string]string{"run": name})
}

func (s *Server) begin(w http.ResponseWriter, r *http.Request) (name string, err error) {
	if s.o.Begin == nil {
		return "", errNoBegin
	}
	if err := readForm(w, r); err != nil {
		return "", err
	}
	f := r.PostForm
	t := &Topic{Name: strings.TrimSpace(f.Get("name")), Terms: f.Get("terms"), About: f.Get("about"), Language: cmp.Or(f.Get("language"), "auto"), Contact: f.Get("contact"), Web: f.Get("web"),
		Seeds: strings.Fields(f.Get("seeds")), Engines: strings.Fields(f.Get("engines"))}
	if pages := f.Get("pages"); pages != "" {
		if t.Pages, err = strconv.Atoi(pages); err != nil || t.Pages < 1 {
			return "", misuse("pages: want a number of pages, such as 1000")
		}
	}
	if t.Name == "" {
		return "", misuse("name: the topic needs a name, such as solar")
	}
	if err := patient(w, longest); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(s.serving, longest) // whoever asked may leave: it is begun all the same
	defer cancel()
	dir, err := s.o.Begin(ctx, t)
	if err != nil {
		return "", errAs{http.StatusConflict, err}
	}
	_, folders := s.runs()
	for name, folder := range folders {
		if sameFolder(folder, dir) {
			return name, nil
		}
	}
	return "", errAs{http.StatusConflict, errNoRun}
}
