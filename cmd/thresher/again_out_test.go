package main

import (
	"os"
	"strings"
	"testing"
)

// twoHosts is a run that kept a page of another host, to which its front page links, and which is asked nothing any more by an order.
func twoHosts(t *testing.T, order string) (w, other *changingWeb) {
	t.Helper()
	w, other = newChangingWeb(t), newChangingWeb(t)
	w.more = "<a href=" + other.URL + "/boats/3>sailing boat over there</a>"
	w.write(t, "second_look: 'off'\nsinks: [{to: jsonl}]\n")
	must(t, "crawl", "boats.yaml", "--quiet")
	if other.reset() == 0 || len(keptByPath(t, w)) <= sitePages {
		t.Fatal("the first crawl kept nothing of the other host")
	}
	must(t, order, strings.TrimPrefix(other.URL, "http://"), "--run", "runs/boats")
	w.mu.Lock()
	w.more += "<a href=" + other.URL + "/boats/4>another</a><a href=/away>sailing boat, moved</a><p>changed"
	w.away = map[string]string{"/away": other.URL + "/boats/5"}
	w.mu.Unlock()
	return w, other
}

// TestAHostThatIsOutIsAskedNothingAgain: a host that was blocked, or forgotten, gets no request of a round, not even for its
// robots.txt, though pages of it are kept, linked to, redirected to, or in its sitemap; and a round brings nothing of it back.
func TestAHostThatIsOutIsAskedNothingAgain(t *testing.T) {
	for _, order := range []string{"block", "forget"} {
		t.Run(order, func(t *testing.T) {
			w, other := twoHosts(t, order)
			kept := keptOfHost(t, other)
			for range 2 {
				if told := toldAgain(t); told.Visited < namedPages {
					t.Fatalf("it tells %+v", told)
				}
			}
			if len(w.asked) == 0 || other.requests > 0 {
				t.Errorf("of the host that is out %d addresses were asked for", other.requests)
			}
			if now := keptOfHost(t, other); now != kept || order == "forget" && now > 0 {
				t.Errorf("%d pages of it are kept, were %d", now, kept)
			}
		})
	}
}

func keptOfHost(t *testing.T, w *changingWeb) int {
	t.Helper()
	text, err := os.ReadFile("runs/boats/kept.jsonl")
	if os.IsNotExist(err) {
		text, err = os.ReadFile("runs/boats/harvest.jsonl")
	}
	noError(t, err)
	return strings.Count(string(text), `"url":"`+w.URL)
}

// TestAllThatIsKeptIsOut: where there is no other page to visit, --again says so and how it is cured, and begins nothing.
func TestAllThatIsKeptIsOut(t *testing.T) {
	w := newChangingWeb(t)
	w.write(t, "second_look: 'off'\nsinks: [{to: jsonl}]\n")
	must(t, "crawl", "boats.yaml", "--quiet")
	host := strings.TrimPrefix(w.URL, "http://")
	must(t, "block", host, "--run", "runs/boats")
	w.reset()
	code, _, errs := thresher(t, "crawl", "boats.yaml", "--again")
	cure := "thresher block --again " + host + " --run runs/boats"
	if code == exitDone || !strings.Contains(errs, cure) || len(w.asked) > 0 {
		t.Errorf("exit %d, %s, asked for %v", code, errs, w.asked)
	}
	must(t, strings.Fields(cure)[1:]...)
	if told := toldAgain(t); told.Visited < namedPages {
		t.Errorf("let in again, it tells %+v", told)
	}
	remove(t, "runs/boats/kept.jsonl") // which cannot be written: what the round found is told nevertheless
	noError(t, os.Mkdir("runs/boats/kept.jsonl", 0o700))
	if code, out, errs := thresher(t, "crawl", "boats.yaml", "--again", "--quiet"); code != exitFailed || !strings.Contains(out, "round 2: ") || !strings.Contains(errs, "kept.jsonl") || !strings.Contains(errs, "; 'thresher crawl boats.yaml --again' ends the round") {
		t.Errorf("a round that could not be ended: exit %d: %s%s", code, out, errs)
	}
}
