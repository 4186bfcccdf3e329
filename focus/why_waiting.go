package focus

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// standsWith says how a waiting link stands with the selection of its run, by all that the selection has learned so far; it
// is empty for selections by score alone.
func (r *Run) standsWith(item frontier.Item, restored frontier.Restored) (string, error) {
	s := r.Strategy.Select
	if s.Use != "groups" {
		return "", nil
	}
	g := newGroups(nil, s.Groups, stewarding{})
	if part, err := selectionPart(restored.Learned); err != nil {
		return "", fmt.Errorf("focus: run folder %s: %w", r.Dir, err)
	} else if len(part) > 0 {
		if err := g.Restore(part); err != nil {
			return "", err
		}
	}
	for _, lesson := range restored.Lessons {
		part, err := selectionPart(lesson)
		if err != nil {
			return "", fmt.Errorf("focus: run folder %s: %w", r.Dir, err)
		}
		if err := g.Relearn(part); err != nil {
			return "", err
		}
	}
	return g.stands(item), nil
}

// selectionPart is the part of what a crawl has learned, or of one of its lessons, that its selection learned.
func selectionPart(learned []byte) ([]byte, error) {
	if len(learned) == 0 {
		return nil, nil
	}
	if err := pack.Version(int(learned[0]), learnedVersion); err != nil {
		return nil, err
	}
	r := pack.Reader{Left: learned[1:]}
	var part []byte
	for range selectionPlace + 1 {
		part = r.Bytes()
	}
	if r.Bad {
		return nil, ledger.ErrDamaged
	}
	return part, nil
}
