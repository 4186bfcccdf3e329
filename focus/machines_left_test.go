package focus_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// left is what a crawl leaves behind, in the folders of all machines that had a part in it: what is said of each address,
// without what depends on the order of the visits.
type left struct {
	testing.TB
	harvest  map[string]string
	visits   map[string]string // how they ended
	pushed   map[string]string // what entered the frontier
	refused  map[string]string // what did not
	answers  map[string]string // as they were recorded
	counts   string
	repeated []string // the visits that stand in the folders of two machines
}

func leftBy(t testing.TB, c ledger.Counts, folders ...string) *left {
	t.Helper()
	l := &left{TB: t, harvest: map[string]string{}, visits: map[string]string{}, pushed: map[string]string{},
		refused: map[string]string{}, answers: map[string]string{}}
	l.counts = fmt.Sprintf("%d pages, %d relevant, %d kept, %d redirects, %d failed, %d bytes, %d links, %d of them new, dropped %v",
		c.Pages, c.Relevant, c.Kept, c.Redirects, c.Failed, c.Bytes, c.Links, c.Fresh, c.Dropped)
	for _, dir := range folders {
		l.readHarvest(dir)
		l.readLog(filepath.Join(dir, "crawl.log"))
		l.readAnswers(dir)
	}
	return l
}

// files are those of a folder that match, and there is one at least.
func (l *left) files(dir, pattern string) []string {
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(names) == 0 {
		l.Errorf("%s has no %s: %v", dir, pattern, err)
	}
	return names
}

// say notes what is said of an address. What is said twice is the same; and not in one folder, unless it is no visit.
func (l *left) say(where map[string]string, own map[string]bool, address, what string) (twice bool) {
	key := identityOf(address)
	if own[key] {
		l.Errorf("%s is there twice in one folder", address)
	}
	before, twice := where[key]
	if twice && before != what {
		l.Errorf("%s is %q and %q", address, before, what)
	}
	own[key], where[key] = true, what
	return twice
}

func identityOf(address string) string {
	if identity, err := page.Canonical(address); err == nil {
		return identity
	}
	return address
}

func (l *left) readHarvest(dir string) {
	own := map[string]bool{}
	for _, name := range l.files(dir, "harvest*.jsonl") {
		raw, err := os.ReadFile(name)
		if err != nil {
			l.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			var r struct{ URL, Title, Digest, Text string }
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				l.Fatalf("%s: %v in %q", name, err, line)
			}
			l.say(l.harvest, own, r.URL, fmt.Sprint(r.Title, r.Digest, r.Text))
		}
	}
}

func (l *left) readLog(path string) {
	own := map[string]bool{}
	err := run.ReadLog(path, func(d *run.Decision) bool {
		switch d.Decision {
		case "keep", "drop":
			if d.Reason == "redirect" {
				d.Status = 0 // Colly asks no further where it knows the target, and does not tell it
			}
			if l.say(l.visits, own, d.URL, fmt.Sprint(d.Decision, d.Reason, d.Status, d.Bytes, d.Title)) {
				l.repeated = append(l.repeated, identityOf(d.URL))
			}
		case "push":
			l.say(l.pushed, map[string]bool{}, d.URL, "")
		case "refuse":
			l.say(l.refused, map[string]bool{}, d.URL, string(d.Reason))
		}
		return true
	})
	if err != nil {
		l.Fatal(err)
	}
}

func (l *left) readAnswers(dir string) {
	own := map[string]bool{}
	for _, name := range l.files(dir, "pages-*.warc.gz") {
		f, err := os.Open(name)
		if err != nil {
			l.Fatal(err)
		}
		defer f.Close()
		r, err := warc.NewReader(f)
		for err == nil {
			var record *warc.Record
			if record, err = r.Next(); err == nil && record.Type == "response" {
				_, body, err := record.Response()
				if err != nil {
					l.Fatal(err)
				}
				l.say(l.answers, own, record.Target, warc.Digest(body))
			}
		}
		if !errors.Is(err, io.EOF) {
			l.Fatal(err)
		}
	}
}

// differs tells what was lost and what is too much.
func (l *left) differs(t testing.TB, want *left) {
	t.Helper()
	differ(t, "harvest", l.harvest, want.harvest)
	differ(t, "log", l.visits, want.visits)
	differ(t, "log of links", l.pushed, want.pushed)
	differ(t, "log of what was refused", l.refused, want.refused)
	differ(t, "WARC files", l.answers, want.answers)
	if l.counts != want.counts {
		t.Errorf("counted\n%s, want\n%s", l.counts, want.counts)
	}
}

func differ(t testing.TB, what string, have, want map[string]string) {
	t.Helper()
	if len(want) == 0 {
		t.Fatalf("the %s says nothing", what)
	}
	for address, said := range want {
		if now, ok := have[address]; !ok {
			t.Errorf("%s: %s is lost", what, address)
		} else if now != said {
			t.Errorf("%s: %s is %q, want %q", what, address, now, said)
		}
	}
	for address := range have {
		if _, ok := want[address]; !ok {
			t.Errorf("%s: %s is too much", what, address)
		}
	}
}
