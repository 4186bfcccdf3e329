package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// behindSnapshot is a small frontier whose whole log stands in front of its snapshot, in several files and bases.
func behindSnapshot(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	o := small
	o.Segment = 1 << 10
	d := beginDrive(t, dir, o)
	for n := range 8 {
		d.run(2)
		for id := uint64(1); id <= 40; id++ { // so much is of no use that it is compacted
			d.f.Rescore(id, float32(n), 0, []float32{1, 2, 3, 4}, nil)
		}
		if err := errors.Join(d.f.Snapshot([]byte(strings.Join(d.learned, "\n"))), d.f.Settle()); err != nil {
			t.Fatal(err)
		}
		if n == 7 {
			if bases, _ := filepath.Glob(filepath.Join(dir, "base-*")); len(bases) == 0 {
				t.Fatal("nothing was compacted")
			}
		}
	}
	if err := d.f.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// earlierFiles calls see for every file in front of the snapshot, with what it holds there.
func earlierFiles(t *testing.T, dir string, see func(st *state, s segment, whole []byte)) {
	t.Helper()
	st, err := load(dir, frontier.Manners{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range st.earlier() {
		whole, err := st.readLog(s)
		if err != nil {
			t.Fatal(err)
		}
		if s == st.from.segment() {
			whole = whole[:st.from.offset()]
		}
		see(st, s, whole)
	}
}

// What stands in front of the snapshot is not replayed, and damage of it is noticed all the same: at every byte of every
// file, by the name of the file, a place shortly before it, and the command that salvages the rest.
func TestEveryChangedByteInFrontOfTheSnapshotIsNoticed(t *testing.T) {
	dir := behindSnapshot(t)
	earlierFiles(t, dir, func(e *state, s segment, whole []byte) {
		file, err := os.OpenFile(e.path(s), os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for i := range whole {
			whole[i] ^= 0x41
			where := at(s, segmentHead)
			if err := e.verifySegment(s, whole, &where); err == nil || where.offset() > int64(i) || where.offset() < int64(i)-400 {
				t.Fatalf("byte %d of %s changed: %v at byte %d", i, s.file(), err, where.offset())
			}
			if i%61 == 0 {
				file.WriteAt(whole[i:i+1], int64(i))
				for _, err := range []error{examineError(dir), openError(dir)} {
					var bad *DamageError
					if !errors.As(err, &bad) || bad.File != e.path(s) || bad.Offset > int64(i) || bad.Offset < int64(i)-400 ||
						!strings.Contains(err.Error(), "thresher repair --run "+dir) {
						t.Fatalf("byte %d of %s changed: %v", i, s.file(), err)
					}
				}
			}
			whole[i] ^= 0x41
			if i%61 == 0 {
				file.WriteAt(whole[i:i+1], int64(i))
			}
		}
	})
	if err := errors.Join(examineError(dir), openError(dir)); err != nil {
		t.Errorf("sound, and yet: %v", err)
	}
}

func examineError(dir string) error {
	f, err := Examine(dir, 0)
	if err == nil {
		f.Close()
	}
	return err
}

func openError(dir string) error {
	f, err := Open(dir, frontier.Manners{}, small)
	if err == nil {
		f.Close()
	}
	return err
}

// A file that ends early in front of the snapshot is noticed, also where it ends between two frames.
func TestAShortFileInFrontOfTheSnapshotIsNoticed(t *testing.T) {
	dir := behindSnapshot(t)
	earlierFiles(t, dir, func(e *state, s segment, whole []byte) {
		all, err := os.ReadFile(e.path(s))
		if err != nil {
			t.Fatal(err)
		}
		for offset := int64(segmentHead); ; {
			var bad *DamageError
			if err := os.Truncate(e.path(s), offset); err != nil {
				t.Fatal(err)
			}
			if err := openError(dir); !errors.As(err, &bad) {
				t.Fatalf("%d bytes of the %d of %s: %v", offset, len(whole), s.file(), err)
			}
			if err := os.WriteFile(e.path(s), all, 0o644); err != nil {
				t.Fatal(err)
			}
			_, _, _, n, err := cutFrame(whole[offset:])
			if err != nil {
				t.Fatal(err)
			}
			if offset += int64(n); offset == int64(len(whole)) {
				return
			}
		}
	})
}

// An item that cannot be read has no address, and nothing that was made of that is kept: the next that is told is refused
// with the place and the command.
func TestAnItemThatCannotBeReadEndsTheCrawl(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir, frontier.Manners{}, small)
	for _, url := range []string{"http://a/1", "http://a/2"} {
		if _, _, err := f.Push(frontier.Item{URL: url, Host: "a"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.TryPop(0); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "log-000001")
	damage(t, path, f.order.Link(2).base.offset()+8, 1)
	if it, st := f.Get(2); it.URL != "" || st != frontier.Waiting {
		t.Fatalf("got %+v, %v", it, st)
	}
	var bad *DamageError
	if err := f.Done(1, frontier.Outcome{Counters: map[string]int64{"pages": 1}}); !errors.As(err, &bad) || bad.File != path {
		t.Errorf("an outcome was taken: %v", err)
	}
	if err := f.Snapshot(nil); !errors.As(err, &bad) {
		t.Errorf("a snapshot was taken: %v", err)
	}
}
