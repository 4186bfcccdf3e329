package serve

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/index"
)

// As long as an index is being made whoever searches is told so, and how far it is, in a browser and by a program, in both languages; runs
// are watched meanwhile. Then it is searched.
func TestWhileAnIndexIsMade(t *testing.T) {
	dir := endedRun(t, crawlfile.Override{Key: "budget.pages", Value: "60"})
	noError(t, os.RemoveAll(filepath.Join(dir, "index")))
	c := indexed(t, dir)
	defer c.Close()
	under := c
	s, err := New(Options{Collections: func() []*index.Collection { return []*index.Collection{c} }, Making: func() *index.Collection { return under },
		Weights: index.DefaultWeights(), Listen: "127.0.0.1:7700", Runs: func() []string { return []string{dir} }})
	noError(t, err)
	get := func(path, language string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:7700"+path, nil)
		r.Header.Set("Accept-Language", language)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	for path, want := range map[string]int{"/": 503, "/?q=sail": 503, "/page?c=tea&id=1": 503, "/feed": 503, "/api/v1/search?q=sail": 503, "/api/v1/complete?q=s": 503, "/runs": 200, "/api/v1/runs": 200, "/assets/style.css": 200} {
		w := get(path, "en")
		if w.Code != want || (w.Header().Get("Retry-After") != "") != (want == 503) {
			t.Errorf("%s: status %d, Retry-After %q; want %d", path, w.Code, w.Header().Get("Retry-After"), want)
		}
	}
	for language, want := range map[string]string{"en": "The index of tea is being made", "zh-CN,zh": "正在为 tea 建立索引"} {
		if w := get("/", language); !strings.Contains(w.Body.String(), want) || w.Header().Get("Refresh") == "" {
			t.Errorf("%s: %v\n%s", language, w.Header(), w.Body)
		}
	}
	var told struct {
		Error, Run        string
		Read, Indexed, Of int
	}
	w := get("/api/v1/search?q=sail", "en")
	if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil || told.Run != "tea" || told.Read == 0 || told.Of != told.Read || told.Indexed != told.Of || !strings.Contains(told.Error, "is being made") {
		t.Errorf("%v: %s", err, w.Body)
	}
	under = nil
	if w := get("/?q=sail", "en"); w.Code != http.StatusOK || w.Header().Get("Retry-After") != "" {
		t.Errorf("when it is made: status %d", w.Code)
	}
}

// How far it is said in pages that were read, and then in those that are indexed.
func TestHowFarAnIndexIs(t *testing.T) {
	m := &making{Progress: index.Progress{Read: 12}}
	if how := m.How(); how != "Pages read so far: 12" {
		t.Error(how)
	}
	m.Of, m.Indexed = 40, 3
	if how := m.How(); how != "Pages indexed: 3 of 40" {
		t.Error(how)
	}
}
