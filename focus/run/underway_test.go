package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// died is what the next process makes of what the last one has written down, after it has begun and ended the visits that
// are named; "-" ends one.
func died(t *testing.T, dir string, visits ...string) *Underway {
	t.Helper()
	return diedWhere(t, dir, false, visits...)
}

// diedWhere is died where leases have to lapse first, or need not.
func diedWhere(t *testing.T, dir string, lapses bool, visits ...string) *Underway {
	t.Helper()
	safe := func() error { return nil }
	u, err := OpenUnderway(dir, safe, lapses)
	noError(t, err)
	for _, visit := range visits {
		if name, ends := strings.CutPrefix(visit, "-"); ends {
			u.say(signEnded, name, "")
		} else {
			u.say(signBegun, name, "")
		}
	}
	if u.err != nil {
		t.Fatal(u.err)
	}
	u.Abandon()
	next, err := OpenUnderway(dir, safe, lapses)
	noError(t, err)
	return next
}

func TestWhatAProcessDiedOver(t *testing.T) {
	ran := func(t *testing.T) string {
		dir := t.TempDir()
		noError(t, os.Mkdir(filepath.Join(dir, FileState), 0o755))
		return dir
	}
	t.Run("two deaths in a row, and the third alone", func(t *testing.T) {
		dir := ran(t)
		if u := died(t, dir, "a", "b", "c", "-c"); u.deadly("a") || u.deadly("b") {
			t.Error("made alone after one death")
		}
		if u := died(t, dir, "b", "d"); !u.deadly("b") || u.deadly("a") || u.deadly("d") {
			t.Error("b alone was under way at both deaths")
		}
		u := died(t, dir, "b")
		if aside, told := u.IsAside("b"); !aside || told {
			t.Errorf("aside %v, told %v after the third death", aside, told)
		}
		noError(t, u.Told("b"))
		noError(t, u.Close())
		if aside, told := died(t, dir, "e").IsAside("b"); !aside || !told {
			t.Errorf("aside %v, told %v in a later process", aside, told)
		}
	})
	t.Run("not in a row", func(t *testing.T) {
		dir := ran(t)
		died(t, dir, "a", "b")
		died(t, dir, "c")
		if u := died(t, dir, "a"); u.deadly("a") {
			t.Error("a death between did not count")
		}
	})
	t.Run("not alone", func(t *testing.T) {
		dir := ran(t)
		for range 4 {
			died(t, dir, "a", "b")
		}
		if u := died(t, dir, "a", "b"); !u.deadly("a") || len(u.aside) > 0 {
			t.Errorf("aside: %v", u.aside)
		}
	})
	t.Run("where leases have to lapse", func(t *testing.T) {
		dir := ran(t)
		diedWhere(t, dir, true, "a")
		diedWhere(t, dir, true, "b") // a was not visited again: its lease had to lapse
		u := diedWhere(t, dir, true, "a")
		if !u.deadly("a") || u.deadly("b") {
			t.Error("two deaths over a were forgotten for one over b")
		}
		u.Begin("a", "")(false)
		if !u.deadly("a") {
			t.Error("what was given back counts as survived")
		}
		u.Abandon()
		if u := diedWhere(t, dir, true); !u.deadly("a") {
			t.Error("what was given back counts as survived by the next process")
		}
	})
	t.Run("ended by itself", func(t *testing.T) {
		dir := ran(t)
		died(t, dir, "a")
		u := died(t, dir, "a")
		u.Begin("a", "")(true)
		if u.deadly("a") {
			t.Error("it was survived, and is made alone again")
		}
		noError(t, u.Close())
		if _, err := os.Stat(u.path); err == nil {
			t.Error("the file is left")
		}
	})
	t.Run("the line that it died in", func(t *testing.T) {
		dir := ran(t)
		u := died(t, dir, "a", "b", "-a")
		text, err := os.ReadFile(u.path)
		noError(t, err)
		for n := range text {
			noError(t, os.WriteFile(u.path, text[:n], 0o600))
			if u := died(t, dir); len(u.deaths) > 2 {
				t.Errorf("%q: %v", text[:n], u.deaths)
			}
		}
	})
	t.Run("a long crawl", func(t *testing.T) {
		dir := ran(t)
		u := died(t, dir)
		name := "http://a.example/" + strings.Repeat("x", 1000)
		end := u.Begin("b", "")
		for range 2 * mostUnderway / len(name) {
			u.Begin(name, "")(true)
		}
		if u.err != nil {
			t.Fatal(u.err)
		}
		if info, err := os.Stat(u.path); err != nil || info.Size() > mostUnderway+2*int64(len(name)) {
			t.Errorf("%v, %v", info.Size(), err)
		}
		if u := died(t, dir); len(u.deaths) != 1 || u.deaths["b"] != 1 {
			t.Errorf("%v", u.deaths)
		}
		end(true)
	})
}
