package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/run"
)

// TestThePageSaysThatRedisDoesNotAnswer shows a crawl that machines share while Redis answers, and while it does not.
func TestThePageSaysThatRedisDoesNotAnswer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "live")
	for name, text := range map[string]string{"crawl.yaml": "name: live\ntopic: {terms: [tea]}\nseeds: [http://tea.test/]\nsecond_look: off\n", "strategy.yaml": "name: x\nrank: {use: anchor}\n", "state/run.json": `{"state":"running","name":"live"}`,
		"state/lock": fmt.Sprint(os.Getpid()), "log.jsonl": ""} {
		noError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	const away, paused = "Redis does not answer", "It is paused."
	for _, c := range []struct {
		what      string
		heard     *run.Together
		says      string
		saysState string
	}{
		{"before anything was heard", nil, "Nothing waits", "running"},
		{"it answers", &run.Together{At: time.Now().Add(time.Minute)}, "Nothing waits", "running"}, // however slow this machine is
		{"it answers, and the crawl is paused", &run.Together{At: time.Now().Add(time.Minute), Command: frontier.Pause}, paused, "paused"},
		{"it does not answer", &run.Together{At: time.Now().Add(-time.Minute)}, away, "running"},
		{"it does not answer, and said stop before", &run.Together{At: time.Now().Add(-time.Minute), Command: frontier.Stop}, away, "stopping"},
	} {
		s, err := New(Options{Listen: "127.0.0.1:7700", Runs: func() []string { return []string{dir} }, Collections: func() []*index.Collection { return nil },
			Together: func(string, []string) *run.Together { return c.heard }})
		noError(t, err)
		page := got(s, "/runs/live").Body.String()
		if !strings.Contains(page, c.says) || strings.Contains(page, away) != (c.says == away) {
			t.Errorf("%s: the page does not say %q, or says of Redis what is not so: %s", c.what, c.says, page)
		}
		if page := got(s, "/runs/live/label").Body.String(); !strings.Contains(page, "it was crawled with second_look: off") || strings.Contains(page, "No page is left") {
			t.Errorf("the page of labels does not say why it has none: %s", page)
		}
		if list := got(s, "/api/v1/runs").Body.String(); !strings.Contains(list, `"state":"`+c.saysState+`"`) {
			t.Errorf("%s: want %s: %s", c.what, c.saysState, list)
		}
	}
}
