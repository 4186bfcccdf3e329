package focus

import (
	"fmt"
	"math"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/rank"
)

// Repaired tells what Repair found.
type Repaired struct {
	disk.Salvaged
	Sound     bool     // nothing was damaged, and nothing was changed
	Forgotten []string // what was learned and could not be taken back whole
	Rewritten []string // files that were damaged and are written again from what else is known
	Short     []Short  // files of results that have lost their end
	Missing   []string // addresses of pages that were kept, and are in the harvest no more
	Again     int      // visits that are made again: they were told after the last outcome that can be read

	Ended       string // the folder with the damaged files of an earlier repair that was interrupted, and is ended
	Unread      int    // lines of crawl.log that cannot be read, and are comments now
	FirstUnread string // which is the first of them, and what is wrong with it
	Aside       string // the file that holds them now

	Broken      int      // records of the harvest that cannot be read, and are left out of it now
	BrokenAside []string // the files that hold them now

	Gone       []Gone   // what of WARC files cannot be read, and is left out of them now
	GoneAside  []string // the files that hold it now
	Unarchived []string // addresses of pages that were kept, and are in no WARC file any more

	MissingFile    string // the file that names those of Missing
	UnarchivedFile string // and those of Unarchived

	marker *marker                 // what is known if it is killed; nil before anything is changed
	killed func(step string) error // for tests: a step after which it ends, as if it were killed
}

// Repair salvages what can be read of the state of a run that is damaged, so that it can be gone on with. Links whose
// addresses cannot be read come back from crawl.log, and pages whose visits are in it are not visited again. What was
// harvested stays; lines of crawl.log that cannot be read become comments, and such records are taken out of
// harvest.jsonl, and such parts out of the WARC files, all of which are read through. The damaged files are kept. A run that
// is sound is left as it is, to the byte.
func Repair(dir string) (Repaired, error) {
	var done Repaired
	return done, done.repair(dir)
}

func (done *Repaired) repair(dir string) error {
	if err := idle(dir); err != nil {
		return err
	}
	if _, err := ReadStanding(dir); newer(err) {
		return err
	}
	if ofMachine(dir) {
		return done.repairMachine(dir)
	}
	config, err := (&Run{Dir: dir}).wholeConfig()
	if err != nil {
		return err
	}
	strategy, err := config.LoadStrategy(config.Factors)
	if err != nil {
		return err
	}
	pupil, err := config.pupil()
	if err != nil {
		return err // nothing can be said of the run before its crawl can be made, and nothing is changed
	}
	defer pupil.Close()
	if err := done.endEarlier(dir); err != nil {
		return err
	}
	if err := done.endMarked(dir); err != nil {
		return err
	}
	_, unreadable := ReadStanding(dir)
	ought, whole, err := pupil.examine(dir)
	if err != nil {
		return err
	}
	if whole && unreadable == nil && done.Ended == "" {
		if err := done.mendResults(dir, ought); err != nil {
			return err
		}
		return done.conclude(dir)
	}
	if err := done.mark(dir); err != nil {
		return err
	}
	if !whole {
		if err := done.salvage(dir, strategy); err != nil {
			return err
		}
	}
	if unreadable != nil {
		if err := done.standAgain(dir, &config, strategy); err != nil {
			return err
		}
	}
	if err := done.settle(dir, config); err != nil {
		return err
	}
	return done.conclude(dir)
}

// idle refuses a folder that a crawl holds.
func idle(dir string) error {
	if unended(dir) {
		return nil // there is nothing to hold
	}
	running, err := isRunning(dir)
	if err == nil && running {
		err = fmt.Errorf("focus: a crawl is running in %s; stop it first: thresher stop --run %s", dir, dir)
	}
	return err
}

// salvage puts a sound state in the place of the damaged one.
func (done *Repaired) salvage(dir string, strategy *rank.Strategy) (err error) {
	state := filepath.Join(dir, fileState)
	if done.Salvaged, err = disk.Salvage(state, done.witness(dir, strategy)); err != nil {
		return err
	}
	if err := done.step("salvaged"); err != nil {
		return err
	}
	if err := carryOver(done.Kept, state); err != nil {
		return fmt.Errorf("focus: repair %s: %w", dir, err)
	}
	if err := done.step("carried over"); err != nil {
		return err
	}
	if err := done.mark(dir); err != nil {
		return err
	}
	if err := done.mendFiles(dir); err != nil {
		return err
	}
	return done.step("cut back")
}

// standAgain writes down how the run stands, from what else is known of it. The counts follow when it is settled.
func (done *Repaired) standAgain(dir string, config *Config, strategy *rank.Strategy) error {
	f := &folder{dir: dir, standing: Standing{Name: config.Name, State: "interrupted", Reason: "repaired",
		Strategy: strategy.Name, Fingerprint: strategy.Fingerprint(), Model: digestOf(config.Topic.Model)}}
	err := readAnyway(filepath.Join(dir, fileLog), func(d *Decision) bool { f.standing.Started = d.Time; return false })
	if err != nil {
		return err
	}
	done.Rewritten = append(done.Rewritten, filepath.Join(dir, fileState, fileRun))
	if err := f.stand(); err != nil {
		return err
	}
	return done.step("stands again")
}

// settle opens the run as it is now, and keeps it as what a crawl goes on with.
func (done *Repaired) settle(dir string, config Config) error {
	config.Store = dir
	config.repair = done
	c, err := New(config)
	if err != nil {
		return err
	}
	for _, next := range []struct {
		name string
		do   func() error
	}{
		{"the log is mended", func() error { return done.mendLog(filepath.Join(dir, fileLog), math.MaxInt64) }},
		{"the harvest is mended", func() error { return done.mendHarvest(dir, nil) }},
		{"the archives are mended", func() error { return done.mendArchives(dir, nil) }},
		{"what is gone is known", func() error { return done.findGoneAgain(dir) }},
		{"visits are settled", c.settleVisited},
		{"all is saved", c.saveAll},
		{"it has ended", func() error { return c.folder.end("interrupted", "repaired", c.ledger.Standing(), c.Waiting()) }},
	} {
		if err = next.do(); err == nil {
			err = done.step(next.name)
		}
		if err != nil {
			break
		}
	}
	if cerr := c.Close(); err == nil {
		err = cerr
	}
	return err
}

// findGoneAgain finds what is missing for a repair that was interrupted: who began it has not said so.
func (done *Repaired) findGoneAgain(dir string) error {
	if done.Ended == "" {
		return nil
	}
	return done.findGone(dir)
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

// examine tells whether everything in a folder that a run needs to go on can be read, and how long the run knows its files
// to be. It changes no file. What a later thresher wrote is an error: it is for that one to read.
func (c *Crawler) examine(dir string) (ought map[string]int64, whole bool, err error) {
	f, err := disk.OpenReadOnly(filepath.Join(dir, fileState))
	if newer(err) {
		return nil, false, err
	}
	if err != nil {
		return nil, false, nil
	}
	defer f.Close()
	if f.Verify() != nil {
		return nil, false, nil
	}
	restored := f.Restored()
	for id := uint64(1); id <= uint64(restored.Items); id++ {
		if _, _, err := f.Look(id); err != nil {
			return nil, false, nil
		}
	}
	for name, length := range restored.Files {
		if !reaches(filepath.Join(dir, name), length) {
			return nil, false, nil
		}
	}
	err = c.rememberAll(restored)
	if newer(err) {
		return nil, false, fmt.Errorf("focus: run folder %s: what was learned cannot be taken back: %w", dir, err)
	}
	return restored.Files, err == nil, nil
}

// rememberAnyway takes back of what was learned what can be, each pupil by itself: where a lesson is missing, what
// follows may make no sense to it.
func (c *Crawler) rememberAnyway(restored frontier.Restored, done *Repaired) {
	forgot := func(name string, err error) {
		if err != nil {
			done.Forgotten = append(done.Forgotten, fmt.Sprintf("%s: %v", name, err))
		}
	}
	if len(restored.Learned) == 0 {
		restored.Learned = c.state()
	}
	for only := range len(c.pupils()) + 1 {
		c.takeOne(only, restored, forgot)
	}
}

// takeOne lets one of the pupils, or the ledger after the last of them, take back its part: as many lessons as it can.
func (c *Crawler) takeOne(only int, restored frontier.Restored, forgot func(string, error)) {
	good := len(restored.Lessons)
	for first := true; ; first = false {
		if err := c.partOf(restored.Learned, only, learner.Restore, (*ledger.Ledger).Restore); err != nil {
			forgot("the last snapshot", err)
		}
		var err error
		n := 0
		for ; n < good && err == nil; n++ {
			err = c.partOf(restored.Lessons[n], only, learner.Relearn, (*ledger.Ledger).Again)
			if only == len(c.pupils()) {
				err = nil // events stand each by itself
			}
		}
		if err == nil || !first {
			return
		}
		forgot(fmt.Sprintf("lessons from %d of %d on", n, len(restored.Lessons)), err)
		good = n - 1
	}
}

// partOf gives one pupil its part of what was written down, or the ledger what is left.
func (c *Crawler) partOf(b []byte, only int, give func(learner, []byte) error, left func(*ledger.Ledger, []byte) error) error {
	if len(b) == 0 {
		return nil
	}
	own, err := c.parts(b, func(p learner, part []byte) error {
		if c.pupils()[only%len(c.pupils())].learner != p || only == len(c.pupils()) {
			return nil
		}
		return give(p, part)
	})
	if err == nil && only == len(c.pupils()) {
		err = left(c.ledger, own)
	}
	return err
}

// settleVisited lets Colly know of the pages whose visits are in the log, also where the outcome is lost.
func (c *Crawler) settleVisited() error {
	return readAnyway(filepath.Join(c.folder.dir, fileLog), func(d *Decision) bool {
		if d.Decision == "keep" || d.Decision == "drop" {
			c.steps.finish(d.URL)
		}
		return true
	})
}
