package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// desk keeps the readers of the runs that somebody looks at: one a run, however many look.
type desk struct {
	mu   sync.Mutex
	runs map[string]*followed // by folder
}

// followed is a run that is looked at.
type followed struct {
	mu      sync.Mutex
	watcher *watch.Watcher
	story   *watch.Story
	looked  time.Time
	version int
	parts   parts            // of the story, as JSON
	shown   map[string]parts // of the page, by language
}

// parts are texts by their name, each with the version at which it became what it is.
type parts map[string]part

type part struct {
	text    []byte
	version int
}

// put replaces a part that is another one now.
func (p parts) put(name string, text []byte, version int) {
	if before, ok := p[name]; !ok || !bytes.Equal(before.text, text) {
		p[name] = part{text, version}
	}
}

// since are the parts that have changed since a version.
func (p parts) since(version int) map[string][]byte {
	changed := map[string][]byte{}
	for name, one := range p {
		if one.version > version {
			changed[name] = one.text
		}
	}
	return changed
}

const (
	lookEvery   = time.Second
	forgetAfter = 5 * time.Minute
)

// errNoRun says that there is no run of a name.
var errNoRun = errors.New("there is no run of this name here")

// named are the folders of the runs that are served, by their names. Of two with the same name the second gets a number.
func (s *Server) runs() (names []string, folders map[string]string) {
	folders = map[string]string{}
	if s.o.Runs == nil {
		return nil, folders
	}
	for _, dir := range s.o.Runs() {
		name := filepath.Base(dir)
		for n := 2; folders[name] != ""; n++ {
			name = fmt.Sprintf("%s-%d", filepath.Base(dir), n)
		}
		names = append(names, name)
		folders[name] = dir
	}
	return names, folders
}

// follow is the reader of a run, as it stands at most a second ago.
func (s *Server) follow(dir string) (*followed, error) {
	s.desk.mu.Lock()
	if s.desk.runs == nil {
		s.desk.runs = map[string]*followed{}
	}
	f := s.desk.runs[dir]
	if f == nil {
		f = &followed{parts: parts{}, shown: map[string]parts{}}
		s.desk.runs[dir] = f
	}
	s.desk.mu.Unlock()
	return f, f.look(dir, s.together(dir))
}

// together is how the crawl of a folder stands for all machines; nil where that is not known.
func (s *Server) together(dir string) *run.Together {
	if s.o.Together == nil {
		return nil
	}
	return s.o.Together(dir)
}

// look reads what is new, if nobody has just done so.
func (f *followed) look(dir string, all *run.Together) (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.story != nil && time.Since(f.looked) < lookEvery-50*time.Millisecond {
		return nil
	}
	if f.watcher == nil {
		if f.watcher, err = watch.Open(dir); err != nil {
			return err
		}
	}
	f.watcher.Join(all)
	if err := f.watcher.Update(); err != nil {
		f.watcher = nil
		return err
	}
	f.looked, f.story = time.Now(), f.watcher.Story()
	f.version++
	whole, err := json.Marshal(f.story)
	if err != nil {
		return err
	}
	var split map[string]json.RawMessage
	if err := json.Unmarshal(whole, &split); err != nil {
		return err
	}
	for name, text := range split {
		f.parts.put(name, text, f.version)
	}
	return nil
}

// now is the story as it stands.
func (f *followed) now() *watch.Story {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.story
}

// changed are the parts of the story, or of the page in a language, that are others since a version, and the version now.
func (f *followed) changed(since int, of func(*followed) (parts, error)) (map[string][]byte, int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, err := of(f)
	if err != nil {
		return nil, since, err
	}
	return p.since(since), f.version, nil
}

// sectionsIn draws the parts of the page in a language.
func (s *Server) sectionsIn(w words, name string) func(*followed) (parts, error) {
	return func(f *followed) (parts, error) {
		p := f.shown[w.Language]
		if p == nil {
			p = parts{}
			f.shown[w.Language] = p
		}
		v := s.view(w, name, f.story)
		for _, section := range watch.Sections {
			text, err := rendered(section, v)
			if err != nil {
				return nil, err
			}
			p.put(section, []byte(text), f.version)
		}
		return p, nil
	}
}

// ofRun finds the run that an address names.
func (s *Server) ofRun(w http.ResponseWriter, r *http.Request) (name, dir string, ok bool) {
	name = r.PathValue("name")
	_, folders := s.runs()
	if dir = folders[name]; dir == "" {
		http.Error(w, errNoRun.Error(), http.StatusNotFound)
		return name, "", false
	}
	return name, dir, true
}

// view is the page of a run.
func (s *Server) view(w words, name string, story *watch.Story) *watch.View {
	v := watch.ViewOf(w.Words, name, story)
	v.Served, v.Steer = true, !s.o.ReadOnly
	return v
}

func (s *Server) runPage(w http.ResponseWriter, r *http.Request) {
	name, dir, ok := s.ofRun(w, r)
	if !ok {
		return
	}
	f, err := s.follow(dir)
	if err != nil {
		s.fail(w, err)
		return
	}
	v := s.view(wordsFor(r), name, f.now())
	v.Said = r.URL.Query().Get("said")
	s.render(w, "run.html", v)
}

func (s *Server) apiStory(w http.ResponseWriter, r *http.Request) {
	_, dir, ok := s.ofRun(w, r)
	if !ok {
		return
	}
	f, err := s.follow(dir)
	if err != nil {
		s.fail(w, err)
		return
	}
	writeJSON(w, f.now())
}

// apiEvents tells the story whole, and then, each second, those parts of it that have changed.
func (s *Server) apiEvents(w http.ResponseWriter, r *http.Request) {
	s.stream(w, r, func(string) func(*followed) (parts, error) {
		return func(f *followed) (parts, error) { return f.parts, nil }
	}, func(text []byte) any { return json.RawMessage(text) })
}

// liveRun is the same for the page: its sections, as they are to be shown.
func (s *Server) liveRun(w http.ResponseWriter, r *http.Request) {
	s.stream(w, r, func(name string) func(*followed) (parts, error) { return s.sectionsIn(wordsFor(r), name) },
		func(text []byte) any { return string(text) })
}

// watchers is how many streams there may be at the same time.
const watchers = 64

// streaming begins a stream of events, if there are not too many.
func (s *Server) streaming(w http.ResponseWriter) (leave func(), ok bool) {
	if s.streams.Add(1) > watchers {
		s.streams.Add(-1)
		http.Error(w, "too many watch at the same time: try again", http.StatusServiceUnavailable)
		return nil, false
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	return func() { s.streams.Add(-1) }, true
}

// stream sends what changes of a run, once a second, until the caller or the server has gone.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, of func(name string) func(*followed) (parts, error), as func([]byte) any) {
	name, dir, ok := s.ofRun(w, r)
	if !ok {
		return
	}
	leave, ok := s.streaming(w)
	if !ok {
		return
	}
	defer leave()
	control := http.NewResponseController(w)
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	version, quiet := 0, 0
	for {
		f, err := s.follow(dir)
		var changed map[string][]byte
		if err == nil {
			changed, version, err = f.changed(version, of(name))
		}
		if err := control.SetWriteDeadline(time.Now().Add(10 * time.Second)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return
		}
		switch {
		case err != nil:
			event(w, "trouble", err.Error())
		case len(changed) > 0:
			said := map[string]any{}
			for name, text := range changed {
				said[name] = as(text)
			}
			err = event(w, "story", said)
			quiet = 0
		default:
			if quiet++; quiet%15 == 0 { // so that both sides notice when the other has gone
				_, err = fmt.Fprint(w, ":\n\n")
			}
		}
		if err != nil || control.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-s.serving.Done():
			return
		case <-tick.C:
		}
	}
}

// event writes one event of a stream: its data is one line, for JSON has no other.
func event(w http.ResponseWriter, name string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, text)
	return err
}

// runLine is a run in the list of all.
type runLine struct {
	Name string `json:"name"`
	watch.Run
	Counts watch.Counts `json:"counts"`
	Broken string       `json:"broken,omitempty"` // why it cannot be read
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
		l.State = l.State.Told(s.together(folders[name]))
		lines = append(lines, l)
	}
	slices.SortStableFunc(lines, func(a, b runLine) int {
		return strings.Compare(map[bool]string{true: "0", false: "1"}[a.State.Live()], map[bool]string{true: "0", false: "1"}[b.State.Live()])
	})
	return lines
}

func (s *Server) apiRuns(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, map[string]any{"runs": s.runList()})
}

// sideBySide is how many runs are drawn in one picture.
const sideBySide = 6

// runsView is what the page of all runs shows.
type runsView struct {
	W     words
	Runs  []runLine
	Drawn map[string]bool
	Begin bool // a topic may be begun here
	watch.Picture
}

// Live tells whether a run goes on.
func (v *runsView) Live() bool {
	return slices.ContainsFunc(v.Runs, func(l runLine) bool { return l.State.Live() })
}

func (s *Server) runsPage(w http.ResponseWriter, r *http.Request) {
	v := &runsView{W: wordsFor(r), Runs: s.runList(), Drawn: map[string]bool{}, Begin: s.o.Begin != nil}
	asked := r.URL.Query()["run"]
	_, folders := s.runs()
	var curves []watch.Named
	for _, l := range v.Runs {
		if l.Broken != "" || len(curves) >= sideBySide || len(asked) > 0 && !slices.Contains(asked, l.Name) || len(asked) == 0 && len(curves) >= 3 {
			continue
		}
		f, err := s.follow(folders[l.Name])
		if err != nil {
			continue
		}
		v.Drawn[l.Name] = true
		curves = append(curves, watch.Named{Name: l.Name, Points: f.now().Curve.Points})
	}
	v.Picture = watch.Draw(v.W.Words, curves, nil)
	s.render(w, "runs.html", v)
}
