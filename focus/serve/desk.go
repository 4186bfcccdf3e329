package serve

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
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
	took    time.Duration // that the last look took, with all that was drawn of it
	version int
	drawn   map[string]*drawn // what followers are sent, by what they asked for
}

// The time between two looks.
const (
	lookEvery   = time.Second
	lookAtLeast = 5 * time.Second // a page that lags further behind is not followed any more
	looksShare  = 500             // times as long as a look took goes by before the next one
	forgetAfter = 5 * time.Minute
)

// follow is the reader of a run, as it stands at most that long ago.
func (s *Server) follow(dir string, atMost time.Duration) (*followed, error) {
	f := s.followed(dir)
	return f, f.look(dir, s.together(dir, f.hosts()), atMost)
}

// followed is the reader of a run, as it stood last.
func (s *Server) followed(dir string) *followed {
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	if s.desk.runs == nil {
		s.desk.runs = map[string]*followed{}
	}
	f := s.desk.runs[dir]
	if f == nil {
		f = &followed{drawn: map[string]*drawn{}}
		s.desk.runs[dir] = f
	}
	return f
}

// together is how the crawl of a folder stands for all machines, and hosts of it for all of them; nil where that is not known.
func (s *Server) together(dir string, hosts []string) *run.Together {
	if s.o.Together == nil {
		return nil
	}
	return s.o.Together(dir, hosts)
}

// hosts are those that are looked at.
func (f *followed) hosts() (all []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.story != nil {
		for i := range f.story.Hosts {
			all = append(all, f.story.Hosts[i].Host)
		}
	}
	return all
}

// look reads what is new, if that was not done so shortly ago.
func (f *followed) look(dir string, all *run.Together, atMost time.Duration) (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	began := time.Now()
	if f.story != nil && began.Sub(f.looked) < atMost-atMost/20 {
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
	f.story = f.watcher.Story()
	f.version++
	f.looked = time.Now()
	f.took = f.looked.Sub(began)
	return nil
}

// rests is how long the run is left alone after a look. Who watches takes no more than his share of the machine that crawls, and where
// none crawls it is enough that a crawl that begins is noticed.
func (f *followed) rests() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.story != nil && !f.story.Run.State.Live() {
		return lookAtLeast
	}
	return min(max(looksShare*f.took, lookEvery), lookAtLeast)
}

// now is the story as it stands.
func (f *followed) now() *watch.Story {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.story
}

// drawing makes of a story the parts that a follower is sent, as JSON.
type drawing func(*watch.Story) (map[string]json.RawMessage, error)

// drawn are the parts that were made last. They are made once for all who follow.
type drawn struct {
	parts   map[string]part
	version int // of the story that they were made of
	since   int // from which version on the last event tells
	event   []byte
}

// part is a text with the version of the story at which it became what it is.
type part struct {
	text    []byte
	version int
}

// changed is an object of those parts that are others since a version, empty where there are none, and the version now. A version that is
// yet to come is of a reader that was let go meanwhile, as where the machine slept: nobody knows what has changed since.
func (f *followed) changed(since int, kind string, draw drawing) (object []byte, now int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := f.drawn[kind]
	if d == nil {
		d = &drawn{parts: map[string]part{}}
		f.drawn[kind] = d
	}
	if since > f.version {
		since = 0
	}
	began := time.Now()
	if d.version < f.version {
		if err := d.renew(f.version, draw, f.story); err != nil {
			return nil, since, err
		}
	}
	if d.event == nil || d.since != since {
		d.event, d.since = d.objectSince(since), since
	}
	f.took += time.Since(began)
	return d.event, f.version, nil
}

// renew draws a story.
func (d *drawn) renew(version int, draw drawing, story *watch.Story) error {
	texts, err := draw(story)
	if err != nil {
		return err
	}
	for name, text := range texts {
		if before, ok := d.parts[name]; !ok || !bytes.Equal(before.text, text) {
			d.parts[name] = part{text, version}
		}
	}
	d.version, d.event = version, nil
	return nil
}

// objectSince is one object of all that has changed since a version.
func (d *drawn) objectSince(version int) []byte {
	object := []byte{}
	for _, name := range slices.Sorted(maps.Keys(d.parts)) {
		if one := d.parts[name]; one.version > version {
			object = append(append(object, `,"`+name+`":`...), one.text...)
		}
	}
	if len(object) == 0 {
		return object
	}
	object[0] = '{'
	return append(object, '}')
}

// storyParts draws the parts of the story themselves.
func storyParts(story *watch.Story) (parts map[string]json.RawMessage, err error) {
	whole, err := json.Marshal(story)
	if err == nil {
		err = json.Unmarshal(whole, &parts)
	}
	return parts, err
}

// sections draws the parts of the page, in the words of a reader.
func (s *Server) sections(w words, name string) drawing {
	return func(story *watch.Story) (map[string]json.RawMessage, error) {
		texts := map[string]json.RawMessage{}
		v := s.view(w, name, story)
		title, err := json.Marshal(v.Title())
		if err != nil {
			return nil, err
		}
		texts["title"] = title
		for _, section := range watch.Sections {
			text, err := rendered(section, v)
			if err != nil {
				return nil, err
			}
			if texts[section], err = json.Marshal(text); err != nil {
				return nil, err
			}
		}
		return texts, nil
	}
}
