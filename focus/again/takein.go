package again

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// Told is what a round came to.
type Told struct {
	Round   int   `json:"round"`
	Visited int   `json:"visited"`
	Same    int   `json:"unchanged"`
	Changed int   `json:"changed"`
	Gone    int   `json:"gone"`
	Still   int   `json:"still_gone"`   // pages that were gone before
	New     int   `json:"new"`          // pages that are kept and were not there before, or not known
	Failed  int   `json:"not_answered"` // pages that were to be visited and are neither there nor gone: it is tried again
	Left    int   `json:"left"`         // pages whose turn has not come
	Moved   int64 `json:"moved_bytes"`  // of bodies
}

// outcome is how one visit of the round ended.
type outcome struct {
	run.Decision
	fetched
	was  *known // nil of a page that is new
	same bool   // its host says that it is as it was
	news bool   // it says something else than before, or is new
	id   uint64 // its number in the run
	kept bool   // by the first look
	says string // what it says now, where it is kept or may be by a second look
	body string // digest of its bytes, as its record has it
}

// TakeIn takes what the round found into the run. It may be done again, after a crash in its middle, and comes to the same:
// what is compared is what stood in the plan. With links.json, the last that is written, the round is taken in.
func (r *Round) TakeIn() (told Told, err error) {
	if r.takenIn() { // but for what comes after it
		return Told{Round: r.plan.Round}, nil
	}
	if err := r.noted(); err != nil {
		return told, err
	}
	ended, err := r.outcomes()
	if err != nil {
		return told, err
	}
	told = r.judge(ended)
	steps, err := r.steps(ended)
	for _, step := range steps {
		err = errors.Join(err, step())
		if err != nil {
			break
		}
	}
	return told, err
}

// steps are what has to be written, in this order: a process that is killed between two of them has changed nothing that the
// next one does not change in the same way.
func (r *Round) steps(ended map[uint64]*outcome) ([]func() error, error) {
	next := filepath.Join(r.below, folderNext)
	if err := errors.Join(os.RemoveAll(next), os.MkdirAll(next, 0o700)); err != nil {
		return nil, err
	}
	changed := map[uint64]*outcome{} // by the number in the round
	for _, o := range ended {
		if o.news {
			changed[o.ID] = o
		}
	}
	return []func() error{
		func() error { return r.records(next, changed) }, func() error { return r.looks(next, changed) }, r.archive, r.listed, r.visits,
		func() error { return r.asked(next) },
		func() error { return r.links(ended) },
	}, nil
}

// outcomes are the visits of the round, by number.
func (r *Round) outcomes() (map[uint64]*outcome, error) {
	dir := filepath.Join(r.below, folderRound)
	notes, err := readFetched(dir)
	if err != nil {
		return nil, err
	}
	planned := map[string]*known{}
	for _, k := range r.plan.Pages {
		planned[k.URL] = k
	}
	all := map[uint64]*outcome{}
	err = run.ReadLog(filepath.Join(dir, run.FileLog), func(d *run.Decision) bool {
		if d.Decision == "keep" || d.Decision == "drop" {
			o := &outcome{Decision: *d, was: planned[d.URL], same: d.Title == unchanged, id: uint64(r.plan.Round)<<32 | d.ID}
			if n, ok := notes[d.URL]; ok && n.Status == d.Status {
				o.fetched = n
			}
			if o.was != nil {
				o.id = o.was.ID
			}
			all[d.ID] = o
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	for rec, err := range sink.Harvest(dir) {
		if err != nil {
			return nil, err
		}
		if o := all[rec.ID]; o != nil {
			o.kept, o.says, o.body = true, saysOf(rec), rec.Digest
		}
	}
	if !sink.HasLooks(dir) {
		return all, nil
	}
	for s, err := range sink.ReadLooks(dir) {
		if err != nil {
			return nil, err
		}
		if o := all[s.Record.ID]; o != nil && !o.same {
			o.says, o.body = saysOf(s.Record), s.Record.Digest
		}
	}
	return all, nil
}

// judge says of each visit what it means for what the run knows, and counts.
func (r *Round) judge(ended map[uint64]*outcome) Told {
	told := Told{Round: r.plan.Round}
	seen := map[*known]bool{}
	for _, k := range r.plan.Pages {
		*r.memory.page(k.ID, k.URL, k.FirstSeen) = *k // as it stood when the round began
	}
	have := map[string]bool{}
	for rec, err := range sink.Harvest(r.dir) {
		if err == nil && rec.ID>>32 != uint64(r.plan.Round) {
			have[rec.Digest] = true
		}
	}
	for _, id := range sorted(ended) {
		o := ended[id]
		told.Moved += o.Moved
		if o.Decision.Status != 0 {
			told.Visited++
		}
		if o.was == nil {
			r.welcome(o, have, ended, &told)
			continue
		}
		seen[o.was] = true
		o.was = r.memory.of[o.was.ID]
		r.compare(o, &told)
	}
	told.Left = r.plan.Due - len(seen)
	return told
}

// compare says what became of a page that is known.
func (r *Round) compare(o *outcome, told *Told) {
	k, at := o.was, o.at()
	switch {
	case o.Decision.Status == http.StatusNotFound || o.Decision.Status == http.StatusGone:
		if k.Gone == "" {
			k.Gone = at.Format(time.RFC3339)
			told.Gone++
		} else {
			told.Still++
		}
		return
	case o.Decision.Status != http.StatusOK || !o.same && !o.isRead():
		told.Failed++
		return
	}
	k.Gone = ""
	look := Look{After: at.Sub(k.LastSeen)}
	look.Changed = !o.same && !(k.Body != "" && k.Body == o.Body) && !(k.Says != "" && k.Says == o.says)
	if !o.same {
		k.ETag, k.Modified, k.Body = o.ETag, o.Modified, o.Body
	}
	if kind := o.Reason.Kind(); kind == admit.RefusedNoIndex || kind == admit.RefusedReserved {
		k.Out = k.Kept || k.Out // whether it says something else or not
	} else if look.Changed {
		k.Out = o.says == "" && (k.Kept || k.Out)
	}
	if look.Changed {
		if m, err := http.ParseTime(o.Modified); err == nil && m.After(k.LastSeen) && at.Sub(m) > fastest {
			look.Ago = at.Sub(m)
		}
		o.news, k.LastChanged = true, at
		if k.Kept || o.kept {
			k.Says = o.says
			told.Changed++
		} else {
			told.Same++ // a hub, which is no page of the harvest
		}
	} else {
		told.Same++
	}
	k.LastSeen = at
	k.Looks = append(k.Looks, look)
	k.Looks = k.Looks[max(len(k.Looks)-mostLooks, 0):]
}

// welcome takes in a page that was never visited before.
func (r *Round) welcome(o *outcome, have map[string]bool, ended map[uint64]*outcome, told *Told) {
	if o.says == "" || have[o.body] { // it is of no use, or repeats one that is there
		o.says = ""
		if o.isUnanswered() {
			told.Failed++
		}
		return
	}
	have[o.body] = true
	o.news = true
	k := r.memory.page(o.id, o.address(), o.at())
	k.Says, k.ETag, k.Modified, k.Body = o.says, o.ETag, o.Modified, o.Body
	if via := ended[o.Via]; via != nil {
		k.Via = via.id
	}
	if o.kept {
		told.New++
	}
}

// isRead tells of an answer that it is the page, and not something in its place, such as a wall against bots or an error with
// status 200. About what is not relevant the second look decides, where it has the page; whatever else is not kept must go.
func (o *outcome) isRead() bool {
	switch o.Reason.Kind() {
	case "", admit.RefusedWeak, admit.RefusedDuplicate, admit.RefusedNoIndex, admit.RefusedReserved, admit.RefusedLacking, admit.RefusedLanguage:
		return true
	}
	return false
}

func (o *outcome) address() string { return o.Decision.URL }

// at is when it was visited: the log has that to the millisecond.
func (o *outcome) at() time.Time {
	if o.At.IsZero() {
		return o.Time.UTC()
	}
	return o.At
}

func sorted(ended map[uint64]*outcome) []uint64 {
	ids := make([]uint64, 0, len(ended))
	for id := range ended {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// records writes the pages that have changed since the first crawl, or are new since.
func (r *Round) records(next string, changed map[uint64]*outcome) error {
	out, err := sink.Open(next, sink.Options{To: "jsonl", Rotate: 1 << 60})
	if err != nil {
		return err
	}
	now := map[uint64]bool{}
	for _, o := range changed {
		if o.kept {
			now[o.id] = true
		}
	}
	if names, _ := sink.HarvestFiles(r.below); len(names) > 0 {
		for rec, err := range sink.Harvest(r.below) {
			if err != nil {
				return errors.Join(err, out.Close())
			}
			if !now[rec.ID] {
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
			rec.ID = o.id
			if err := out.Write(rec); err != nil {
				return errors.Join(err, out.Close())
			}
		}
	}
	if err := errors.Join(out.Sync(), out.Close()); err != nil {
		return err
	}
	return os.Rename(filepath.Join(next, "harvest.jsonl"), filepath.Join(r.below, "harvest.jsonl"))
}

// looks does the same for the pages of which a second look decides.
func (r *Round) looks(next string, changed map[uint64]*outcome) error {
	out, err := sink.OpenLooks(next, sink.LooksOptions{Mode: "all", Threshold: r.config.Topic.Threshold, Most: 1 << 60, Rotate: 1 << 60})
	if err != nil {
		return err
	}
	now := map[uint64]bool{}
	for _, o := range changed {
		now[o.id] = true
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
	err = take(r.below, func(rec *sink.Record) bool { return !now[rec.ID] })
	if err == nil {
		err = take(filepath.Join(r.below, folderRound), func(rec *sink.Record) bool {
			o := changed[rec.ID]
			if o == nil || o.says == "" {
				return false
			}
			rec.ID = o.id
			return true
		})
	}
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return err
	}
	return os.Rename(filepath.Join(next, "look.jsonl"), filepath.Join(r.below, "look.jsonl"))
}

// archive puts the archives of the round behind those of the rounds before.
func (r *Round) archive() error {
	have, err := archives(r.below)
	if err != nil {
		return err
	}
	from := filepath.Join(r.below, folderRound)
	names, err := archives(from)
	if err != nil {
		return err
	}
	for i, name := range names {
		to := fmt.Sprintf("pages-%04d.warc.gz", len(have)+i)
		if err := os.Rename(filepath.Join(from, name), filepath.Join(r.below, to)); err != nil {
			return err
		}
	}
	return nil
}

// listed takes over what the hosts said of their sitemaps and feeds.
func (r *Round) listed() error {
	notes, err := readFetched(filepath.Join(r.below, folderLists))
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
	l := links{Round: r.plan.Round, Known: r.memory.Known, Tried: slices.Clone(r.memory.Tried)}
	waiting := map[string]bool{}
	for _, address := range slices.Concat(r.memory.Waiting, r.news, r.plan.Fresh) {
		waiting[address] = true
	}
	err := run.ReadLog(filepath.Join(r.below, folderRound, run.FileLog), func(d *run.Decision) bool {
		if d.Decision == "push" && d.Via != 0 {
			waiting[d.URL] = true
		}
		return true
	})
	if err != nil {
		return err
	}
	for _, id := range sorted(ended) {
		o := ended[id]
		delete(waiting, o.address())
		switch {
		case o.was != nil || o.says != "":
		case l.again(o):
			waiting[o.address()] = true
		default:
			l.Known = append(l.Known, o.address())
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
	return whole.Write(filepath.Join(r.below, fileLinks), text)
}

// visits writes down what is known of each page now.
func (r *Round) visits() error {
	var b strings.Builder
	out := json.NewEncoder(&b)
	slices.SortFunc(r.memory.pages, func(a, b *known) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	for _, k := range r.memory.pages {
		if err := out.Encode(k); err != nil {
			return err
		}
	}
	return whole.Write(filepath.Join(r.below, sink.FileVisited), []byte(b.String()))
}

// End is called when what the round found has been looked at again: nothing of it is left but what was taken in. A run of which no
// second look is taken gets its kept.jsonl here.
func (r *Round) End(looked bool) error {
	if !looked {
		if err := r.keep(); err != nil {
			return err
		}
	}
	return r.clean()
}

// keep writes kept.jsonl of all that is kept.
func (r *Round) keep() (err error) {
	file, err := os.CreateTemp(r.dir, whole.Beside+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	out := bufio.NewWriterSize(file, 256<<10)
	encoder, err := sink.NewEncoder(out, "jsonl", nil)
	if err != nil {
		return err
	}
	for rec, err := range sink.Harvest(r.dir) {
		if err == nil {
			err = encoder.Encode(rec)
		}
		if err != nil {
			return err
		}
	}
	if err = errors.Join(out.Flush(), file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), filepath.Join(r.dir, sink.FileKept))
}
