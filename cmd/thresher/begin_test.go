package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/serve"
)

// TestATopicIsBegun begins a topic as the page does: by init and crawl, in processes of their own.
func TestATopicIsBegun(t *testing.T) {
	t.Chdir(t.TempDir())
	web := filepath.Join(home, "testdata", "webs", "quickstart")
	var errs bytes.Buffer
	cmd := &cobra.Command{}
	cmd.SetErr(&errs)
	var last *exec.Cmd
	b := &beginning{cmd, func(args ...string) *exec.Cmd {
		last = exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
		last.Env = append(os.Environ(), "THRESHER_BE="+strings.Join(args, " "))
		return last
	}}
	topic := serve.Topic{Name: "boats", Terms: "sailing,yacht,regatta,keel", Language: "en", Web: web, Seeds: []string{"http://daily.test/", "http://gazette.test/"}, Pages: 80}
	dir, err := b.begin(t.Context(), &topic)
	if err != nil || dir != filepath.Join("runs", "boats") || !hasRun(dir) {
		t.Fatalf("%s, %v", dir, err)
	}
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		s, err := run.ReadStanding(dir)
		if err == nil && s.State == "finished" {
			if s.Pages != 80 || s.Relevant == 0 {
				t.Errorf("%d pages, %d relevant", s.Pages, s.Relevant)
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("it has not ended: %+v, %v", s, err)
		}
	}
	for want, change := range map[string]func(*serve.Topic){
		"is there already":       func(*serve.Topic) {},
		"is no name":             func(t *serve.Topic) { t.Name = "../boats" },
		"is no address":          func(t *serve.Topic) { t.Name, t.Seeds = "second", []string{"--force"} },
		"whom to write to":       func(t *serve.Topic) { t.Name, t.Web = "second", "" },
		"no such file or folder": func(t *serve.Topic) { t.Name, t.Web = "second", "nowhere" },
		"something to tell":      func(t *serve.Topic) { t.Name, t.Terms = "second", "" },
	} {
		other := topic
		change(&other)
		if dir, err := b.begin(t.Context(), &other); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %s, %v", want, dir, err)
		}
	}
	if _, err := os.Stat("second.yaml"); err == nil {
		t.Error("a crawl file stands of a topic that was not begun")
	}
}
