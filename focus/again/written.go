package again

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// records writes the pages that have changed since the first crawl, or are new since.
func (r *Round) records(next string, changed map[uint64]*outcome) error {
	out, err := sink.Open(next, sink.Options{To: "jsonl", Rotate: 1 << 60})
	if err != nil {
		return err
	}
	now := ways{}
	for _, o := range changed {
		if o.kept {
			now[o.id] = nil
		}
	}
	if names, _ := sink.HarvestFiles(r.below); len(names) > 0 {
		for rec, err := range sink.Harvest(r.below) {
			if err != nil {
				return errors.Join(err, out.Close())
			}
			if !now.had(rec) {
				if err := out.Write(rec); err != nil {
					return errors.Join(err, out.Close())
				}
			}
		}
	}
	for rec, err := range sink.Harvest(filepath.Join(r.below, folderRound)) {
		if err != nil {
			return errors.Join(err, out.Close())
		}
		if o := changed[rec.ID]; o != nil && o.kept {
			now.give(rec, o.id)
			if err := out.Write(rec); err != nil {
				return errors.Join(err, out.Close())
			}
		}
	}
	if err := errors.Join(out.Sync(), out.Close()); err != nil {
		return err
	}
	return whole.Replace(filepath.Join(next, "harvest.jsonl"), filepath.Join(r.below, "harvest.jsonl"))
}

// ways are those by which the pages that have changed were come to when they were found, by number; nil as long as that is not known.
type ways map[uint64]*sink.Way

// had tells of a page of an earlier round that it has changed, and notes how that came to it.
func (w ways) had(rec *sink.Record) bool {
	_, ok := w[rec.ID]
	if ok {
		way := rec.Way // alone: the text of all pages that have changed is too much to keep
		w[rec.ID] = &way
	}
	return ok
}

// give makes the record of a round that of the page: by its number, and by the way that led there first.
func (w ways) give(rec *sink.Record, id uint64) {
	if rec.ID = id; w[id] != nil {
		rec.Way = *w[id]
	}
}

// looks does the same for the pages of which a second look decides.
func (r *Round) looks(next string, changed map[uint64]*outcome) error {
	out, err := sink.OpenLooks(next, sink.LooksOptions{Mode: "all", Threshold: r.config.Topic.Threshold, Most: 1 << 60, Rotate: 1 << 60})
	if err != nil {
		return err
	}
	now := ways{}
	for _, o := range changed {
		now[o.id] = nil
	}
	take := func(dir string, of func(*sink.Record) bool) error {
		if !sink.HasLooks(dir) {
			return nil
		}
		for s, err := range sink.ReadLooks(dir) {
			if err == nil && of(s.Record) {
				err = out.Take(s)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	err = take(r.below, func(rec *sink.Record) bool { return !now.had(rec) })
	if err == nil {
		err = take(filepath.Join(r.below, folderRound), func(rec *sink.Record) bool {
			o := changed[rec.ID]
			if o == nil || o.says == "" {
				return false
			}
			now.give(rec, o.id)
			return true
		})
	}
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return err
	}
	return whole.Replace(filepath.Join(next, "look.jsonl"), filepath.Join(r.below, "look.jsonl"))
}

// archive puts the archives of the round behind those of the rounds before, under numbers that none of them has had: old ones may have been
// deleted, or put elsewhere, where these may follow them.
func (r *Round) archive() error {
	have, err := archives(r.below)
	if err != nil {
		return err
	}
	next := r.memory.Archives
	for _, name := range have {
		var n int
		if _, other := fmt.Sscanf(name, archiveName, &n); other == nil {
			next = max(next, n+1)
		}
	}
	from := filepath.Join(r.below, folderRound)
	names, err := archives(from)
	if err != nil {
		return err
	}
	for i, name := range names {
		if err := os.Rename(filepath.Join(from, name), filepath.Join(r.below, fmt.Sprintf(archiveName, next+i))); err != nil {
			return err
		}
	}
	r.memory.Archives = next + len(names)
	return nil
}

const archiveName = "pages-%04d.warc.gz"

// archives are the archives in a folder that hold anything.
func archives(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Size() > 0 && strings.HasPrefix(e.Name(), "pages-") && strings.HasSuffix(e.Name(), ".warc.gz") {
			names = append(names, e.Name())
		}
	}
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return names, err
}

// listed takes over what the hosts said of their sitemaps and feeds.
func (r *Round) listed() error {
	notes, err := readFetched(filepath.Join(r.below, folderRound))
	if err != nil {
		return err
	}
	for _, k := range r.memory.pages {
		if n, ok := notes[k.URL]; ok && k.List && n.List {
			k.ETag, k.Modified, k.Body, k.LastSeen = n.ETag, n.Modified, n.Body, n.At
		}
	}
	return nil
}

// links writes down which addresses are no news, and which wait for the next round. It is what makes the round part of the run.
func (r *Round) links(ended map[uint64]*outcome) error {
	l := links{Round: r.plan.Round, Archives: r.memory.Archives, Told: r.memory.Told, Known: r.memory.Known, Tried: slices.Clone(r.memory.Tried), Absent: map[string]time.Time{}}
	maps.Copy(l.Absent, r.memory.Absent)
	waiting, tries := map[string]bool{}, l.tries()
	for _, address := range slices.Concat(r.memory.Waiting, r.news, r.plan.Fresh, r.plan.Later) {
		waiting[address] = true
	}
	if err := r.onward(func(address string, _ bool) { waiting[address] = true }); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(ended)) {
		o := ended[id]
		delete(waiting, o.address())
		delete(l.Absent, o.address())
		switch {
		case o.was != nil && !o.onward || o.says != "":
		case l.again(o, tries):
			waiting[o.address()] = true
		default:
			l.Known = append(l.Known, o.address())
			if isAbsent(&o.Decision) {
				l.Absent[o.address()] = o.at()
			}
		}
	}
	l.Tried = slices.DeleteFunc(l.Tried, func(address string) bool { return !waiting[address] })
	for address := range waiting {
		l.Waiting = append(l.Waiting, address)
	}
	slices.Sort(l.Waiting)
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return whole.Private(filepath.Join(r.below, fileLinks), text)
}

// visits writes down what is known of each page now.
func (r *Round) visits() error {
	var b strings.Builder
	out := json.NewEncoder(&b)
	slices.SortFunc(r.memory.pages, func(a, b *known) int { return cmp.Compare(a.ID, b.ID) })
	for _, k := range r.memory.pages {
		if err := out.Encode(k); err != nil {
			return err
		}
	}
	return whole.Private(filepath.Join(r.below, sink.FileVisited), []byte(b.String()))
}

// End is called when what the round found has been looked at again: nothing of it is left but what was taken in. A run of which no
// second look is taken gets its kept.jsonl here.
func (r *Round) End(looked bool) error {
	if !looked {
		if err := sink.WriteKept(r.dir); err != nil {
			return err
		}
	}
	return r.clean()
}

// Out is how many pages were kept before the round, and are not after its end.
func (r *Round) Out() (out int, err error) {
	kept := map[uint64]bool{}
	for rec, err := range sink.KeptBriefly(r.dir) {
		if err != nil {
			return 0, err
		}
		kept[rec.ID] = true
	}
	for _, k := range r.memory.pages {
		if k.Kept && !kept[k.ID] {
			out++
		}
	}
	return out, nil
}
