package again

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// Repair is focus.Repair, and mends what rounds have left: lines that cannot be read are taken out, and what they said of pages that are
// kept is written again from kept.jsonl, as far as it stands there. A round that is under way is its run's to repair, whichever of the two
// folders is named.
func Repair(dir string) (done run.Mended, err error) {
	if above := filepath.Dir(filepath.Clean(dir)); filepath.Join(above, folderRound) == filepath.Clean(dir) && filepath.Base(above) == sink.FolderAgain && run.Is(filepath.Dir(above)) {
		dir = filepath.Dir(above)
	}
	if done, err = focus.Repair(dir); err != nil {
		return done, err
	}
	m := mending{dir: dir, below: filepath.Join(dir, sink.FolderAgain)}
	if _, err := os.Stat(m.below); err == nil {
		err = errors.Join(m.mend(), m.mendRound())
		done.Damage, done.Aside = append(done.Damage, m.Damage...), append(done.Aside, m.Aside...)
		done.Sound = done.Sound && len(m.Damage) == 0
		return done, err
	}
	return done, nil
}

// mendRound repairs the round that is under way. One that cannot be is set aside with its plan, for nothing of it counts yet: the next one
// begins where it began.
func (m *mending) mendRound() error {
	round, plan := filepath.Join(m.below, folderRound), filepath.Join(m.below, filePlan)
	if _, err := os.Stat(plan); err != nil || !run.Is(round) {
		return nil
	}
	done, err := focus.Repair(round)
	m.Damage, m.Aside = append(m.Damage, done.Damage...), append(m.Aside, done.Aside...)
	if unread := (*os.PathError)(nil); err == nil || run.Newer(err) || errors.As(err, &unread) && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	m.Damage = append(m.Damage, fmt.Sprintf("%s: %v", round, err))
	return errors.Join(m.SetAside(plan), m.SetAside(round))
}

// mending is a repair of what rounds have left.
type mending struct {
	run.Mended
	dir, below string
}

func (m *mending) mend() error {
	if err := m.MendAgain(m.below); err != nil {
		return err
	}
	for name, into := range map[string]any{fileLinks: &links{}, filePlan: &plan{}} {
		if err := m.setAside(filepath.Join(m.below, name), into); err != nil {
			return err
		}
	}
	for _, name := range sink.FilesAgain { // one that is gone is made anew
		gone := sink.WholeAgain(m.dir, name)
		if gone == nil {
			continue
		}
		m.Damage = append(m.Damage, gone.Error())
		if err := m.renew(name); err != nil {
			return err
		}
	}
	if sink.HasKept(m.dir) {
		if len(m.Damage) == 0 {
			return nil
		}
		return m.restore()
	}
	if standing, err := run.ReadStanding(m.dir); err != nil || standing.State != "finished" || !sink.VisitedAgain(m.dir) {
		return err // a crawl that goes on has removed it, and writes it when it ends
	}
	m.Damage = append(m.Damage, filepath.Join(m.dir, sink.FileKept)+" is gone: it is written anew, without what a second look said")
	return sink.WriteKept(m.dir)
}

// setAside sets a file aside that cannot be read.
func (m *mending) setAside(path string, into any) error {
	bad := readJSON(path, into)
	if unread := (*os.PathError)(nil); bad == nil || errors.As(bad, &unread) {
		return bad
	}
	m.Damage = append(m.Damage, bad.Error())
	return m.SetAside(path)
}

// renew makes a file that is gone, with nothing in it but, in links.json, which round was the last: addresses that it knew are asked for
// once more where a page or a list names them.
func (m *mending) renew(name string) error {
	if name != fileLinks {
		return whole.Private(filepath.Join(m.below, name), nil)
	}
	l := links{}
	err := sink.EachVisited(m.dir, func(k *known) { l.Round = max(l.Round, int(k.ID>>32)) })
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(m.below)
	for _, e := range entries {
		var round int
		if _, other := fmt.Sscanf(e.Name(), "asked-%d.log", &round); other == nil {
			l.Round = max(l.Round, round)
		}
	}
	if err != nil {
		return err
	}
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return whole.Private(filepath.Join(m.below, name), text)
}

// restore writes again what kept.jsonl says of pages of which the other files say nothing any more.
func (m *mending) restore() (err error) {
	have, err := m.left()
	if err != nil {
		return err
	}
	out, err := sink.Open(m.below, sink.Options{To: "jsonl", Rotate: 1 << 60})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	seen, err := sink.OpenLooks(m.below, sink.LooksOptions{Mode: "all", Most: 1 << 60, Rotate: 1 << 60})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, seen.Close()) }()
	var visits bytes.Buffer
	lines := json.NewEncoder(&visits)
	for rec, err := range sink.Kept(m.dir) {
		if err != nil {
			return err
		}
		found := rec.ID>>32 > 0 || rec.LastChanged.After(rec.FirstSeen) // by a round
		if !have.visited[rec.ID] && (found || rec.LastSeen.After(rec.FirstSeen) || rec.Gone != "") {
			err = lines.Encode(known{Visited: sink.Visited{ID: rec.ID, Visits: rec.Visits}, URL: rec.URL})
		}
		kept, looked := have.looks[rec.ID]
		if found && !have.harvest[rec.ID] && (kept || !looked) {
			err = errors.Join(err, out.Write(rec))
		}
		if found && !looked && sink.HasLooks(m.dir) {
			err = errors.Join(err, seen.Take(&sink.Seen{Kept: true, Keys: []uint64{keyOf(rec.URL), keyOf(rec.FinalURL)}, Record: rec}))
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(out.Sync(), seen.Sync(), run.AppendSafely(filepath.Join(m.below, sink.FileVisited), visits.Bytes()))
}

// remains are the pages of which the files that rounds have left say something, by number.
type remains struct{ harvest, looks, visited map[uint64]bool } // those to be looked at again with whether the first look kept them

func (m *mending) left() (remains, error) {
	r := remains{map[uint64]bool{}, map[uint64]bool{}, map[uint64]bool{}}
	for rec, err := range sink.Harvest(m.below) {
		if err != nil {
			return r, err
		}
		r.harvest[rec.ID] = true
	}
	for s, err := range sink.ReadLooks(m.below) {
		if err != nil {
			return r, err
		}
		r.looks[s.Record.ID] = s.Kept
	}
	return r, sink.EachVisited(m.dir, func(v *sink.Visited) { r.visited[v.ID] = true })
}
