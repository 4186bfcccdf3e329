package focus

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// recollection is what crawl.log knows of a run whose frontier is damaged: the addresses of links that stood in what is
// lost, and which visits have ended. What a link carries along is worked out again from the pages that led to it, as far
// as the log says how relevant they were.
type recollection struct {
	strategy *rank.Strategy
	remains  disk.Remains
	lost     map[uint64]*Decision // how each lost link entered, or was raised last
	judged   map[uint64]verdict   // of pages that were fetched
	finished map[uint64]bool
	trails   map[uint64]rank.Trail // worked out already
}

// verdict is what the log says of a page.
type verdict struct {
	relevance float64
	relevant  bool
}

// recall reads a crawl.log up to a length: what follows was never kept with an outcome. again is how many visits that is.
// Lines that cannot be read are left out.
func recall(path string, length int64, strategy *rank.Strategy, remains disk.Remains) (r *recollection, again int, err error) {
	r = &recollection{strategy: strategy, remains: remains, lost: map[uint64]*Decision{}, judged: map[uint64]verdict{},
		finished: map[uint64]bool{}, trails: map[uint64]rank.Trail{}}
	for _, id := range remains.Lost {
		r.lost[id] = nil
	}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return r, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("focus: %w", err)
	}
	defer f.Close()
	if err := eachDecision(path, io.LimitReader(f, length), func(d *Decision) bool { r.hear(d); return true }, leaveOut); err != nil {
		return nil, 0, err
	}
	if _, err := f.Seek(length, io.SeekStart); err != nil {
		return nil, 0, fmt.Errorf("focus: %w", err)
	}
	err = eachDecision(path, f, func(d *Decision) bool {
		if d.Fetched() {
			again++
		}
		return true
	}, leaveOut)
	return r, again, err
}

// hear takes in one line of the log.
func (r *recollection) hear(d *Decision) {
	switch d.Decision {
	case "push", "raise":
		if _, lost := r.lost[d.ID]; lost {
			r.lost[d.ID] = d
		}
		delete(r.finished, d.ID)
	case "keep", "drop":
		r.finished[d.ID] = true
		if !math.IsNaN(d.Relevance) {
			r.judged[d.ID] = verdict{d.Relevance, d.Decision == "keep" || d.Reason != admit.RefusedWeak && d.Reason != admit.RefusedList}
		}
	}
}

// items are the lost links that the log knows.
func (r *recollection) items() map[uint64]frontier.Item {
	known := map[uint64]frontier.Item{}
	for id, d := range r.lost {
		if d == nil {
			continue
		}
		l := page.LinkTo(d.URL)
		n := note{trail: r.trail(id), hops: d.Hops, anchor: strings.Join(strings.Fields(d.Anchor), " ")}
		item := frontier.Item{URL: l.URL, Identity: l.Identity, Host: l.Host, Via: d.Via, Depth: n.trail.Depth,
			Numbers: d.Numbers, Score: seedScore, Alt: seedScore, Note: n.bytes()}
		if len(d.Numbers) > 0 {
			item.Score, item.Alt = d.Numbers[0], r.strategy.Alt(d.Numbers)
		}
		known[id] = item
	}
	return known
}

// trail is what led to the page of an item.
func (r *recollection) trail(id uint64) rank.Trail {
	var way []*Decision // from the item up to one whose trail is known
	from := r.strategy.Root()
	for {
		if t, known := r.trails[id]; known {
			from = t
			break
		}
		d, lost := r.lost[id]
		if !lost {
			from = r.carried(id)
			break
		}
		if d == nil || d.Via == 0 || len(way) > math.MaxUint16 { // more: the log is damaged, and goes round in a circle
			break
		}
		way = append(way, d)
		id = d.Via
	}
	for i := len(way) - 1; i >= 0; i-- {
		from = r.follow(from, way[i])
		r.trails[way[i].ID] = from
	}
	return from
}

// carried is the trail that an item carries which can be read.
func (r *recollection) carried(id uint64) rank.Trail {
	item, err := r.remains.Read(id)
	if err != nil {
		return r.strategy.Root()
	}
	n, err := readNote(item)
	if err != nil {
		return r.strategy.Root()
	}
	return n.trail
}

// follow is the trail of a link of a page whose own trail is known.
func (r *recollection) follow(trail rank.Trail, d *Decision) rank.Trail {
	if strings.HasSuffix(d.Hops, string(hopRedirect)) {
		return trail // it waits in the place of the link that led to it
	}
	v := r.judged[d.Via]
	judged := topic.Judgement{Relevance: v.relevance, Relevant: v.relevant}
	e := rank.Evidence{Trail: trail, Judgement: r.strategy.Regard(judged)}
	t, _ := r.strategy.Follow(&e)
	return t
}

// witness tells what crawl.log knows, and what has become of the files of the run.
func (done *Repaired) witness(dir string, strategy *rank.Strategy) disk.Witness {
	return func(remains disk.Remains) (disk.Account, error) {
		files, err := done.measure(dir, remains.Files)
		if err != nil {
			return disk.Account{}, err
		}
		r, again, err := recall(filepath.Join(dir, fileLog), files[fileLog], strategy, remains)
		if err != nil {
			return disk.Account{}, err
		}
		done.Again = again
		return disk.Account{Items: r.items(), Finished: r.finished, Files: files}, nil
	}
}
