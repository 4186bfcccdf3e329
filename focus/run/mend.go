package run

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// Mended is what a repair found in a run folder, and what it made of it. Nothing is deleted.
type Mended struct {
	Damage  []string // what could not be read, with file and place
	Aside   []string // the files and folders that hold it now
	Sound   bool     // nothing was damaged, and nothing was changed
	Rebuilt bool     // the state was made anew from the log and the harvest

	Links, Waiting int // of the state that was made anew
	Lost           int // links of which neither log nor harvest says anything
	Again          int // pages that were kept, stand in the harvest no more, and are visited again
	Unsaid         int // pages that stand there no more, and nothing says which
}

// MayRepair tells whether a run can be repaired at all, and how its standing is damaged, if it is.
func MayRepair(dir string) (damage, err error) {
	running, err := isRunning(dir)
	if err != nil {
		return nil, err
	}
	if running {
		return nil, fmt.Errorf("a crawl is running in %s; stop it first: thresher stop --run %s", dir, dir)
	}
	if _, damage = ReadStanding(dir); Newer(damage) || withheld(damage) || errors.Is(damage, os.ErrNotExist) {
		return nil, damage
	}
	return damage, nil
}

// MendMachine mends the folder of one machine of a shared crawl, whose state is in Redis.
func (m *Mended) MendMachine(dir string) error {
	if err := m.mendLines(dir); err != nil || len(m.Damage) > 0 {
		return err
	}
	return fmt.Errorf("%s is the folder of one machine of a shared crawl, and holds nothing to repair; if the crawl refuses it: %s", dir, MoveAway(dir))
}

// Examine reads everything in a folder that a run needs to go on, and tells whether its state must be made anew. It takes out
// of log and harvest the lines that cannot be read, writes the strategy again where that is gone, and changes nothing else. remember
// takes back all that was learned.
func (m *Mended) Examine(dir string, standing error, strategy *rank.Strategy, remember func(frontier.Restored) error) (anew bool, err error) {
	if err := sink.Gaps(dir); err != nil { // nothing helps but the file itself: without it the crawl could not be gone on with
		return false, err
	}
	short, unread := examine(dir, remember)
	if Newer(unread) || withheld(unread) {
		return false, unread
	}
	for _, err := range []error{standing, unread} {
		if err != nil {
			m.Damage = append(m.Damage, err.Error())
		}
	}
	if err := m.mendStrategy(dir, strategy); err != nil {
		return false, err
	}
	if err := m.mendLines(dir); err != nil {
		return false, err
	}
	m.Damage = append(m.Damage, short...)
	m.Sound = len(m.Damage) == 0
	return unread != nil || len(short) > 0, nil
}

// examine answers the first thing of a state that cannot be read, or which files of results are shorter than the state says.
func examine(dir string, remember func(frontier.Restored) error) (short []string, err error) {
	f, err := disk.Examine(filepath.Join(dir, FileState), safeBefore(dir))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	restored := f.Restored()
	standing, unsaid := ReadStanding(dir)
	if restored.Items == 0 && (&Folder{Dir: dir, Before: &standing}).begun() { // which no crawl opens
		return nil, fmt.Errorf("%s: nothing of what was kept there can be read", filepath.Join(dir, FileState))
	}
	for id := uint64(1); id <= uint64(restored.Items); id++ {
		if _, _, err := f.Look(id); err != nil {
			return nil, err
		}
	}
	if err := remember(restored); err != nil {
		return nil, fmt.Errorf("run folder %s: what was learned cannot be taken back: %w", dir, err)
	}
	for name, length := range Below(restored.Files) {
		have, _, err := sink.Whole(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if have < length && !reaches(filepath.Join(dir, name), length) {
			short = append(short, fmt.Sprintf("%s: %d of its %d bytes are whole", filepath.Join(dir, name), have, length))
		}
	}
	if unsaid == nil && standing.Reason == Repaired {
		back, err := putBack(dir, restored.Files)
		return append(short, back...), err
	}
	return short, nil
}

// putBack tells of the files of records that hold more than the state knows of. Of a run that was repaired, and not gone on with, they
// are what somebody has put back.
func putBack(dir string, files map[string]int64) (more []string, err error) {
	for _, pattern := range records {
		paths, err := results(dir, pattern)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			info, err := os.Stat(path)
			if err != nil {
				return nil, err
			}
			if known := files[filepath.Base(path)]; info.Size() > known {
				more = append(more, fmt.Sprintf("%s: it holds %d bytes, and the run was repaired with %d of them", path, info.Size(), known))
			}
		}
	}
	return more, nil
}

// reaches tells whether a file is as long as it was told to be; one of lines must also end one there.
func reaches(path string, length int64) bool {
	f, err := os.Open(path)
	if err != nil {
		return length == 0 && errors.Is(err, os.ErrNotExist)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < length || length == 0 || filepath.Ext(path) != ".jsonl" {
		return err == nil && info.Size() >= length
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], length-1)
	return err == nil && last[0] == '\n'
}

// mendStrategy writes the strategy of a run again where it cannot be read, if it is still the one that ran.
func (m *Mended) mendStrategy(dir string, strategy *rank.Strategy) error {
	_, unread := strategyOf(dir)
	if unread == nil || withheld(unread) {
		return unread
	}
	if s, err := ReadStanding(dir); err == nil && s.Fingerprint != strategy.Fingerprint() {
		return fmt.Errorf("%w; the strategy %s is not what it was: put its file back as it was first", unread, s.Strategy)
	}
	m.Damage = append(m.Damage, unread.Error())
	path := filepath.Join(dir, FileStrategy)
	if err := m.SetAside(path); err != nil {
		return err
	}
	return WriteFile(path, strategy.YAML())
}

// mendLines takes out of the log, of the harvest and of the pages for a second look the lines that cannot be read, and sees to what a
// second look has written.
func (m *Mended) mendLines(dir string) error {
	err := m.blank(filepath.Join(dir, FileLog), "#damaged", isLine)
	for _, name := range sealedFiles {
		if err != nil {
			break
		}
		err = m.blank(filepath.Join(dir, FileState, name), markDamaged, func(line []byte) error {
			_, err := unsealed(string(line))
			return err
		})
	}
	if err != nil {
		return err
	}
	err = m.blankAll(dir, "harvest*.jsonl", func(line []byte) error { return new(sink.Record).UnmarshalJSON(line) })
	if err == nil {
		err = m.blankAll(dir, "look*.jsonl", func(line []byte) error { return new(sink.Seen).UnmarshalJSON(line) })
	}
	if err == nil {
		err = m.mendKept(dir)
	}
	return err
}

// blankAll takes out of the files of a pattern the lines that cannot be read.
func (m *Mended) blankAll(dir, pattern string, read func(line []byte) error) error {
	paths, err := results(dir, pattern)
	for _, path := range paths {
		if err == nil {
			err = m.blank(path, "", func(line []byte) error {
				if len(bytes.TrimSpace(line)) == 0 {
					return nil // it was blanked before
				}
				return read(line)
			})
		}
	}
	return err
}

// mendKept sets what a second look has written aside where it cannot be read: the next one writes all of it anew.
func (m *Mended) mendKept(dir string) error {
	if !sink.HasKept(dir) {
		return nil
	}
	for _, bad := range sink.Kept(dir) {
		if bad == nil {
			continue
		}
		if unread := (*fs.PathError)(nil); errors.As(bad, &unread) {
			return bad
		}
		m.Damage = append(m.Damage, bad.Error())
		return m.SetAside(filepath.Join(dir, sink.FileKept))
	}
	return nil
}

// SetAside gives a file that cannot be read a name that says so; one that is gone needs none.
func (m *Mended) SetAside(path string) error {
	aside := vacant(path + ".damaged")
	err := os.Rename(path, aside)
	if err == nil {
		m.Aside = append(m.Aside, aside)
	} else if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// blank puts blanks behind mark in the place of each line of a file that cannot be read: the file stays as long as it is,
// which the frontier knows. Without a mark they end the line before, or begin the one behind: every line that is left is
// one that can be read. Behind the last one they are lines of their own: the frontier may know of the file up to there, and
// cuts off what follows. The line itself is kept beside the file first.
func (m *Mended) blank(path, mark string, read func(line []byte) error) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	number, at := 0, int64(0)
	var aside bytes.Buffer
	var holes []hole
	first, last := int64(-1), int64(-1)    // where lines that can be read begin
	for line, err := range WholeLines(f) { // what has no end is cut off when the run goes on
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		number++
		if bad := read(line); bad != nil {
			m.Damage = append(m.Damage, fmt.Sprintf("%s line %d: %v", path, number, bad))
			holes = append(holes, hole{at, int64(len(line))})
			aside.Write(line)
		} else if last = at; first < 0 {
			first = at
		}
		at += int64(len(line))
	}
	if len(holes) == 0 {
		return nil
	}
	if err := m.keep(path, aside.Bytes()); err != nil {
		return err
	}
	for _, h := range holes {
		switch {
		case mark != "" || h.at > last:
			h.length-- // it keeps its end
		case h.at > first:
			h.at-- // and leaves its own end to the line before
		}
		if err := h.fill(f, mark); err != nil {
			return fmt.Errorf("mend %s: %w", path, err)
		}
	}
	return f.Sync()
}

// hole is the place of a line that cannot be read.
type hole struct{ at, length int64 }

func (h hole) fill(f *os.File, mark string) error {
	filler := bytes.Repeat([]byte(" "), int(h.length))
	copy(filler, mark)
	_, err := f.WriteAt(filler, h.at)
	return err
}

// keep adds what is taken out of a file to one beside it.
func (m *Mended) keep(path string, what []byte) error {
	m.Aside = append(m.Aside, path+".damaged")
	return AppendSafely(path+".damaged", what)
}

// trim measures the files of results. What follows the last whole record is set aside and cut off.
func (m *Mended) trim(dir string) (map[string]int64, error) {
	files := map[string]int64{}
	for _, pattern := range append([]string{FileLog, FileMeter}, records...) {
		paths, err := results(dir, pattern)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			whole, _, err := m.cut(path)
			if err != nil {
				return nil, err
			}
			files[filepath.Base(path)] = whole
		}
	}
	return files, nil
}

// cut sets what follows the last whole record of a file aside, and answers how long the file is then and how much that was.
func (m *Mended) cut(path string) (whole int64, off int, err error) {
	if whole, _, err = sink.Whole(path); err != nil {
		return 0, 0, err
	}
	raw, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	rest, err := io.ReadAll(io.NewSectionReader(raw, whole, 1<<40))
	raw.Close()
	if err == nil && len(rest) > 0 {
		if err = m.keep(path, rest); err == nil {
			err = os.Truncate(path, whole)
		}
	}
	if err != nil {
		return 0, 0, fmt.Errorf("repair %s: %w", path, err)
	}
	return whole, len(rest), nil
}

// replace sets the state aside and puts another in its place, with what others have left in it for the crawl.
func (m *Mended) replace(state, fresh string) error {
	text, err := os.ReadFile(filepath.Join(state, FileInjected))
	if err == nil {
		err = AppendSafely(filepath.Join(fresh, FileInjected), text)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if was, err := os.Stat(state); err == nil { // who may read it may read the new one
		whole.Share(fresh, was.Mode())
	}
	if err := m.SetAside(state); err != nil {
		return err
	}
	return os.Rename(fresh, state)
}

// vacant is a name that nothing has yet, this one or the first with a number behind it.
func vacant(path string) string {
	name := path
	for n := 2; ; n++ {
		if _, err := os.Lstat(name); errors.Is(err, os.ErrNotExist) {
			return name
		}
		name = fmt.Sprintf("%s-%d", path, n)
	}
}
