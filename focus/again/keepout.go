package again

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
)

// isOut tells whether a person has blocked the host of an address in the run, or had the run forget it. The crawls of a round hear that
// by themselves, by whatever way they come to such a host: redirects and robots.txt among them.
func (r *Round) isOut(address string) bool { return r.orders.KeepOut(address) }

// most is how many visits a round has; 0 is no bound.
func (r *Round) most() int { return r.orders.Budget(r.config.Budget.Pages) }

// Stopped tells that somebody has told the run to stop.
func (r *Round) Stopped() bool { return run.Commanded(r.dir) == frontier.Stop }

// NothingDue: the pages of a run would all be sent whole, and none of them is likely to have changed yet. They are left for a later
// round.
type NothingDue struct {
	Folder string
	Pages  int
}

func (n *NothingDue) Error() string {
	return fmt.Sprintf("none of %s in %s is likely to have changed yet: they are left for the next round", run.Several(n.Pages, "page"), n.Folder)
}

// nothing says why there is no page to visit, and that no round was planned.
func (r *Round) nothing() error {
	due := r.plan.Due
	r.plan = plan{}
	if due > 0 {
		return &NothingDue{r.dir, due}
	}
	if len(r.orders.Blocked) > 0 {
		return fmt.Errorf("there is no page in %s to visit again but on hosts that are blocked; try: thresher block --again %s --run %s", r.dir, r.orders.Blocked[0], shell.Word(r.dir))
	}
	return fmt.Errorf("there is no page in %s to visit again: the crawl kept none", r.dir)
}
