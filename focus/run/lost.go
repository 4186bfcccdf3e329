package run

import (
	"errors"
	"os"
	"path/filepath"
)

// The line of a visit whose page was kept, and was lost with the harvest, is a comment from then on: whoever reads the log finds a link
// that waits. It is one byte that makes it one, so that the line is a visit again when the page stands in the harvest again.
const (
	marked   = '#'
	unmarked = '\t'
)

// lostVisit is what a comment says of a visit whose page was lost; nil where it says anything else. The line may be changed.
func lostVisit(line []byte) *Decision {
	if line[0] != marked {
		return nil
	}
	line[0] = unmarked
	if d, err := lineOf(line); err == nil && d != nil && d.Decision == "keep" {
		return d
	}
	return nil
}

// eachLost goes through the visits of a run whose pages were lost. A run without a log has none.
func eachLost(dir string, see func(*Decision)) error {
	return eachLine(dir, func(line []byte, _ int64) {
		if d := lostVisit(line); d != nil {
			see(d)
		}
	})
}

// eachLine goes through the whole lines of the log of a run.
func eachLine(dir string, see func(line []byte, at int64)) error {
	f, err := os.Open(filepath.Join(dir, FileLog))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	at := int64(0)
	for line, err := range WholeLines(f) {
		if err != nil {
			return err
		}
		see(line, at)
		at += int64(len(line))
	}
	return nil
}

// logAll adds visits to the log of a run, and answers how long it is then.
func logAll(dir string, visits []*Decision) (length int64, err error) {
	log, err := OpenLog(filepath.Join(dir, FileLog))
	if err != nil {
		return 0, err
	}
	for _, d := range visits {
		err = errors.Join(err, log.Write(d))
	}
	err = errors.Join(err, log.Sync())
	return log.Size(), errors.Join(err, log.Close())
}

// markLost marks the visits of pages that are lost, and takes the mark off those of pages that are back.
func markLost(dir string, lost, back map[uint64]bool) error {
	if len(lost)+len(back) == 0 {
		return nil
	}
	marks := map[int64]byte{}
	err := eachLine(dir, func(line []byte, at int64) {
		if d := lostVisit(line); d != nil {
			if back[d.ID] {
				marks[at] = unmarked
			}
		} else if d, err := lineOf(line); err == nil && d != nil && d.Decision == "keep" && lost[d.ID] {
			marks[at] = marked
		}
	})
	if err != nil || len(marks) == 0 {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, FileLog), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	for at, mark := range marks {
		if _, bad := f.WriteAt([]byte{mark}, at); bad != nil {
			err = errors.Join(err, bad)
		}
	}
	return errors.Join(err, f.Sync(), f.Close())
}
