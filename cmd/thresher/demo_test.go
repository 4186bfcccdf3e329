package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/ledger"
)

// TestTheDemoNeedsNothing: in an empty folder it crawls what is built in, twice if need be, and what it offers next works.
func TestTheDemoNeedsNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	offered := ""
	for range 2 {
		code, out, errs := thresher(t, "demo", "--quiet")
		if code != exitDone || errs != "" {
			t.Fatalf("exit %d: %s", code, errs)
		}
		for _, want := range []string{"quickstart: 300 pages", "best finds", "results in runs/demo"} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is not in what it says:\n%s", want, out)
			}
		}
		_, words, _ := strings.Cut(out, "words that would tell the topic better: ")
		if code, out, errs := thresher(t, "suggest", "runs/demo"); code != exitDone || errs != "" || words == "" || !strings.Contains(out, "\n+ "+words[:strings.IndexAny(words, ",;")]) || !strings.HasSuffix(out, " writes what you take into it\n") {
			t.Errorf("suggest, which its summary names: exit %d: %s%s", code, out, errs)
		}
		_, next, ok := strings.Cut(out, "what next\n")
		if !ok {
			t.Fatalf("it offers nothing:\n%s", out)
		}
		if offered != "" {
			if next != offered {
				t.Errorf("the second time it offers\n%s\nthe first time\n%s", next, offered)
			}
			continue
		}
		offered = next
		if code, _, errs := thresher(t, "repair", "--run", "runs/demo"); code != exitFailed || !strings.Contains(errs, "the recorded web of runs/demo is gone") || !strings.Contains(errs, "'thresher demo'") {
			t.Errorf("repair: exit %d: %s", code, errs)
		}
		for line := range strings.Lines(next) {
			command, _, _ := strings.Cut(strings.TrimSpace(line), "   ")
			if args := strings.Fields(command)[1:]; args[0] != "init" { // asks on a terminal
				if code, _, errs := thresher(t, args...); code != exitDone {
					t.Errorf("%s: exit %d: %s", command, code, errs)
				}
			}
		}
	}
}

// TestThresherAlone says in three lines how to begin.
func TestThresherAlone(t *testing.T) {
	code, out, errs := thresher(t)
	if code != exitDone || errs != "" || strings.Count(out, "\n") != 3 || !strings.Contains(out, "thresher demo") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, out, _ := thresher(t, "--version"); code != exitDone || !strings.HasPrefix(out, "thresher version ") {
		t.Errorf("--version: exit %d: %s", code, out)
	}
}

// TestTheLiveLineFits: on a narrow terminal what matters least is left out, and nothing is cut in the middle.
func TestTheLiveLineFits(t *testing.T) {
	began := time.Unix(0, 0)
	counts := ledger.Counts{Pages: 123456, Relevant: 23456, Started: began, Now: began.Add(time.Hour)}
	config := focus.Default()
	config.Budget.Pages = 1000000
	watch := newStopwatch(0, false)
	whole := progressLine(counts, 1234567, config, watch, 0)
	for _, columns := range []int{30, 60, 79, 120, 199} {
		line := progressLine(counts, 1234567, config, watch, columns)
		if len(line) > columns {
			t.Errorf("%d columns for %d: %s", len(line), columns, line)
		}
		for part := range strings.SplitSeq(line, ", ") {
			if !strings.Contains(whole, part) {
				t.Errorf("%d columns: %q is not whole", columns, part)
			}
		}
	}
	if line := progressLine(counts, 1234567, config, watch, 0, topicIsSeeds); line != whole+", the start pages are the topic" {
		t.Errorf("%q", line)
	}
	if line := progressLine(counts, 1234567, config, watch, 199); line != whole {
		t.Errorf("there is room for %q, and it says %q", whole, line)
	}
	for _, part := range []string{fmt.Sprint(counts.Pages), "harvest", "waiting", "left", "pages/s"} {
		if !strings.Contains(whole, part) {
			t.Errorf("%q is not in %q", part, whole)
		}
	}
}

// TestTheLiveLineTellsBothTimes: of a recorded web it says how long the crawl took there and here, and what is left is left here.
func TestTheLiveLineTellsBothTimes(t *testing.T) {
	began := time.Unix(0, 0)
	counts := ledger.Counts{Pages: 100, Relevant: 20, Started: began, Now: began.Add(time.Hour)}
	config := focus.Default()
	config.Budget.Pages = 300
	watch := newStopwatch(0, true)
	watch.see(100, "", watch.began.Add(10*time.Second))
	line := progressLine(counts, 5, config, watch, 0)
	for _, part := range []string{"20.0s left", "10.0 pages/s", "1h0m0s of recorded time (10.0s here)"} {
		if !strings.Contains(line, part) {
			t.Errorf("%q is not in %q", part, line)
		}
	}
}

// TestTheLiveLineSaysWhatTheTimeLeaves: a crawl is over when its time is, however many pages its budget has for it; of a recorded web the
// time is that of the web, and what is left of it is said as it passes here.
func TestTheLiveLineSaysWhatTheTimeLeaves(t *testing.T) {
	began := time.Unix(0, 0)
	for _, c := range []struct {
		virtual     bool
		pages       int
		given, want string
	}{
		{false, 300, "2m", "20.0s left"}, {false, 300, "1h", "3m20s left"}, {false, 0, "2m", "20.0s left"}, {false, 300, "1m", "0s left"},
		{true, 300, "2m", "2.0s left"}, {true, 300, "1h", "20.0s left"}, {false, 300, "0s", "3m20s left"}, {false, 0, "0s", ""},
	} {
		counts := ledger.Counts{Pages: 100, Relevant: 20, Started: began, Now: began.Add(100 * time.Second)}
		config := focus.Default()
		config.Budget.Pages = c.pages
		if err := config.Budget.Time.UnmarshalText([]byte(c.given)); err != nil {
			t.Fatal(err)
		}
		watch := newStopwatch(0, c.virtual)
		watch.see(100, "", watch.began.Add(10*time.Second))
		line := progressLine(counts, 5, config, watch, 0)
		if c.want == "" && strings.Contains(line, "left") || !strings.Contains(line, c.want) {
			t.Errorf("%+v: %q", c, line)
		}
	}
}

// TestTheLiveLineSaysWhatIsWaitedFor: after ten seconds without a page, and before the figures; as much of it as the screen has room for.
func TestTheLiveLineSaysWhatIsWaitedFor(t *testing.T) {
	watch := newStopwatch(3, false)
	for _, c := range []struct {
		pages, seconds int
		want           string
	}{{3, 9, ""}, {3, 12, "nothing for 12.0s: waiting for http://a.example/robots.txt"}, {4, 13, ""}, {4, 22, ""}, {4, 24, "nothing for 11.0s: "}} {
		watch.see(c.pages, "waiting for http://a.example/robots.txt", watch.began.Add(time.Duration(c.seconds)*time.Second))
		line := progressLine(ledger.Counts{Pages: c.pages}, 7, focus.Default(), watch, 79)
		if said := strings.Contains(line, "nothing for"); said != (c.want != "") || !strings.Contains(line, c.want) {
			t.Errorf("after %d pages and %d s: %q", c.pages, c.seconds, line)
		}
	}
	watch = newStopwatch(3, false)
	for _, c := range []struct{ pages, seconds, told int }{{3, 50, 0}, {3, 65, 1}, {3, 80, 0}, {4, 90, 0}, {4, 150, 1}, {4, 165, 0}} { // a crawl that is quiet
		watch.see(c.pages, "no route to host at http://a.example/", watch.began.Add(time.Duration(c.seconds)*time.Second))
		if said := watch.held(); len(said) != c.told || c.told > 0 && !strings.HasSuffix(said[0], ": no route to host at http://a.example/") {
			t.Errorf("quiet, after %d pages and %d s: %q", c.pages, c.seconds, said)
		}
	}
	watch = newStopwatch(4, false)
	watch.last = watch.began.Add(13 * time.Second)
	watch.see(4, "connection reset by peer at https://www.a-long-name-of-a-host.example/robots.txt, and its host is given time", watch.began.Add(time.Minute))
	if line := progressLine(ledger.Counts{Pages: 4}, 7, focus.Default(), &stopwatch{round: true}, 79); line != "4 pages, 7 waiting" {
		t.Errorf("a round of visits made again: %s", line)
	}
	line := progressLine(ledger.Counts{Pages: 4}, 7, focus.Default(), watch, 79)
	if !strings.HasPrefix(line, "nothing for 47.0s: connection reset by peer at https://www.a-long-name") || columns(line) > 79 {
		t.Errorf("of what is too long for the screen it shows %q", line)
	}
}
