package again

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
)

// isOut tells whether a person has blocked the host of an address in the run, or had the run forget it. What a round visits lies in
// folders of its own, which know nothing of that by themselves.
func (r *Round) isOut(address string) bool { return page.Named(page.Host(address), r.blocked) }

// keepOut has the crawl of a folder ask those hosts nothing, by whatever way it comes to them: redirects and robots.txt among them,
// and what waits in a round that was interrupted before they were blocked.
func (r *Round) keepOut(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, run.FileState), 0o700); err != nil {
		return err
	}
	return run.Bar(dir, r.blocked)
}

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
	if len(r.blocked) > 0 {
		return fmt.Errorf("there is no page in %s to visit again but on hosts that are blocked; try: thresher block --again %s --run %s", r.dir, r.blocked[0], shell.Word(r.dir))
	}
	return fmt.Errorf("there is no page in %s to visit again: the crawl kept none", r.dir)
}
