package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus/outlet"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// earlier is what an earlier export said of pages, by number: as much as tells whether they are the same now.
type earlier map[uint64]uint64

const sinceExample = "thresher export --fields id,final_url,last_changed,gone --out last.jsonl"

// state is what tells a page from itself at another time.
func state(address, changed, gone string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\n%s\n%s", address, changed, gone) // cannot fail
	return h.Sum64()
}

func stateOf(r *sink.Record) uint64 {
	changed := r.LastChanged
	if changed.IsZero() { // it was visited once
		changed = r.Time
	}
	if changed.IsZero() { // a harvest of chosen fields does not say when
		return state(r.FinalURL, "", r.Gone)
	}
	return state(r.FinalURL, changed.Format(time.RFC3339Nano), r.Gone)
}

// readEarlier reads an earlier export, lines that may be packed. One that is empty knows of no page.
func readEarlier(name string) (earlier, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) { // a day, perhaps
		return nil, usageError{fmt.Sprintf("--since %s: there is no such file; want that of an earlier export as jsonl", name), sinceExample}
	}
	if err != nil {
		return nil, misuse(err)
	}
	defer f.Close()
	in, err := outlet.Unpacked(f)
	if err != nil {
		return nil, misuse(fmt.Errorf("--since: read %s: %w", name, err))
	}
	defer in.Close()
	pages := earlier{}
	for lines := json.NewDecoder(in); ; {
		var page struct {
			ID       uint64
			FinalURL *string         `json:"final_url"`
			Changed  json.RawMessage `json:"last_changed"` // null where nothing says when
			Gone     *string
		}
		err := lines.Decode(&page)
		var changed string
		if err == nil && page.Changed != nil {
			err = json.Unmarshal(page.Changed, &changed)
		}
		switch {
		case err == io.EOF:
			return pages, nil
		case err != nil:
			return nil, usageError{fmt.Sprintf("--since %s is no earlier export as jsonl: page %d: %v", name, len(pages)+1, err), sinceExample}
		case page.ID == 0 || page.FinalURL == nil || page.Changed == nil || page.Gone == nil:
			return nil, usageError{fmt.Sprintf("--since %s has not the fields id, final_url, last_changed and gone, by which a page is known: page %d", name, len(pages)+1), sinceExample}
		}
		pages[page.ID] = state(*page.FinalURL, changed, *page.Gone)
	}
}

// later are the pages that the earlier export has not, or has otherwise, and how many it has that are not among all.
func (e earlier) later(all []leaf) (later []leaf, lost int) {
	lost = len(e)
	later = slices.DeleteFunc(all, func(l leaf) bool {
		was, had := e[l.id]
		if had {
			lost--
		}
		return had && was == l.state
	})
	return later, lost
}

// tellLost says how many pages of the earlier export a whole one would not have now: who has them is to take them out.
func (f *exportFlags) tellLost(w io.Writer) {
	if f.lost > 0 {
		fmt.Fprintf(w, "%s of %s would not be in a whole export now: take out those whose id it has not\n", plural(f.lost), f.since)
	}
}
