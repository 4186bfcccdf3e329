package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// apiEvents tells the story whole, and then, as the run goes on, those parts of it that have changed.
func (s *Server) apiEvents(w http.ResponseWriter, r *http.Request, _, dir string) error {
	return s.stream(w, r, dir, "story", storyParts)
}

// liveRun is the same for the page: its sections, as they are to be shown.
func (s *Server) liveRun(w http.ResponseWriter, r *http.Request, name, dir string) error {
	in := wordsFor(r)
	return s.stream(w, r, dir, "page "+in.Language, s.sections(in, name))
}

// watchers is how many streams there may be at the same time.
const watchers = 64

// streaming begins a stream of events, if there are not too many.
func (s *Server) streaming(w http.ResponseWriter) (leave func(), err error) {
	if s.streams.Add(1) > watchers {
		s.streams.Add(-1)
		return nil, errAs{http.StatusServiceUnavailable, errors.New("too many watch at the same time: try again")}
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy hands on each event as it comes
	return func() { s.streams.Add(-1) }, nil
}

// noise is after how long without news something is said, so that both sides notice when the other has gone.
const noise = 15 * time.Second

// stream sends what changes of a run, at the pace at which it is looked at, until the caller or the server has gone.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, dir, kind string, draw drawing) error {
	leave, err := s.streaming(w)
	if err != nil {
		return err
	}
	defer leave()
	control := http.NewResponseController(w)
	version, said := 0, time.Now()
	for {
		rests := s.followed(dir).rests()
		f, err := s.follow(dir, rests)
		var changed []byte
		if err == nil {
			changed, version, err = f.changed(version, kind, draw)
			rests = f.rests()
		}
		if patient(w, 10*time.Second) != nil {
			return nil
		}
		switch {
		case err != nil:
			event(w, "trouble", err.Error())
		case len(changed) > 0:
			err = eventOf(w, "story", changed)
			said = time.Now()
		case time.Since(said) > noise:
			_, err = fmt.Fprint(w, ":\n\n")
			said = time.Now()
		}
		if err != nil || control.Flush() != nil {
			return nil
		}
		select {
		case <-r.Context().Done():
			return nil
		case <-s.serving.Done():
			return nil
		case <-time.After(rests):
		}
	}
}

// event writes one event of a stream: its data is one line, for JSON has no other.
func event(w http.ResponseWriter, name string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return eventOf(w, name, text)
}

func eventOf(w http.ResponseWriter, name string, object []byte) error {
	_, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, object)
	return err
}
