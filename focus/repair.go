package focus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// Repaired tells what Repair found, and what it made of it.
type Repaired struct {
	Sound   bool     // nothing was damaged, and nothing was changed
	Damage  []string // what could not be read, with file and place
	Aside   []string // the files and folders that hold it now
	Rebuilt bool     // the state was made anew from the log and the harvest

	Links, Waiting int // of the state that was made anew
	Lost           int // links of which neither log nor harvest says anything
	Again          int // pages that were kept, stand in the harvest no more, and are visited again
}

// Repair makes a run that was refused as damaged one that can be gone on with. What cannot be read of its log and of its
// harvest is left out; a state that cannot be read is made anew from both: links, outcomes and trails. What the crawl has
// learned begins again. Whatever is replaced is set aside under a name that says so, and nothing is deleted. A run that is
// sound is left as it is, to the byte.
//
// A repair that was killed is done again: until the new state is in its place, what it is made of does not change.
func Repair(dir string) (done Repaired, err error) {
	running, err := isRunning(dir)
	if err != nil {
		return done, err
	}
	if running {
		return done, fmt.Errorf("focus: a crawl is running in %s; stop it first: thresher stop --run %s", dir, dir)
	}
	_, unreadable := ReadStanding(dir)
	if newer(unreadable) || errors.Is(unreadable, os.ErrNotExist) {
		return done, unreadable
	}
	if ofMachine(dir) {
		return done, done.mendMachine(dir)
	}
	config, err := (&Run{Dir: dir}).wholeConfig()
	if err != nil {
		return done, err
	}
	blank, err := config.pupil() // nothing is changed before it is known that the crawl can be made
	if err != nil {
		return done, err
	}
	defer blank.Close()
	found, err := blank.examine(dir)
	if newer(err) {
		return done, err
	}
	for _, err := range []error{unreadable, err} {
		if err != nil {
			done.Damage = append(done.Damage, strings.TrimPrefix(err.Error(), "focus: "))
		}
	}
	if err := done.mendLines(dir); err != nil {
		return done, err
	}
	if err == nil && unreadable == nil && len(found) == 0 {
		done.Sound = len(done.Damage) == 0
		return done, nil
	}
	done.Damage = append(done.Damage, found...)
	past := &past{}
	if err != nil || len(found) > 0 {
		if past, err = done.rebuild(dir, &config, blank.steps.strategy); err != nil {
			return done, err
		}
	}
	return done, done.settle(dir, config, past)
}

// pupil is a crawl of this config that has no folder, and can be told what a run has learned.
func (c Config) pupil() (*Crawler, error) {
	c.Store = ""
	crawler, err := New(c)
	if err != nil {
		return nil, err
	}
	crawler.steps.memory.Serve(crawler.steps.strategy)
	return crawler, nil
}

// examine reads everything in a folder that a run needs to go on, and answers the first thing that cannot be read; or
// which files of results are shorter than the run knows them to be. It changes nothing.
func (c *Crawler) examine(dir string) (short []string, err error) {
	f, err := disk.OpenReadOnlyAfter(filepath.Join(dir, fileState), (&folder{dir: dir}).safeBefore())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	restored := f.Restored()
	if restored.Items == 0 && (&folder{dir: dir}).visited() {
		return nil, fmt.Errorf("focus: %s: nothing of what was kept there can be read", filepath.Join(dir, fileState))
	}
	if err := f.Verify(); err != nil {
		return nil, err
	}
	for id := uint64(1); id <= uint64(restored.Items); id++ {
		if _, _, err := f.Look(id); err != nil {
			return nil, err
		}
	}
	if err := c.rememberAll(restored); err != nil {
		return nil, fmt.Errorf("focus: run folder %s: what was learned cannot be taken back: %w", dir, err)
	}
	for name, length := range restored.Files {
		have, _, err := sink.Whole(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if have < length && !reaches(filepath.Join(dir, name), length) {
			short = append(short, fmt.Sprintf("%s: %d of its %d bytes are whole", filepath.Join(dir, name), have, length))
		}
	}
	return short, nil
}

// reaches tells whether a file is as long as it was told to be; one of lines must also end one there.
func reaches(path string, length int64) bool {
	f, err := os.Open(path)
	if err != nil {
		return length == 0 && errors.Is(err, os.ErrNotExist)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < length || length == 0 || filepath.Ext(path) != ".jsonl" {
		return err == nil && info.Size() >= length
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], length-1)
	return err == nil && last[0] == '\n'
}

// mendMachine mends the folder of one machine of a shared crawl, whose state is in Redis.
func (done *Repaired) mendMachine(dir string) error {
	if err := done.mendLines(dir); err != nil || len(done.Damage) > 0 {
		return err
	}
	return fmt.Errorf("focus: %s is the folder of one machine of a shared crawl, and holds nothing to repair; if the crawl refuses it: %s", dir, moveAway(dir))
}

// mendLines takes out of the log and the harvest of a run the lines that cannot be read.
func (done *Repaired) mendLines(dir string) error {
	err := done.blank(filepath.Join(dir, fileLog), "#damaged", func(line []byte) error {
		_, err := lineOf(line)
		return err
	})
	if err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(crawlfile.GlobEscape(dir), "harvest*.jsonl"))
	for _, path := range paths {
		if err == nil {
			err = done.blank(path, "", func(line []byte) error {
				if len(bytes.TrimSpace(line)) == 0 {
					return nil // it was blanked before
				}
				return json.Unmarshal(line, new(sink.Record))
			})
		}
	}
	return err
}

// blank puts blanks behind mark in the place of each line of a file that cannot be read: the file stays as long as it is,
// which the frontier knows. Without a mark they end the line before, or begin the one behind: every line that is left is
// one that can be read. The line itself is kept beside the file first.
func (done *Repaired) blank(path, mark string, read func(line []byte) error) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("focus: %w", err)
	}
	defer f.Close()
	in, at := bufio.NewReaderSize(f, 1<<16), int64(0)
	var aside bytes.Buffer
	type hole struct{ at, length int64 }
	var holes []hole
	sound := false
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // what has no end is cut off when the run goes on
		}
		if err != nil {
			return fmt.Errorf("focus: read %s: %w", path, err)
		}
		if bad := read(line); bad != nil {
			done.Damage = append(done.Damage, fmt.Sprintf("%s line %d: %v", path, number, bad))
			h := hole{at, int64(len(line)) - 1}
			if mark == "" {
				if h.length++; sound {
					h.at--
				}
			}
			holes = append(holes, h)
			aside.Write(line)
		} else {
			sound = true
		}
		at += int64(len(line))
	}
	if len(holes) == 0 {
		return nil
	}
	if err := done.keep(path, aside.Bytes()); err != nil {
		return err
	}
	for _, h := range holes {
		filler := bytes.Repeat([]byte(" "), int(h.length))
		copy(filler, mark)
		if _, err := f.WriteAt(filler, h.at); err != nil {
			return fmt.Errorf("focus: mend %s: %w", path, err)
		}
	}
	return f.Sync()
}

// keep adds what is taken out of a file to one beside it.
func (done *Repaired) keep(path string, what []byte) error {
	done.Aside = append(done.Aside, path+".damaged")
	return appendSafely(path+".damaged", what)
}

// rebuild makes the state anew and puts it in the place of what is there.
func (done *Repaired) rebuild(dir string, config *Config, strategy *rank.Strategy) (*past, error) {
	state := filepath.Join(dir, fileState)
	fresh := state + ".new"
	if err := os.RemoveAll(fresh); err != nil { // of a repair that was killed: it is made again of the same things
		return nil, fmt.Errorf("focus: repair %s: %w", dir, err)
	}
	files, err := done.trim(dir)
	if err != nil {
		return nil, err
	}
	p, err := recall(dir, strategy, config.RandomSeed)
	if err != nil {
		return nil, err
	}
	if err := disk.Rebuild(fresh, p.all, p.last, files); err != nil {
		return nil, err
	}
	if err := done.replace(state, fresh); err != nil {
		return nil, err
	}
	done.Rebuilt, done.Lost, done.Again, done.Links = true, p.lost, p.again, len(p.links)
	return p, nil
}

// settle writes down how the run stands, and keeps what it has done as what a crawl goes on with.
func (done *Repaired) settle(dir string, config Config, p *past) error {
	strategy, err := config.LoadStrategy(config.Factors)
	if err != nil {
		return err
	}
	if p.first.IsZero() {
		err = ReadLog(filepath.Join(dir, fileLog), func(d *Decision) bool { p.first = d.Time; return false })
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	f := &folder{dir: dir, standing: Standing{Name: config.Name, State: "interrupted", Reason: "repaired", Strategy: strategy.Name,
		Fingerprint: strategy.Fingerprint(), Model: digestOf(config.Topic.Model), Started: p.first}}
	if err := f.stand(); err != nil {
		return err
	}
	config.Store, config.repair = dir, true
	c, err := New(config)
	if err != nil {
		return err
	}
	defer c.Close()
	p.tell(c)
	done.Waiting = c.Waiting()
	if err := c.saveAll(); err != nil {
		return err
	}
	return c.folder.end("interrupted", "repaired", c.ledger.Standing(), c.Waiting())
}

// trim measures the files of results. What follows the last whole record is set aside and cut off.
func (done *Repaired) trim(dir string) (map[string]int64, error) {
	files := map[string]int64{}
	for _, pattern := range []string{fileLog, fileMeter, "harvest*.jsonl", "harvest*.csv", "pages-*.warc.gz"} {
		paths, err := filepath.Glob(filepath.Join(crawlfile.GlobEscape(dir), pattern))
		if err != nil {
			return nil, fmt.Errorf("focus: %w", err)
		}
		for _, path := range paths {
			whole, _, err := sink.Whole(path)
			if err != nil {
				return nil, err
			}
			raw, err := os.Open(path)
			if err != nil {
				return nil, fmt.Errorf("focus: %w", err)
			}
			rest, err := io.ReadAll(io.NewSectionReader(raw, whole, 1<<40))
			raw.Close()
			if err == nil && len(rest) > 0 {
				if err = done.keep(path, rest); err == nil {
					err = os.Truncate(path, whole)
				}
			}
			if err != nil {
				return nil, fmt.Errorf("focus: repair %s: %w", path, err)
			}
			files[filepath.Base(path)] = whole
		}
	}
	return files, nil
}

// replace sets the state aside and puts another in its place, with what others have left in it for the crawl.
func (done *Repaired) replace(state, fresh string) error {
	text, err := os.ReadFile(filepath.Join(state, fileInjected))
	if err == nil {
		err = appendSafely(filepath.Join(fresh, fileInjected), text)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("focus: %w", err)
	}
	aside := state + ".damaged"
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); errors.Is(err, os.ErrNotExist) {
			break
		}
		aside = fmt.Sprintf("%s.damaged-%d", state, n)
	}
	if err := os.Rename(state, aside); err == nil {
		done.Aside = append(done.Aside, aside)
	} else if !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("focus: %w", err)
	}
	if err := os.Rename(fresh, state); err != nil {
		return fmt.Errorf("focus: %w", err)
	}
	return nil
}

// ofMachine tells of the folder of one machine of a shared crawl: what the machine goes on with is in Redis.
func ofMachine(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fileState, fileMachine))
	return err == nil
}

// moveAway says what helps where the folder of a machine is damaged.
func moveAway(dir string) string {
	return fmt.Sprintf("the crawl itself is in Redis: move this folder away (mv '%s' '%s.damaged') and the machine begins a new one; what it harvested can be read there",
		dir, dir)
}
