package focus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// mendHarvest takes the records out of the harvest that cannot be read, and keeps them beside it. ought is how long the
// files are that the frontier knows of, nil where all of them count: they stay as long as they are.
func (done *Repaired) mendHarvest(dir string, ought map[string]int64) error {
	_, err := mendEach(dir, "harvest*.jsonl", ought, func(path string, length int64) error {
		bad, err := done.findBroken(path, length)
		if err == nil && len(bad) > 0 {
			err = done.blank(path, bad)
		}
		return err
	})
	if err != nil || done.Broken == 0 {
		return err
	}
	return done.findGone(dir)
}

// mendEach mends the files of a run that are called like that, each up to the length that ought says; where there is no
// ought, the whole of them. It answers all of them.
func mendEach(dir, called string, ought map[string]int64, mend func(path string, length int64) error) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(crawlfile.GlobEscape(dir), called))
	if err != nil {
		return nil, fmt.Errorf("focus: %w", err)
	}
	for _, path := range paths {
		length, told := ought[filepath.Base(path)]
		if ought == nil {
			length, told = math.MaxInt64, true
		}
		if !told {
			continue // it is cut back when the run goes on
		}
		if err := mend(path, length); err != nil {
			return paths, err
		}
	}
	return paths, nil
}

// broken is a line of a harvest that holds no record.
type broken struct {
	badLine
	from, to int64 // what becomes blank, so that no line is left without a record
}

// findBroken finds the lines in the first bytes of a file of the harvest that hold no record.
func (done *Repaired) findBroken(path string, length int64) ([]broken, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("focus: %w", err)
	}
	defer f.Close()
	var bad []broken
	in, at, sound := bufio.NewReaderSize(io.LimitReader(f, length), 1<<16), int64(0), false
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return bad, nil // what has no end is still being written
		}
		if err != nil {
			return nil, fmt.Errorf("focus: read %s: %w", path, err)
		}
		end := at + int64(len(line))
		switch err := json.Unmarshal(line, new(sink.Record)); {
		case err == nil:
			sound = true
		case len(bytes.TrimSpace(line)) == 0: // mended before
		case sound: // its blanks end the line before it
			bad = append(bad, broken{badLine{at, line[:len(line)-1]}, at - 1, end - 1})
		default: // or begin the one behind it
			bad = append(bad, broken{badLine{at, line[:len(line)-1]}, at, end})
		}
		at = end
	}
}

// blank keeps lines of a file of the harvest beside it, and puts blanks in their places.
func (done *Repaired) blank(path string, bad []broken) error {
	if err := done.mark(filepath.Dir(path)); err != nil {
		return err
	}
	aside := path + ".damaged"
	lines := make([]badLine, len(bad))
	for i, b := range bad {
		lines[i] = b.badLine
	}
	if err := keepAside(aside, lines); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("focus: %w", err)
	}
	for _, b := range bad {
		_, werr := f.WriteAt(bytes.Repeat([]byte(" "), int(b.to-b.from)), b.from)
		err = errors.Join(err, werr)
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("focus: mend %s: %w", path, err)
	}
	done.Broken += len(bad)
	done.BrokenAside = append(done.BrokenAside, aside)
	return nil
}

// findGone finds the pages that were kept, and have no record in the harvest that can be read. Where records have
// no numbers, as with fields of its own, nobody can say.
func (done *Repaired) findGone(dir string) error {
	there := map[uint64]bool{}
	if paths, err := filepath.Glob(filepath.Join(crawlfile.GlobEscape(dir), "harvest*.jsonl")); err != nil || len(paths) == 0 {
		return err
	}
	for r, err := range sink.Harvest(dir) {
		if err != nil {
			return fmt.Errorf("focus: %w", err)
		}
		if r.ID == 0 {
			return nil
		}
		there[r.ID] = true
	}
	return readAnyway(filepath.Join(dir, fileLog), func(d *Decision) bool {
		if d.Decision == "keep" && !there[d.ID] && !slices.Contains(done.Missing, d.URL) {
			done.Missing = append(done.Missing, d.URL)
		}
		return true
	})
}
