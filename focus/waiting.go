package focus

import (
	"cmp"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
)

// WaitingLink is a link that waits in the frontier of a run.
type WaitingLink struct {
	URL, Anchor string
	Hops        string
	Score       float64 // the promise; NaN of a start page
	Held        bool    // its selection has not let it go yet
}

// frontier opens the frontier of a run for reading, even while the crawl goes on; nil where the folder has none, as a run
// that is shared has.
func (r *Run) frontier() (*disk.Frontier, error) {
	f, err := disk.OpenReadOnly(filepath.Join(r.Dir, fileState))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err == nil && f.Restored().Items == 0 {
		err, f = f.Close(), nil
	}
	return f, err
}

// Waiting are the links that wait, in the order in which they would be visited if no host had to rest; visits that are
// under way are among them. ok is false where the run has no frontier of its own.
func (r *Run) Waiting() (links []WaitingLink, ok bool, err error) {
	f, err := r.frontier()
	if err != nil || f == nil {
		return nil, false, err
	}
	defer f.Close()
	var items []frontier.Item
	for id := uint64(1); id <= uint64(f.Restored().Items); id++ {
		item, state, err := f.Look(id)
		if state != frontier.Waiting {
			continue
		}
		if err != nil {
			return nil, false, err
		}
		items = append(items, item)
	}
	slices.SortFunc(items, func(a, b frontier.Item) int {
		return cmp.Or(cmp.Compare(a.Tier, b.Tier), cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	for _, item := range items {
		l, err := waitingLink(item)
		if err != nil {
			return nil, false, err
		}
		links = append(links, l)
	}
	return links, true, nil
}

func waitingLink(item frontier.Item) (WaitingLink, error) {
	n, err := readNote(item)
	if err != nil {
		return WaitingLink{}, err
	}
	l := WaitingLink{URL: item.URL, Anchor: n.anchor, Hops: n.hops, Score: math.NaN(), Held: item.Tier >= frontier.Held}
	if len(item.Numbers) > 0 {
		l.Score = float64(item.Numbers[0])
	}
	return l, nil
}

// ranked gives a link that waits the numbers it has now, and tells whether it still does: the log has what it entered with.
func (r *Run) ranked(w *Why) error {
	f, err := r.frontier()
	if err != nil || f == nil {
		return err
	}
	defer f.Close()
	item, state, err := f.Look(w.Link.ID)
	if err != nil {
		return err
	}
	if state == frontier.Waiting && len(item.Numbers) > 0 {
		link := *w.Link
		link.Numbers, link.Score = item.Numbers, float64(item.Numbers[0])
		w.Link = &link
	}
	if state == frontier.Waiting {
		if w.Chosen, err = r.standsWith(item, f.Restored()); err != nil {
			return err
		}
	}
	switch {
	case state == frontier.Dropped:
		w.Fate = FateGivenUp
	case state == frontier.Waiting && item.Tier >= frontier.Held && w.Reason == "":
		w.Reason = "until its selection lets it go"
	}
	return nil
}
