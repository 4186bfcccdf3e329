package focus

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
)

// Repaired tells what Repair found.
type Repaired struct {
	disk.Salvaged
	Forgotten []string // what was learned and could not be taken back whole
	Finished  int      // links that waited again though their visits are in the log
}

// Repair salvages what can be read of the state of a run that is damaged, so that it can be gone on with. Pages whose
// visits are in the log are not visited again. The damaged files are kept.
func Repair(dir string) (Repaired, error) {
	state := filepath.Join(dir, fileState)
	salvaged, err := disk.Salvage(state)
	done := Repaired{Salvaged: salvaged}
	if err != nil {
		return done, err
	}
	for _, name := range []string{fileRun, fileInjected} {
		text, err := os.ReadFile(filepath.Join(salvaged.Kept, name))
		if err == nil {
			err = writeFile(filepath.Join(state, name), text)
		}
		if err != nil && !os.IsNotExist(err) {
			return done, fmt.Errorf("focus: repair %s: %w", dir, err)
		}
	}
	config, err := (&Run{Dir: dir}).Config()
	if err != nil {
		return done, err
	}
	config.Store = dir
	config.repair = &done
	c, err := New(config)
	if err != nil {
		return done, err
	}
	err = c.settleVisited(&done)
	if err == nil {
		err = c.saveAll()
	}
	if err == nil {
		err = c.folder.end("interrupted", "repaired", &c.steps.counts, c.Waiting())
	}
	if cerr := c.Close(); err == nil {
		err = cerr
	}
	return done, err
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
		if err := c.partOf(restored.Learned, only, learner.Restore, (*Crawler).takeLedger); err != nil {
			forgot("the last snapshot", err)
		}
		var err error
		n := 0
		for ; n < good && err == nil; n++ {
			err = c.partOf(restored.Lessons[n], only, learner.Relearn, func(c *Crawler, k *coder) error { return c.steps.happenAgain(k.b) })
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

func (c *Crawler) takeLedger(k *coder) error {
	c.steps.ledger(k)
	return k.done()
}

// partOf gives one pupil its part of what was written down, or the ledger what is left.
func (c *Crawler) partOf(b []byte, only int, give func(learner, []byte) error, left func(*Crawler, *coder) error) error {
	if len(b) == 0 {
		return nil
	}
	k, err := c.parts(b, func(p learner, part []byte) error {
		if c.pupils()[only%len(c.pupils())].learner != p || only == len(c.pupils()) {
			return nil
		}
		return give(p, part)
	})
	if err == nil && only == len(c.pupils()) {
		err = left(c, k)
	}
	return err
}

// settleVisited gives up links that wait though the log says how their visits ended.
func (c *Crawler) settleVisited(done *Repaired) error {
	holder, ok := c.frontier.(interface {
		frontier.Holder
		frontier.Finder
	})
	if !ok {
		return nil
	}
	var failed error
	err := ReadLog(filepath.Join(c.folder.dir, fileLog), func(d *Decision) bool {
		if d.Decision != "keep" && d.Decision != "drop" {
			return true
		}
		if _, state := holder.Get(d.ID); state == frontier.Waiting {
			failed = holder.Drop(d.ID)
			done.Finished++
		}
		if id, ok := requestID(d.URL); ok && failed == nil {
			c.steps.happen(&finished{id})
		}
		return failed == nil
	})
	if err == nil {
		err = failed
	}
	return err
}
