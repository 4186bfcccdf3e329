package focus

import (
	"github.com/thresher-crawler/thresher/focus/frontier"
)

// unlearn lets go of what this machine has learned of a visit that turned out to be another machine's after its steps were
// done: it learns anew what all machines have told, which is what it knew but for that visit. It happens to a machine that was
// cut off in the middle of a visit's steps for longer than a lease, and to nobody else. The turn must be held, and no visit be
// in the middle of its steps.
func (c *Crawler) unlearn() error {
	if c.shared == nil || !c.shared.gone {
		return nil
	}
	c.shared.gone = false
	if err := c.keep(); err != nil { // what was decided of visits under way
		return err
	}
	all, err := c.shared.frontier.Recall()
	if err != nil {
		return err
	}
	return c.relearnAll(all)
}

// relearnAll takes back what all machines have learned, in the place of what this one knows. Its own visits that are under
// way, and when the crawl began for it, stay as they are.
func (c *Crawler) relearnAll(all frontier.Restored) error {
	if len(all.Learned) == 0 {
		all.Learned = c.shared.blank
	}
	c.untold = 0
	err := c.ledger.Anew(func() error { return c.rememberAll(all) })
	c.budget.recount(c.ledger.Standing().Pages)
	return err
}

// recount sets what of a budget is spent.
func (b *budget) recount(spent int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = spent
	b.freed.Broadcast()
}
