package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/thresher-crawler/thresher/focus/whole"
)

// All that one full disk leads to is one line, which says what to do; another trouble is another line.
func TestOneAilmentIsOneLine(t *testing.T) {
	full := func(name string) error { return &fs.PathError{Op: "write", Path: name, Err: syscall.ENOSPC} }
	other := errors.New("the frontier is closed")
	err := DiskTrouble("runs/x", errors.Join(
		fmt.Errorf("disk: write %q: %w: free some space", "log-000001", full("runs/x/state/log-000001")),
		errors.Join(other, fmt.Errorf("%w", full("runs/x/report.html"))),
		fmt.Errorf("sink: %w: %w", full("runs/x/harvest.jsonl"), other)))
	want := "run folder runs/x: write runs/x/state/log-000001: no space left on device; what was visited before is safe: make room, and the same command goes on\n" + other.Error()
	if err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
	if !errors.Is(err, syscall.ENOSPC) || !errors.Is(err, other) {
		t.Error("what it was is not to be found in it")
	}
	filled := func(name string) error { return fmt.Errorf("write %s: %w", name, syscall.ENOSPC) }
	err = DiskTrouble("runs/x", fmt.Errorf("the log waits: %w", errors.Join(filled("crawl.log"), other, filled("meter.csv"))))
	if want := "run folder runs/x: the log waits: write crawl.log: no space left on device\n" + other.Error() + "; what was"; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
	if err := DiskTrouble("runs/x", nil); err != nil {
		t.Errorf("no trouble: %v", err)
	}
	if err := DiskTrouble("runs/x", &fs.PathError{Op: "open", Path: "a", Err: syscall.EROFS}); !strings.Contains(err.Error(), "make it writable, and the same command goes on") {
		t.Error(err)
	}
	many := fmt.Errorf("write log-000001: %w", &fs.PathError{Op: "open", Path: "runs/x/state", Err: syscall.EMFILE})
	if err := DiskTrouble("runs/x", errors.Join(many, many)); err.Error() != "run folder runs/x: open runs/x/state: too many open files; what was visited before is safe: have the limit on open files raised (ulimit -n), and the same command goes on" {
		t.Error(err)
	}
}

// A folder that was deleted under a crawl is one line, too; where it is there, a file that is not is told as it is, and so is one elsewhere.
func TestAFolderThatIsGoneIsOneLine(t *testing.T) {
	dir := t.TempDir()
	other, missing := errors.New("the frontier is closed"), fmt.Errorf("write state: %w", &fs.PathError{Op: "open", Path: dir + "/state/safe", Err: fs.ErrNotExist})
	for in, want := range map[string]string{
		dir: missing.Error() + "\n" + other.Error(), "": missing.Error() + "\n" + other.Error(),
		dir + "/no": "run folder " + dir + "/no is gone, deleted or moved while it was written to; where it is put back, the same command goes on\n" + other.Error(),
	} {
		if err := DiskTrouble(in, errors.Join(missing, other)); err.Error() != want || !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, other) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	if err := DiskTrouble(dir+"/no", other); err.Error() != other.Error() {
		t.Error(err)
	}
}

// A file is written beside its place: what is named is the file, not the other, which is gone.
func TestAnAilmentNamesTheFile(t *testing.T) {
	beside := &fs.PathError{Op: "write", Path: "runs/x/state/" + whole.Beside + "MJ2", Err: syscall.ENOSPC}
	renamed := &os.LinkError{Op: "rename", Old: "runs/x/state/" + whole.Beside + "MJ2", New: "runs/x/state/run.json", Err: syscall.ENOSPC}
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("write %s: %w", "runs/x/state/run.json", beside), "write runs/x/state/run.json: no space left on device"},
		{fmt.Errorf("write %s: %w", "runs/x/state/run.json", errors.Join(beside, errors.New("sync failed"))), "write runs/x/state/run.json: no space left on device"},
		{fmt.Errorf("keep: %w", fmt.Errorf("write %s: %w", "runs/x/report.html", beside)), "keep: write runs/x/report.html: no space left on device"},
		{fmt.Errorf("write %s: %w", "runs/x/state/run.json", renamed), "write runs/x/state/run.json: no space left on device"},
		{beside, "write a file in runs/x/state: no space left on device"},
	} {
		err := DiskTrouble("runs/x", c.err)
		if want := "run folder runs/x: " + c.want + "; what was visited"; !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), whole.Beside) {
			t.Errorf("%v\nwant %s", err, want)
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Error("what it was is not to be found in it")
		}
	}
}

// TestHowMuchIsLeftIsTold: in the units in which min_free is written, and no finer than a person reads.
func TestHowMuchIsLeftIsTold(t *testing.T) {
	for left, want := range map[uint64]string{37_560_320: "only 37MB left, less than min_free: 60MB; make room, and it goes on, or stop it, and start it with a smaller min_free", 8_192: "only 8KB left,", 900: "only 0 left,"} {
		if said := Full("runs/solar", 60e6, func(string) (uint64, error) { return left, nil }); !strings.Contains(said, want) {
			t.Errorf("%q, want %q", said, want)
		}
	}
	if said := Full("runs/solar", 60e6, func(string) (uint64, error) { return 60e6, nil }); said != "" {
		t.Errorf("%q", said)
	}
}

// What the whole disk is the cause of is told with its remedy, once; what a file is the cause of is not.
func TestRemedy(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "r/index/lock", Err: syscall.ENOSPC}
	for remedy, errs := range map[string][]error{
		"make room": {full, fmt.Errorf("error flushing batch: %v", full), fmt.Errorf("r: the folder cannot be locked: %w", full)},
		"": {nil, errors.New("no space left"), DiskTrouble("r", full), fmt.Errorf("%w: make room and go on", full),
			&fs.PathError{Op: "open", Path: "out.csv", Err: syscall.EACCES}},
	} {
		for _, err := range errs {
			if got := Remedy(err); got != remedy {
				t.Errorf("%v: %q, want %q", err, got, remedy)
			}
		}
	}
}
