package disk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Much was learned: it is written in frames, and read back. With THRESHER_LARGE it is more than one frame may hold.
func TestMuchThatWasLearnedIsReadBack(t *testing.T) {
	size := 2*learnedFrame + 5
	if os.Getenv("THRESHER_LARGE") != "" {
		size = maxFrame + 5
	}
	learned := bytes.Repeat([]byte("learned a lot "), size/14+1)[:size]
	dir := t.TempDir()
	f := mustOpen(t, dir, frontier.Manners{}, Options{})
	f.Push(frontier.Item{URL: "http://a/", Host: "a"})
	for range 2 {
		if err := errors.Join(f.Snapshot(learned), f.Settle()); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	f = mustOpen(t, dir, frontier.Manners{}, Options{})
	if !bytes.Equal(f.Restored().Learned, learned) || f.Restored().Items != 1 {
		t.Errorf("%d bytes were learned, and %d came back", size, len(f.Restored().Learned))
	}
}

// More hosts than one frame holds come back, each with its clock.
func TestManyHostsAreReadBack(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir, frontier.Manners{Delay: time.Second}, Options{})
	const hosts = 2*hostsPerFrame + 1
	next := func(n int) time.Time { return time.Now().Truncate(time.Hour).Add(time.Duration(24+n) * time.Hour) }
	for n := range hosts {
		host := fmt.Sprint("h", n)
		f.Push(frontier.Item{URL: "http://" + host + "/", Host: host})
		f.Rest(host, next(n))
	}
	if err := errors.Join(f.Snapshot(nil), f.Settle(), f.Close()); err != nil {
		t.Fatal(err)
	}
	f = mustOpen(t, dir, frontier.Manners{Delay: time.Second}, Options{})
	for n := range hosts {
		if got := f.Health(fmt.Sprint("h", n)).Next; !got.Equal(next(n)) {
			t.Fatalf("host %d is ready at %v, want %v", n, got, next(n))
		}
	}
}

// Frames of a snapshot that were changed for one another, or left out, are damage, though each is as it was written.
func TestFramesOfASnapshotHaveTheirPlaces(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir, frontier.Manners{}, Options{})
	f.Push(frontier.Item{URL: "http://a/", Host: "a"})
	learned := append(bytes.Repeat([]byte("1"), learnedFrame), bytes.Repeat([]byte("2"), learnedFrame)...)
	if err := errors.Join(f.Snapshot(learned), f.Settle(), f.Close()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, snapshotFile(1))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _, _, head, err := cutFrame(whole)
	if err != nil {
		t.Fatal(err)
	}
	_, _, _, one, err := cutFrame(whole[head:])
	if err != nil {
		t.Fatal(err)
	}
	first, second := whole[head:head+one], whole[head+one:head+2*one]
	for what, data := range map[string][]byte{
		"changed for one another": bytes.Join([][]byte{whole[:head], second, first, whole[head+2*one:]}, nil),
		"left out":                bytes.Join([][]byte{whole[:head], whole[head+one:]}, nil),
		"there twice":             bytes.Join([][]byte{whole[:head], first, whole[head:]}, nil),
	} {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Open(dir, frontier.Manners{}, Options{})
		var damage *DamageError
		if !errors.As(err, &damage) || damage.File != path {
			t.Errorf("frames are %s: %v", what, err)
		}
	}
}

// A snapshot that does not come back as it was written takes the place of no other.
func TestASnapshotIsReadBeforeTheOneBeforeItGoes(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir, frontier.Manners{}, Options{})
	f.Push(frontier.Item{URL: "http://a/", Host: "a"})
	if err := errors.Join(f.Snapshot([]byte("first")), f.Settle()); err != nil {
		t.Fatal(err)
	}
	f.mu.Lock()
	f.snapshots.damage = func(path string) error { return os.Truncate(path, 100) } // as a disk does that loses what it was told
	f.mu.Unlock()
	if err := errors.Join(f.Snapshot([]byte("second")), f.Settle()); err == nil || !strings.Contains(err.Error(), "not written as it should be") {
		t.Errorf("a snapshot that cannot be read is told as %v", err)
	}
	f.Close()
	f = mustOpen(t, dir, frontier.Manners{}, Options{})
	if got := string(f.Restored().Learned); got != "first" {
		t.Errorf("what came back is %q", got)
	}
}

// A log that is being rewritten is killed, or the disk fails: what was there before is still there, and the next try succeeds.
func TestARewritingThatIsCutShortLosesNothing(t *testing.T) {
	dir, killed := t.TempDir(), filepath.Join(t.TempDir(), "killed")
	f := mustOpen(t, dir, frontier.Manners{}, Options{Segment: 4 << 10, Every: time.Hour})
	const items, rounds = 100, 20
	check := func(f *Frontier) {
		t.Helper()
		for id := uint64(1); id <= items; id++ {
			if it, st := f.Get(id); it.URL != address(id) || st != frontier.Waiting || it.Score != rounds || len(it.Numbers) != 2 || string(it.Note) != "kept" {
				t.Fatalf("item %d is %+v, %v", id, it, st)
			}
		}
	}
	for id := uint64(1); id <= items; id++ {
		f.Push(frontier.Item{URL: address(id), Host: hostOf(address(id)), Note: []byte("kept")})
	}
	for round := 1; round <= rounds; round++ {
		for id := uint64(1); id <= items; id++ {
			f.Rescore(id, float32(round), 0, []float32{float32(round), float32(id)}, nil)
		}
	}
	bases := func() int { found, _ := filepath.Glob(filepath.Join(dir, "base-*")); return len(found) }
	f.mu.Lock()
	f.snapshots.damage = func(string) error {
		if bases() == 0 {
			t.Error("nothing was rewritten")
		}
		return errors.Join(os.CopyFS(killed, os.DirFS(dir)), errors.New("the disk fails"))
	}
	f.mu.Unlock()
	if err := errors.Join(f.Snapshot(nil), f.Settle()); err == nil || bases() != 0 {
		t.Errorf("%v; %d bases are left", err, bases())
	}
	check(f)
	f.mu.Lock()
	f.snapshots.damage = nil
	f.mu.Unlock()
	if err := errors.Join(f.Snapshot(nil), f.Settle()); err != nil || bases() == 0 {
		t.Errorf("the second time: %v; %d bases", err, bases())
	}
	check(f)
	f.Close()
	for _, dir := range []string{dir, killed} {
		f := mustOpen(t, dir, frontier.Manners{}, Options{})
		check(f)
		f.Close()
	}
}

// A snapshot whose name cannot be made safe has none: the files that it names are abandoned.
func TestASnapshotThatIsNotSafeIsNone(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir, frontier.Manners{}, Options{})
	f.Push(frontier.Item{URL: "http://a/", Host: "a"})
	f.mu.Lock()
	f.snapshots.damage = func(string) error { f.dir = filepath.Join(dir, "elsewhere"); return nil } // which cannot be synced
	f.mu.Unlock()
	if err := errors.Join(f.Snapshot(nil), f.Settle()); err == nil {
		t.Error("nobody is told")
	}
	if _, err := os.Stat(filepath.Join(dir, snapshotFile(1))); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the snapshot is there: %v", err)
	}
	f.Close()
	f = mustOpen(t, dir, frontier.Manners{}, Options{})
	if it, _ := f.Get(1); it.URL != "http://a/" {
		t.Errorf("what came back is %+v", it)
	}
}

// What is too large to be read back is not written: whoever tells something next is told, and nothing before it is lost.
func TestWhatCannotBeReadBackIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir, frontier.Manners{}, Options{most: 1000})
	f.Push(frontier.Item{URL: "http://a/", Host: "a"})
	it, err := f.Pop(context.Background(), 0)
	if err == nil {
		err = f.Done(it.ID, frontier.Outcome{Lesson: []byte("short")})
	}
	if err != nil {
		t.Fatal(err)
	}
	f.Commit(make([]byte, 2000), nil)
	if _, _, err := f.Push(frontier.Item{URL: "http://b/", Host: "b"}); err == nil || !strings.Contains(err.Error(), "more than a frame may have") {
		t.Errorf("what follows is told %v", err)
	}
	f.Close()
	f = mustOpen(t, dir, frontier.Manners{}, Options{})
	if r := f.Restored(); r.Items != 1 || len(r.Lessons) != 1 || string(r.Lessons[0]) != "short" {
		t.Errorf("what came back is %+v", r)
	}
}
