package disk

import (
	"errors"
	"iter"
	"os"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// Rebuilt is a link as somebody else remembers it.
type Rebuilt struct {
	Item  frontier.Item
	State frontier.State // waiting, finished or dropped
}

// Rebuild makes a frontier of links that somebody else remembers, in a folder that is not there yet. They come in the order
// of their ids, from 1 on without a gap. last is when the last visit ended, and files is how long the crawl's own files are.
func Rebuild(dir string, links iter.Seq[Rebuilt], last time.Time, files map[string]int64) (err error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	var o Options
	o.defaults()
	to := newJournal(dir, &o)
	if to.key, err = newKey(); err != nil {
		return err
	}
	to.end, to.safe = at(1, segmentHead), at(1, segmentHead)
	for l := range links {
		to.append(kindItem, true, func(k *pack.Coder) { codeItem(k, &l.Item) })
		if l.State != frontier.Waiting {
			to.append(kindState, true, (&stated{l.Item.ID, l.State}).code)
		}
		if to.pending.Load() > plentyPending {
			if err := to.flush(); err != nil {
				return errors.Join(err, to.closeFiles())
			}
		}
	}
	to.append(kindSums, true, (&summed{sums: &sums{at: last, files: files}}).code)
	return to.close()
}
