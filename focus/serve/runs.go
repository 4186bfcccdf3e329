package serve

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// errNoRun says that there is no run of a name.
var errNoRun = errAs{http.StatusNotFound, errors.New("there is no run of this name here")}

// runs are the folders of the runs that are served, by their names. Of two with the same name the second gets a number.
func (s *Server) runs() (names []string, folders map[string]string) {
	folders = map[string]string{}
	if s.o.Runs == nil {
		return nil, folders
	}
	for _, dir := range s.o.Runs() {
		name := run.NameBeside(dir, func(name string) bool { return folders[name] != "" })
		names = append(names, name)
		folders[name] = dir
	}
	return names, folders
}

// ofRun answers of the run that an address names.
func (s *Server) ofRun(answer func(w http.ResponseWriter, r *http.Request, name, dir string) error) answering {
	return func(w http.ResponseWriter, r *http.Request) error {
		name := r.PathValue("name")
		_, folders := s.runs()
		if folders[name] == "" {
			return errNoRun
		}
		return answer(w, r, name, folders[name])
	}
}

// view is the page of a run.
func (s *Server) view(w words, name string, story *watch.Story) *watch.View {
	v := watch.ViewOf(w.Words, name, story)
	v.Served, v.Steer = true, !s.o.ReadOnly
	return v
}

func (s *Server) runPage(w http.ResponseWriter, r *http.Request, name, dir string) error {
	f, err := s.follow(dir, lookEvery)
	if err != nil {
		return err
	}
	v := s.view(wordsFor(r), name, f.now())
	v.Said = r.URL.Query().Get("said")
	return render(w, r, "run.html", v)
}

func (s *Server) apiStory(w http.ResponseWriter, r *http.Request, _, dir string) error {
	f, err := s.follow(dir, lookEvery)
	if err != nil {
		return err
	}
	return writeJSON(w, f.now())
}

// runLine is a run in the list of all.
type runLine struct {
	Name string `json:"name"`
	watch.Run
	Counts watch.Sums `json:"counts"`
	Broken string     `json:"broken,omitempty"` // why it cannot be read
}

func (s *Server) runList() []runLine {
	names, folders := s.runs()
	lines := make([]runLine, 0, len(names))
	for _, name := range names {
		l := runLine{Name: name}
		var err error
		if l.Run, l.Counts, err = watch.Head(folders[name]); err != nil {
			l.Broken = err.Error()
		}
		l.State = l.State.Told(s.together(folders[name], nil))
		lines = append(lines, l)
	}
	slices.SortStableFunc(lines, func(a, b runLine) int {
		return strings.Compare(map[bool]string{true: "0", false: "1"}[a.State.Live()], map[bool]string{true: "0", false: "1"}[b.State.Live()])
	})
	return lines
}

func (s *Server) apiRuns(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, map[string]any{"runs": s.runList()})
}

// sideBySide is how many runs are drawn in one picture.
const sideBySide = 6

// runsView is what the page of all runs shows.
type runsView struct {
	W      words
	Runs   []runLine
	Drawn  map[string]bool
	Begin  bool // a topic may be begun here
	MayAsk bool // and the web be asked
	watch.Picture
}

// Live tells whether a run goes on.
func (v *runsView) Live() bool {
	return slices.ContainsFunc(v.Runs, func(l runLine) bool { return l.State.Live() })
}

func (s *Server) runsPage(w http.ResponseWriter, r *http.Request) error {
	v := &runsView{W: wordsFor(r), Runs: s.runList(), Drawn: map[string]bool{}, Begin: s.o.Begin != nil, MayAsk: s.mayAsk()}
	asked := r.URL.Query()["run"]
	_, folders := s.runs()
	var curves []watch.Named
	for _, l := range v.Runs {
		if l.Broken != "" || len(curves) >= sideBySide || len(asked) > 0 && !slices.Contains(asked, l.Name) || len(asked) == 0 && len(curves) >= 3 {
			continue
		}
		f, err := s.follow(folders[l.Name], lookEvery)
		if err != nil {
			continue
		}
		v.Drawn[l.Name] = true
		curves = append(curves, watch.Named{Name: l.Name, Points: f.now().Curve.Points})
	}
	v.Picture = watch.Draw(v.W.Words, curves, nil)
	return render(w, r, "runs.html", v)
}
