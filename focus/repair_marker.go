package focus

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/frontier/disk"
)

// A repair is many steps, and may be killed between any two of them. So it first puts a marker into the run folder, takes it
// away when everything is done, and writes into it what could not be found out again: who finds a marker ends the repair.

// fileRepairing is the marker, in the run folder.
const fileRepairing = "repairing"

// The files that name the pages which are lost, beside the damaged files.
const (
	fileMissing     = "missing.txt"      // kept, and in the harvest no more
	fileMissingWARC = "missing-warc.txt" // kept, and in the WARC files no more
)

// marker is what a repair leaves behind that is killed.
type marker struct {
	Kept    string   `json:"kept"`    // the newest folder of damaged files when it began
	Missing []string `json:"missing"` // pages whose records it was about to cut off
}

// underRepair tells of a run whose repair was interrupted.
func underRepair(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fileRepairing))
	return err == nil
}

// interruptedRepair is what a run is refused with whose repair was interrupted.
func interruptedRepair(dir string) error {
	return fmt.Errorf("focus: run folder %s: its repair was interrupted; 'thresher repair --run %s' ends it, --fresh starts over", dir, dir)
}

// mark puts the marker, before anything is changed; and again when more is missing.
func (done *Repaired) mark(dir string) error {
	if done.marker == nil {
		half, _ := disk.HalfSalvaged(filepath.Join(dir, fileState))
		done.marker = &marker{Kept: half.Kept}
	}
	done.marker.Missing = done.Missing
	text, err := json.Marshal(done.marker)
	if err == nil {
		err = writeFile(filepath.Join(dir, fileRepairing), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("focus: repair %s: %w", dir, err)
	}
	return done.step("marked")
}

// endMarked takes up a repair that was interrupted and has left its marker. What it cannot read of it it finds again, but
// for the pages that were about to be cut off.
func (done *Repaired) endMarked(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, fileRepairing))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("focus: repair %s: %w", dir, err)
	}
	done.marker = &marker{}
	if json.Unmarshal(text, done.marker) != nil {
		done.marker = &marker{}
	}
	done.Missing = slices.Clone(done.marker.Missing)
	done.Ended = cmp.Or(done.Ended, dir)
	state := filepath.Join(dir, fileState)
	half, _ := disk.HalfSalvaged(state)
	if half.Kept == "" || half.Kept == done.marker.Kept {
		return nil
	}
	done.Ended = half.Kept
	return carryOver(half.Kept, state)
}

// conclude writes down which pages are lost, and takes the marker away.
func (done *Repaired) conclude(dir string) error {
	if done.marker == nil {
		return nil
	}
	for _, lost := range []struct {
		addresses []string
		name      string
		file      *string
	}{{done.Missing, fileMissing, &done.MissingFile}, {done.Unarchived, fileMissingWARC, &done.UnarchivedFile}} {
		if len(lost.addresses) == 0 {
			continue
		}
		*lost.file = filepath.Join(cmp.Or(done.Kept, done.Ended, dir), lost.name)
		if err := writeFile(*lost.file, []byte(strings.Join(lost.addresses, "\n")+"\n")); err != nil {
			return err
		}
	}
	if err := done.step("named"); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, fileRepairing)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("focus: repair %s: %w", dir, err)
	}
	done.marker = nil
	return nil
}

// step is where a test may end the repair as a kill would.
func (done *Repaired) step(name string) error {
	if done.killed == nil {
		return nil
	}
	return done.killed(name)
}
