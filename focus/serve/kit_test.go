package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// copies are folders that are made once, by what they are.
var copies = map[string]string{}

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// copied is the copy of a folder that is made once, for a test to do with as it likes.
func copied(t *testing.T, what string, fill func(dir string)) string {
	t.Helper()
	if copies[what] == "" {
		made, err := os.MkdirTemp(scratch, "made-")
		noError(t, err)
		made = filepath.Join(made, "tea")
		fill(made)
		copies[what] = made
	}
	dir := filepath.Join(t.TempDir(), "tea")
	noError(t, os.CopyFS(dir, os.DirFS(copies[what])))
	return dir
}

// endedRun is the folder of a run that has ended, with its second look and its index, by what its crawl file says otherwise than the
// quickstart's: over a recorded web a crawl has the same bytes each time.
func endedRun(t *testing.T, changes ...crawlfile.Override) string {
	t.Helper()
	return copied(t, fmt.Sprint(changes), func(dir string) {
		config, err := focus.Load(filepath.Join("..", "..", "configs", "quickstart.yaml"), append(changes, crawlfile.Override{Key: "store", Value: dir})...)
		noError(t, err)
		c, err := focus.New(context.Background(), config)
		noError(t, err)
		if _, err := c.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if _, err := winnow.Run(dir, []string{dir}, winnow.Cut{}); err != nil {
			t.Fatal(err)
		}
		indexed(t, dir).Close()
	})
}

// indexed is what a run keeps, in the index of its folder.
func indexed(t *testing.T, dir string) *index.Collection {
	t.Helper()
	harvest, err := index.Open(dir, index.Options{Folders: []string{dir}})
	noError(t, err)
	t.Cleanup(func() { harvest.Close() })
	if _, err := harvest.Update(context.Background()); err != nil {
		t.Fatal(err)
	}
	return harvest
}

// taught is a server of a run that has ended, and the folder of that.
func taught(t *testing.T, o Options, changes ...crawlfile.Override) (*Server, string) {
	t.Helper()
	dir := endedRun(t, changes...)
	return taughtIn(t, dir, o), dir
}

// taughtIn is a server of a run that is there.
func taughtIn(t *testing.T, dir string, o Options) *Server {
	t.Helper()
	harvest := indexed(t, dir)
	o.Listen, o.Runs, o.Collections, o.Weights = "127.0.0.1:7700", func() []string { return []string{dir} }, func() []*index.Collection { return []*index.Collection{harvest} }, index.DefaultWeights()
	o.Steer.Winnow = func(dir string) (int, error) {
		r, err := winnow.Run(dir, []string{dir}, winnow.Cut{})
		return r.Kept, err
	}
	s, err := New(o)
	noError(t, err)
	return s
}

// listedAsTold holds that the list of runs says of a run what its story says, as far as it says anything.
func listedAsTold(t *testing.T, s *Server) {
	t.Helper()
	var list struct{ Runs []map[string]any }
	var story struct{ Run, Counts map[string]any }
	for at, into := range map[string]any{"/api/v1/runs": &list, "/api/v1/runs/tea/story": &story} {
		noError(t, json.Unmarshal(got(s, at).Body.Bytes(), into))
	}
	counts := list.Runs[0]["counts"].(map[string]any)
	delete(list.Runs[0], "counts")
	delete(list.Runs[0], "name") // which is what it is served as
	for _, one := range [][2]map[string]any{{list.Runs[0], story.Run}, {counts, story.Counts}} {
		for key, value := range one[0] {
			if value != one[1][key] {
				t.Errorf("the list says %v of %s, and the story %v", value, key, one[1][key])
			}
		}
	}
	if len(counts) < 4 {
		t.Errorf("the counts are %v", counts)
	}
}

// told is what the API says of the pages to label.
func told(t *testing.T, s *Server, from string) (l Learned, pages []Asked) {
	t.Helper()
	var answer struct {
		Labels Learned
		Pages  []Asked
	}
	w := got(s, "/api/v1/runs/tea/label?from="+from)
	if w.Code != http.StatusOK || json.Unmarshal(w.Body.Bytes(), &answer) != nil {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	var raw struct {
		Pages []struct{ Words []map[string]any }
	}
	noError(t, json.Unmarshal(w.Body.Bytes(), &raw))
	for _, p := range raw.Pages {
		for _, word := range p.Words {
			if word["term"] == nil || word["count"] == nil || word["added"] == nil || len(word) != 3 {
				t.Fatalf("a word is told as %v", word)
			}
		}
	}
	return answer.Labels, answer.Pages
}
