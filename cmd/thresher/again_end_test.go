package main

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
)

// ended is the last object that crawl --again --json prints.
func ended(t *testing.T, out string) (last againEvent) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Event != "again" {
		t.Errorf("%v: the last line is %s", err, lines[len(lines)-1])
	}
	return last
}

// TestARoundIsToldByWhoeverEndsIt: a process that ends a round which another has taken in says what it came to, and not that nothing was
// visited.
func TestARoundIsToldByWhoeverEndsIt(t *testing.T) {
	w := newChangingWeb(t)
	w.write(t, "second_look: 'off'\nsinks: [{to: jsonl}]\n")
	must(t, "crawl", "boats.yaml", "--quiet")
	w.text["/boats/3"], w.status["/boats/5"] = "Regatta.", http.StatusGone
	noError(t, os.Mkdir("runs/boats/kept.jsonl", 0o700)) // so that the round cannot be ended
	code, out, errs := thresher(t, "crawl", "boats.yaml", "--again", "--json")
	first := ended(t, out)
	if code != exitFailed || first.Finished || first.Changed != 1 || first.Gone != 1 || first.Moved == 0 {
		t.Errorf("a round that cannot be ended: exit %d, %+v, %s", code, first, errs)
	}
	remove(t, "runs/boats/kept.jsonl")
	w.reset()
	code, out, errs = thresher(t, "crawl", "boats.yaml", "--again", "--json")
	last := ended(t, out)
	if code != exitDone || !last.Finished || last.Told != first.Told || len(w.asked) > 0 {
		t.Errorf("ended by another: exit %d, %+v, want %+v; asked for %v; %s", code, last, first.Told, w.asked, errs)
	}
	code, out, errs = thresher(t, "crawl", "boats.yaml", "--again", "--json")
	if last = ended(t, out); code != exitDone || !last.Finished || last.Round != 2 || last.Changed != 0 || last.Gone != 0 {
		t.Errorf("the next round: exit %d, %+v, %s", code, last, errs)
	}
}

// TestARoundThatReachesNobodyHasFailed: a network that is broken, or a host that is, wakes somebody, and costs the harvest nothing.
func TestARoundThatReachesNobodyHasFailed(t *testing.T) {
	w := newChangingWeb(t)
	w.write(t, "")
	must(t, "crawl", "boats.yaml", "--quiet")
	for _, path := range append(allSitePaths(), "/", "/sitemap.xml") {
		w.status[path] = http.StatusServiceUnavailable
	}
	again := []string{"crawl", "boats.yaml", "--again", "--json", "--set", "polite.park=0", "--set", "polite.give_up=0"}
	check := func(visited bool) {
		t.Helper()
		code, out, errs := thresher(t, again...)
		last := ended(t, out)
		if code != exitFailed || !last.Finished || last.Visited > 0 != visited || last.Failed == 0 || !strings.Contains(errs, "nothing was fetched: ") || !strings.Contains(errs, "they are due again the next time") {
			t.Errorf("exit %d, %+v, %s", code, last, errs)
		}
		if there := must(t, "export", "--run", "runs/boats", "--there", "--fields", "url"); strings.Count(there, "\n") != sitePages {
			t.Errorf("there are\n%s", there)
		}
	}
	check(true)
	w.Close()
	check(false)
}

// TestARoundOfNothingButTheDeadIsDone: a link that leads to a host that is not there any more wakes nobody each night.
func TestARoundOfNothingButTheDeadIsDone(t *testing.T) {
	w := newChangingWeb(t)
	w.write(t, "")
	w.untagged = true
	w.text["/boats/3"] += ` <a href="/boats/launched">launched</a>`
	w.status["/boats/launched"] = http.StatusServiceUnavailable
	must(t, "crawl", "boats.yaml", "--quiet", "--set", "fetch.retries=0")
	for range 2 {
		out := must(t, "crawl", "boats.yaml", "--again", "--json", "--set", "fetch.retries=0")
		if last := ended(t, out); last.Failed != 1 || last.Never != 1 || last.Gone != 0 {
			t.Errorf("%+v, want the one page that has never answered", last.Told)
		}
	}
}
