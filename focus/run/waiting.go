package run

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/selection"
	"github.com/thresher-crawler/thresher/focus/shell"
)

// WaitingLink is a link that waits in the frontier of a run.
type WaitingLink struct {
	URL, Anchor string
	Hops        string
	Score       float64 // the promise; NaN of a start page
}

// frontier opens the frontier of a run for reading, even while the crawl goes on; nil where the folder has none, as a run
// that is shared has.
func (r *Run) frontier() (*disk.Frontier, error) {
	f, err := disk.OpenReadOnly(filepath.Join(r.Dir, FileState))
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
		l, err := waitingOf(item)
		if err != nil {
			return nil, false, err
		}
		links = append(links, l)
	}
	return links, true, nil
}

func waitingOf(item frontier.Item) (WaitingLink, error) {
	n, err := ReadNote(item)
	if err != nil {
		return WaitingLink{}, err
	}
	l := WaitingLink{URL: item.URL, Anchor: n.Anchor, Hops: n.Hops, Score: math.NaN()}
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

// Ledger is what a run that went on alone has counted, as its state has it; nil where the folder has none. What robots.txt files said
// is in it.
func (r *Run) Ledger() (*ledger.Ledger, error) {
	f, err := r.frontier()
	if err != nil || f == nil {
		return nil, err
	}
	defer f.Close()
	restored, counted, nobody := f.Restored(), ledger.New(), &Learners{}
	counted.Robots = ledger.NewKeeper()
	if len(restored.Learned) > 0 {
		err = nobody.Restore(counted, restored.Learned)
	}
	for _, lesson := range restored.Lessons {
		if err == nil {
			err = nobody.Relearn(counted, lesson)
		}
	}
	if err != nil && !Newer(err) && !OfMachine(r.Dir) {
		err = fmt.Errorf("%w; 'thresher repair --run %s' rebuilds the state from what is left", err, shell.Word(r.Dir))
	}
	if err != nil {
		return nil, fmt.Errorf("run folder %s: %w", r.Dir, err)
	}
	return counted, nil
}

// standsWith says how a waiting link stands with the selection of its run, by all that the selection has learned so far; it
// is empty for selections by score alone, and where the strategy is not known.
func (r *Run) standsWith(item frontier.Item, restored frontier.Restored) (string, error) {
	if r.Strategy == nil {
		return "", nil
	}
	g, ok := selection.Reading(r.Strategy.Select)
	if !ok {
		return "", nil
	}
	if part, err := selectionPart(restored.Learned); err != nil {
		return "", fmt.Errorf("run folder %s: %w", r.Dir, err)
	} else if len(part) > 0 {
		if err := g.Restore(part); err != nil {
			return "", err
		}
	}
	for _, lesson := range restored.Lessons {
		part, err := selectionPart(lesson)
		if err != nil {
			return "", fmt.Errorf("run folder %s: %w", r.Dir, err)
		}
		if err := g.Relearn(part); err != nil {
			return "", err
		}
	}
	return g.Stands(item), nil
}

// selectionPart is the part of what a crawl has learned, or of one of its lessons, that its selection learned.
func selectionPart(learned []byte) ([]byte, error) {
	if len(learned) == 0 {
		return nil, nil
	}
	if err := pack.Version(int(learned[0]), learnedVersion); err != nil {
		return nil, err
	}
	k := pack.Coder{Bytes: learned[1:], Read: true}
	var part []byte
	for range placeSelection + 1 {
		k.Blob(&part)
	}
	if k.Bad {
		return nil, ledger.ErrDamaged
	}
	return part, nil
}
