package focus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// Repaired tells what Repair found, and what it made of it.
type Repaired struct {
	run.Mended
	Sound   bool // nothing was damaged, and nothing was changed
	Rebuilt bool // the state was made anew from the log and the harvest

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
	running, err := run.IsRunning(dir)
	if err != nil {
		return done, err
	}
	if running {
		return done, fmt.Errorf("focus: a crawl is running in %s; stop it first: thresher stop --run %s", dir, dir)
	}
	_, unreadable := run.ReadStanding(dir)
	if run.Newer(unreadable) || errors.Is(unreadable, os.ErrNotExist) {
		return done, unreadable
	}
	if run.OfMachine(dir) {
		return done, done.mendMachine(dir)
	}
	config, err := (&run.Run{Dir: dir}).WholeConfig()
	if err != nil {
		return done, err
	}
	blank, err := folderless(config) // nothing is changed before it is known that the crawl can be made
	if err != nil {
		return done, err
	}
	defer blank.Close()
	found, err := blank.examine(dir)
	if run.Newer(err) {
		return done, err
	}
	for _, err := range []error{unreadable, err} {
		if err != nil {
			done.Damage = append(done.Damage, strings.TrimPrefix(err.Error(), "focus: "))
		}
	}
	if err := done.MendLines(dir); err != nil {
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

// folderless is a crawl of a config that has no folder, and can be told what a run has learned.
func folderless(c Config) (*Crawler, error) {
	c.Store = ""
	crawler, err := New(context.Background(), c)
	if err != nil {
		return nil, err
	}
	crawler.steps.memory.Serve(crawler.steps.strategy)
	return crawler, nil
}

// examine reads everything in a folder that a run needs to go on, and answers the first thing that cannot be read; or
// which files of results are shorter than the run knows them to be. It changes nothing.
func (c *Crawler) examine(dir string) (short []string, err error) {
	f, err := disk.OpenReadOnlyAfter(filepath.Join(dir, run.FileState), run.SafeBefore(dir))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	restored := f.Restored()
	if restored.Items == 0 && run.HasVisited(dir) {
		return nil, fmt.Errorf("focus: %s: nothing of what was kept there can be read", filepath.Join(dir, run.FileState))
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
		if have < length && !run.Reaches(filepath.Join(dir, name), length) {
			short = append(short, fmt.Sprintf("%s: %d of its %d bytes are whole", filepath.Join(dir, name), have, length))
		}
	}
	return short, nil
}

// mendMachine mends the folder of one machine of a shared crawl, whose state is in Redis.
func (done *Repaired) mendMachine(dir string) error {
	if err := done.MendLines(dir); err != nil || len(done.Damage) > 0 {
		return err
	}
	return fmt.Errorf("focus: %s is the folder of one machine of a shared crawl, and holds nothing to repair; if the crawl refuses it: %s", dir, run.MoveAway(dir))
}

// rebuild makes the state anew and puts it in the place of what is there.
func (done *Repaired) rebuild(dir string, config *Config, strategy *rank.Strategy) (*past, error) {
	state := filepath.Join(dir, run.FileState)
	fresh := state + ".new"
	if err := os.RemoveAll(fresh); err != nil { // of a repair that was killed: it is made again of the same things
		return nil, fmt.Errorf("focus: repair %s: %w", dir, err)
	}
	files, err := done.Trim(dir)
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
	if err := done.Replace(state, fresh); err != nil {
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
		err = run.ReadLog(filepath.Join(dir, run.FileLog), func(d *run.Decision) bool { p.first = d.Time; return false })
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := run.Stand(dir, run.Standing{Name: config.Name, State: "interrupted", Reason: "repaired", Strategy: strategy.Name,
		Fingerprint: strategy.Fingerprint(), Model: run.DigestOf(config.Topic.Model), Started: p.first}); err != nil {
		return err
	}
	config.Store = dir
	c, err := New(context.Background(), config, func(r *running) { r.repair = true })
	if err != nil {
		return err
	}
	defer c.Close()
	p.tell(c)
	done.Waiting = c.Waiting()
	if err := c.saveAll(); err != nil {
		return err
	}
	return c.folder.End("interrupted", "repaired", c.ledger.Standing(), c.Waiting())
}
