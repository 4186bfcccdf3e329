package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/opinion"
	"github.com/thresher-crawler/thresher/focus/opinion/opiniontest"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// A model is asked about the pages that are not sure, its reason stands in their records, it is not asked twice, and the second
// look comes back when no model is asked.
func TestWinnowAsksAModel(t *testing.T) {
	run := quickstartRun(t, "--set", "polite.parallel=8") // in whose order some pages are near the cut, on either side
	kept := filepath.Join(run, sink.FileKept)
	before := mustRead(t, kept)
	server := opiniontest.New(t, "sail", "yacht", "regatta", "mast", "boat")
	ask := func(args ...string) (said winnowed) {
		t.Helper()
		out := must(t, append([]string{"winnow", "--run", run, "--judge", server.URL, "--model", "small", "--json"}, args...)...)
		if err := json.Unmarshal([]byte(out), &said); err != nil || said.Heard == nil {
			t.Fatalf("%v: %s", err, out)
		}
		return said
	}
	few := ask("--most", "5")
	if few.Heard.Asked != 5 || few.Heard.Answered != 5 || few.Heard.Unsure < 10 || few.Heard.Refused != "" {
		t.Fatalf("%+v", few.Heard)
	}
	all := ask("--most", "1000")
	if all.Heard.Remembered != 5 || all.Heard.Answered != all.Heard.Unsure || all.Heard.In+all.Heard.Out == 0 {
		t.Errorf("%+v", all.Heard)
	}
	if again := ask(); again.Heard.Asked != 0 || again.Heard.Remembered != all.Heard.Answered || again.Kept != all.Kept {
		t.Errorf("%+v after %+v", again.Heard, all.Heard)
	}
	if strict := ask("--threshold", "0.35"); strict.Heard.Refused != "" || strict.Heard.Answered == 0 {
		t.Errorf("at another cut it is tried on other pages: %+v", strict.Heard)
	}
	ask()
	heard, asked := 0, false
	for r, err := range sink.Kept(run) {
		noError(t, err)
		var o opinion.Opinion
		if raw, ok := r.Data["opinion"]; ok {
			if err := json.Unmarshal(raw, &o); err != nil || !o.Relevant || o.Model != "small" || o.Reason == "" {
				t.Errorf("%s: %v, %s", r.FinalURL, err, raw)
			}
			heard++
			if !asked && r.Relevant() < .2 { // the threshold of the run
				asked = true
				if why := must(t, "why", r.URL, "--run", run); !strings.Contains(why, "because the model small said that it is of the topic (it has ") {
					t.Errorf("why says\n%s", why)
				}
			}
		}
	}
	if heard == 0 || !asked {
		t.Error("no record says what the model said")
	}
	must(t, "winnow", "--run", run)
	if mustRead(t, kept) != before {
		t.Error("the second look does not come back as it was")
	}
	// Whatever the endpoint does, the second look stands, and the command ends well.
	server.Odd = func(w http.ResponseWriter, _ *http.Request, _ string) bool {
		http.Error(w, "no", http.StatusInternalServerError)
		return true
	}
	noError(t, os.Remove(filepath.Join(run, opinion.FileCache)))
	out := must(t, "winnow", "--run", run, "--judge", server.URL, "--model", "small")
	if !strings.Contains(out, "refused with status 500") || mustRead(t, kept) != before {
		t.Errorf("an endpoint that is broken:\n%s", out)
	}
}

// Flags that do not go together are told, and what is no address.
func TestModelsThatAreNone(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--judge", "http://127.0.0.1:1/v1"}, "--model says which"},
		{[]string{"--judge", "http://127.0.0.1:1/v1", "--model", "m", "--most", "0"}, "--most is 0"},
		{[]string{"--judge", "http://127.0.0.1:1/v1", "--model", "m", "--top", "9"}, "--top does not go with a model"},
		{[]string{"--judge", "nowhere.judge"}, "--judge nowhere.judge: there is no such file"},
		{[]string{"--model", "m"}, "--model belongs to --judge"},
		{[]string{"--judge", "tea.judge", "--embeddings"}, "--embeddings belongs to --judge"},
		{[]string{"--judge", "gopher://127.0.0.1/", "--model", "m"}, "is no endpoint"},
	} {
		replies(t, exitMisuse, c.want, append([]string{"winnow"}, c.args...)...)
	}
}
