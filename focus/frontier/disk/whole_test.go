package disk

import (
	"errors"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// With Whole, a push is kept with the outcome or the Commit that follows it, and not before.
func TestWholeKeepsWhatWasCommitted(t *testing.T) {
	dir := t.TempDir()
	open := func() *Frontier {
		t.Helper()
		f, err := Open(dir, frontier.Manners{}, Options{Whole: true, AtOnce: true})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	push := func(f *Frontier, url string) {
		t.Helper()
		if _, _, err := f.Push(frontier.Item{URL: url}); err != nil {
			t.Fatal(err)
		}
	}
	f := open()
	push(f, "http://a.example/1")
	f.Close()
	if f = open(); f.Restored().Items != 0 {
		t.Errorf("a push that nothing ended was kept: %+v", f.Restored())
	}
	push(f, "http://a.example/1")
	if err := f.Commit([]byte("planted"), map[string]int64{"crawl.log": 7}); err != nil {
		t.Fatal(err)
	}
	push(f, "http://a.example/2")
	f.Close()
	f = open()
	r := f.Restored()
	if r.Items != 1 || len(r.Lessons) != 1 || string(r.Lessons[0]) != "planted" || r.Files["crawl.log"] != 7 {
		t.Errorf("restored %+v", r)
	}
	item, _, err := f.TryPop(0)
	if err != nil {
		t.Fatal(err)
	}
	push(f, "http://a.example/3")
	if err := f.Done(item.ID, frontier.Outcome{Lesson: []byte("first")}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Snapshot([]byte("all")), f.Settle(), f.Commit([]byte("after"), nil)); err != nil {
		t.Fatal(err)
	}
	f.Close()
	f = open()
	defer f.Close()
	r = f.Restored()
	if r.Items != 2 || r.Waiting != 1 || string(r.Learned) != "all" || len(r.Lessons) != 1 || string(r.Lessons[0]) != "after" || r.Files["crawl.log"] != 7 {
		t.Errorf("restored %+v", r)
	}
}

// A folder that is held by who opens it stays held when the frontier is closed.
func TestTheLockMayBeAnothers(t *testing.T) {
	dir := t.TempDir()
	lock, err := LockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	var inUse *InUseError
	if _, err := Open(dir, frontier.Manners{}, Options{}); !errors.As(err, &inUse) {
		t.Errorf("opened though somebody holds it: %v", err)
	}
	f, err := Open(dir, frontier.Manners{}, Options{Lock: lock})
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := LockFolder(dir); !errors.As(err, &inUse) {
		t.Errorf("the lock was given up with the frontier: %v", err)
	}
	lock.Release()
	if lock, err = LockFolder(dir); err != nil {
		t.Fatal(err)
	}
	lock.Release()
}
