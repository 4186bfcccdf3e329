package focus

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/frontier/disk"
)

// readAnyway is ReadLog that leaves out lines which cannot be read. A log that is not there has no lines.
func readAnyway(path string, visit func(*Decision) bool) error {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("focus: %w", err)
	}
	defer f.Close()
	return eachDecision(path, f, visit, leaveOut)
}

// leaveOut goes on after a line that cannot be read.
func leaveOut(error) error { return nil }

// mendResults mends the log, the harvest and the WARC files of a run whose state is sound. ought is how long the frontier knows its files to
// be, nil where it is not known.
func (done *Repaired) mendResults(dir string, ought map[string]int64) error {
	lock, err := disk.LockFolder(filepath.Join(dir, fileState))
	if err != nil {
		return fmt.Errorf("focus: repair %s: %w", dir, err)
	}
	defer lock.Release()
	length, told := ought[fileLog]
	if !told {
		length = math.MaxInt64
	}
	if err := done.mendLog(filepath.Join(dir, fileLog), length); err != nil {
		return err
	}
	if err := done.mendHarvest(dir, ought); err != nil {
		return err
	}
	if err := done.step("the harvest is mended"); err != nil {
		return err
	}
	if err := done.mendArchives(dir, ought); err != nil {
		return err
	}
	if err := done.step("the archives are mended"); err != nil {
		return err
	}
	done.Sound = done.Unread+done.Broken+len(done.Gone) == 0
	return nil
}

// badLine is a line of a log that cannot be read.
type badLine struct {
	at    int64
	bytes []byte // without its end
}

// mendLog makes comments of the lines in the first bytes of a log that cannot be read. The log stays as long as it is: the
// frontier knows its length. What stood there is kept beside it.
func (done *Repaired) mendLog(path string, length int64) error {
	bad, err := done.findBad(path, length)
	if err != nil || len(bad) == 0 {
		return err
	}
	done.Unread, done.Aside = len(bad), path+".damaged"
	if err := done.mark(filepath.Dir(path)); err != nil {
		return err
	}
	if err := keepAside(done.Aside, bad); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("focus: %w", err)
	}
	for _, line := range bad {
		_, werr := f.WriteAt(comment(len(line.bytes)), line.at)
		err = errors.Join(err, werr)
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("focus: mend %s: %w", path, err)
	}
	return nil
}

// keepAside appends lines that cannot be read to a file of their own.
func keepAside(path string, lines []badLine) error {
	aside, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("focus: %w", err)
	}
	for _, line := range lines {
		_, werr := aside.Write(append(line.bytes, '\n'))
		err = errors.Join(err, werr)
	}
	if err = errors.Join(err, aside.Sync(), aside.Close()); err != nil {
		return fmt.Errorf("focus: %w", err)
	}
	return nil
}

// comment is a line of a length that readers of the log leave out.
func comment(length int) []byte {
	line := make([]byte, length)
	for i := range line {
		line[i] = ' '
	}
	copy(line, "#damaged")
	return line
}

// findBad finds the lines in the first bytes of a log that cannot be read.
func (done *Repaired) findBad(path string, length int64) ([]badLine, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("focus: %w", err)
	}
	defer f.Close()
	var bad []badLine
	in, at := bufio.NewReaderSize(io.LimitReader(f, length), 1<<16), int64(0)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return bad, nil // what has no end is still being written
		}
		if err != nil {
			return nil, fmt.Errorf("focus: read %s: %w", path, err)
		}
		if _, err := lineOf(line); err != nil {
			if len(bad) == 0 {
				done.FirstUnread = fmt.Sprintf("%s line %d: %v", path, number, err)
			}
			bad = append(bad, badLine{at, line[:len(line)-1]})
		}
		at += int64(len(line))
	}
}
