package focus

import (
	"context"

	"github.com/thresher-crawler/thresher/focus/run"
)

// Repair makes a run that was refused as damaged one that can be gone on with. What cannot be read of its log and of its
// harvest is left out; a state that cannot be read is made anew from both: links, outcomes and trails. What the crawl has
// learned begins again. Whatever is replaced is set aside under a name that says so, and nothing is deleted. A run that is
// sound is left as it is, to the byte.
//
// A repair that was killed is done again: until the new state is in its place, what it is made of does not change.
func Repair(dir string) (done run.Mended, err error) {
	standing, err := run.MayRepair(dir)
	if err != nil {
		return done, err
	}
	if run.OfMachine(dir) {
		return done, done.MendMachine(dir)
	}
	config, err := (&run.Run{Dir: dir}).CrawledConfig()
	if err != nil {
		return done, err
	}
	config.Store = ""
	blank, err := New(context.Background(), config, repairing) // nothing is changed before it is known that the crawl can be made
	if err != nil {
		return done, err
	}
	defer blank.Close()
	blank.steps.memory.Serve(blank.steps.strategy)
	anew, err := done.Examine(dir, standing, blank.steps.strategy, blank.rememberAll)
	if err != nil || !anew && standing == nil {
		return done, err
	}
	past := &run.Past{}
	if anew {
		if past, err = done.Rebuild(dir, blank.steps.strategy, &config); err != nil {
			return done, err
		}
	}
	config.Store = dir
	return done, goOnFrom(&done, config, past)
}

// goOnFrom writes down how the run stands, and keeps what it has done as what a crawl goes on with.
func goOnFrom(done *run.Mended, config Config, past *run.Past) error {
	strategy, err := config.LoadStrategy(config.Factors)
	if err != nil {
		return err
	}
	began, err := run.BeganAt(config.Store)
	if err != nil {
		return err
	}
	if err := run.Stand(config.Store, run.Standing{Name: config.Name, State: "interrupted", Strategy: strategy.Name,
		Fingerprint: strategy.Fingerprint(), Model: run.DigestOf(config.Topic.Model), Started: began}); err != nil {
		return err
	}
	c, err := New(context.Background(), config, repairing)
	if err != nil {
		return err
	}
	defer c.Close()
	past.Tell(c.ledger)
	done.Waiting = c.Waiting()
	if err := c.saveAll(); err != nil {
		return err
	}
	return c.folder.End("interrupted", run.Repaired, c.ledger.Standing(), c.Waiting(), c.written.Load().Told())
}

// repairing is the option of a crawl that is not run: nobody watches its figures, and its end is not asked for.
func repairing(r *running) { r.repair = true }
