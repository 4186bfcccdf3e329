package index

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// looker takes second looks at a harvest.
type looker struct {
	*harvester
	lines []string // of the harvest, by the number of the page less one
	kept  map[uint64]bool
	while func() // called when what is kept was read
}

func newLooker(h *harvester) *looker {
	return &looker{harvester: h, lines: strings.SplitAfter(string(mustRead(h.t, filepath.Join(h.dir, "harvest.jsonl"))), "\n"), kept: map[uint64]bool{}}
}

// options read what is kept as it stands.
func (l *looker) options() Options {
	return Options{Kept: func() (Kept, error) {
		still := map[uint64]bool{}
		for id := range l.kept {
			still[id] = true
		}
		if l.while != nil {
			l.while()
		}
		if len(still) == 0 {
			return nil, nil
		}
		return func(id uint64) (float64, bool) { return 0, still[id] }, nil
	}}
}

// look writes what is kept, as a second look does: beside, and then in place.
func (l *looker) look(ids ...uint64) {
	l.t.Helper()
	clear(l.kept)
	var all strings.Builder
	for _, id := range ids {
		l.kept[id] = true
		if id == extra {
			all.WriteString(strings.NewReplacer(`"id":1,`, fmt.Sprintf(`"id":%d,`, extra), "tea.example.com/green", "tea.example.com/extra", "hills", "slopes").Replace(l.lines[0]))
			continue
		}
		all.WriteString(l.lines[id-1])
	}
	l.write(sink.FileKept, all.String())
}

// write writes a file anew: beside, and then in place.
func (l *looker) write(name string, lines ...string) {
	l.t.Helper()
	path := filepath.Join(l.dir, name)
	if err := os.WriteFile(path+".new", []byte(strings.Join(lines, "")), 0o644); err != nil {
		l.t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		l.t.Fatal(err)
	}
}

// extra is a page that only a second look keeps; its bytes are nowhere.
const extra = 91

// TestAnotherSecondLook holds that an index which is open follows a second look, and is not made anew for it: what it takes out
// goes, what it brings in comes, and what stands elsewhere in kept.jsonl is still read there.
func TestAnotherSecondLook(t *testing.T) {
	l := newLooker(small(t))
	c, _ := opened(t, l.dir, l.options())
	if got := found(asked(t, c, "tea")); got != "1 2" && got != "2 1" {
		t.Fatalf("%s, want both pages", got)
	}
	l.look(extra, 2)
	if change := updated(t, c); change.Rebuilt != "" || change.Added != 1 || change.Removed != 5 || found(asked(t, c, "slopes")) != "91" {
		t.Errorf("%+v, want one page more, five fewer, and nothing made anew", change)
	}
	l.look(1, 2, extra) // what was left out comes back, and what came in stands elsewhere
	if change := updated(t, c); change.Rebuilt != "" || change.Added != 1 || change.Removed != 0 || change.Pages != 3 {
		t.Errorf("%+v, want the page that was left out", change)
	}
	if got := found(asked(t, c, "slopes")); got != "91" {
		t.Errorf("%s, want 91", got)
	}
	noError(t, os.Remove(filepath.Join(l.dir, sink.FileKept)))
	clear(l.kept)
	if change := updated(t, c); change.Pages != 6 {
		t.Errorf("%+v, want the whole harvest where no second look stands", change)
	}
}

// TestWhatComesBackIsWhole holds that a page which a second look took out, and a later one brings back, has all that its bytes
// tell: also where the index was made in between, and has never read them.
func TestWhatComesBackIsWhole(t *testing.T) {
	for _, before := range []bool{true, false} {
		l := newLooker(small(t))
		if before {
			c, _ := opened(t, l.dir, l.options())
			c.Close()
		}
		l.look(2)
		c, _ := opened(t, l.dir, l.options())
		for _, ids := range [][]uint64{{1, 2, 3}, {2, 4}, {1, 2, 3, 4}} {
			l.look(ids...)
			if change := updated(t, c); change.Rebuilt != "" || change.Pages != len(ids) {
				t.Fatalf("%+v, want pages %v", change, ids)
			}
			sheets := sheetsOf(t, c)
			for _, id := range ids {
				card, s := cardOf(t, c, id), sheets[id]
				if card.Kind != "text" || card.Archive != "pages-0000.warc.gz" || s.Kind != "text" || s.Headings == "" {
					t.Errorf("indexed before %v, look %v: page %d is of kind %q in %q, and its bytes say %+v", before, ids, id, card.Kind, card.Archive, s)
				}
				if body, _, err := c.Copy(id); err != nil || !strings.Contains(string(body), "<h1>") {
					t.Errorf("the kept copy of page %d: %v %.80s", id, err, body)
				}
			}
			if l.kept[1] && len(sheets[1].Links) != 1 {
				t.Errorf("page 1 has %d links, want 1", len(sheets[1].Links))
			}
		}
	}
}

// TestBytesThatComeToAnEarlierVisit holds that a page whose bytes were waited for is not read again where its line stood, once later
// visits stand in the place of the first.
func TestBytesThatComeToAnEarlierVisit(t *testing.T) {
	h := small(t)
	for n, r := range []*sink.Record{
		recordOf(7, "http://tea.example.com/white", []byte(article("White tea", "White tea is hardly touched."))),
		recordOf(8, "http://tea.example.com/red", []byte(article("Red tea", "Red tea is rooibos."))),
	} {
		for _, s := range h.sinks[:1+n] { // the bytes of the first do not come
			noError(t, errors.Join(s.Write(r), s.Sync()))
		}
		if n == 0 {
			l := newLooker(h)
			c, _ := opened(t, l.dir, l.options())
			if st := mustState(t, c); len(st.Waiting) != 1 {
				t.Fatalf("%v are waited for, want page 7", st.Waiting)
			}
			noError(t, c.Close())
		}
	}
	l := newLooker(h)
	l.kept[7], l.kept[8] = true, true
	again := filepath.Join(l.dir, sink.FolderAgain)
	noError(t, errors.Join(os.MkdirAll(again, 0o755), os.WriteFile(filepath.Join(again, sink.FileVisited), nil, 0o644)))
	l.write(sink.FileKept, strings.ReplaceAll(l.lines[6], "hardly touched", "withered"), l.lines[7])
	c, change := opened(t, l.dir, l.options())
	if got := found(asked(t, c, "withered")); got != "7" || change.Pages != 2 || found(asked(t, c, "hardly")) != "" {
		t.Errorf("%+v, %q: want the page as it was at its last visit", change, got)
	}
}

// cardOf is what an index knows of a page.
func cardOf(t *testing.T, c *Collection, id uint64) card {
	t.Helper()
	i, ok := c.open.table.names.byID[id]
	if !ok {
		t.Fatalf("there is no page %d", id)
	}
	return c.open.table.cards[i]
}

// sheetsOf are what was read of the bytes of pages, each once.
func sheetsOf(t *testing.T, c *Collection) map[uint64]*sheet {
	t.Helper()
	all := map[uint64]*sheet{}
	err := eachSheet(c.open.path, mustState(t, c).Parts, c.open.table.cards, c.open.table.names, func(_ int, s *sheet) error {
		if all[s.ID] != nil {
			t.Errorf("page %d is told twice", s.ID)
		}
		all[s.ID] = s
		return nil
	})
	noError(t, err)
	return all
}

// TestSecondLooksLeaveNoTrace holds that an index which followed second looks is the one that is made at once: nothing is left
// of pages that are gone, and no link counts more than once.
func TestSecondLooksLeaveNoTrace(t *testing.T) {
	h := newHarvest(t)
	const leaf = "http://tea.example.com/leaf"
	h.keep("http://tea.example.com/green", article("One", "One page that links.", leaf, "another leaf"))
	h.keep("http://tea.example.com/b", article("Two", "Two pages that link.", leaf, "some leaf", "/green", "the first"))
	h.keep("http://tea.example.com/c", article("Three", "Three pages that link.", leaf, "some leaf"))
	h.keep(leaf, article("Leaf", "It is green.", "/green", "the first"))
	l := newLooker(h)
	c, _ := opened(t, l.dir, l.options())
	for _, ids := range [][]uint64{{4}, {1, 4, extra}, {1, 3, 4}, {extra, 4, 1, 2, 3}, {3, 4, 1, 2}, {1, 2, 3, 4, extra}} {
		l.look(ids...)
		updated(t, c)
		if parts := mustState(t, c).Parts; parts > 2 {
			t.Errorf("look %v: %d files with what was read of pages", ids, parts)
		}
		sheets := sheetsOf(t, c)
		if len(sheets) != len(ids) {
			t.Errorf("look %v: there is something of %d pages", ids, len(sheets))
		}
		other, _ := madeAtOnce(t, l)
		for _, id := range ids {
			a, b := cardOf(t, c, id), cardOf(t, other, id)
			if math.Abs(float64(a.Importance-b.Importance)) > 1e-5 {
				t.Errorf("look %v: page %d is of importance %v, made at once %v", ids, id, a.Importance, b.Importance)
			}
			for _, one := range []*card{&a, &b} { // a page may stand in two files
				one.File, one.Offset, one.Length, one.Importance, one.Part = "", 0, 0, 0, 0
			}
			if got, want := fmt.Sprintf("%+v", a), fmt.Sprintf("%+v", b); got != want {
				t.Errorf("look %v: page %d\n%s, made at once\n%s", ids, id, got, want)
			}
		}
		for _, query := range []string{"leaf", "some", "another", "first", "pages link"} {
			if a, b := found(asked(t, c, query)), found(asked(t, other, query)); a != b {
				t.Errorf("look %v, %s: %s, made at once %s", ids, query, a, b)
			}
		}
	}
}

// madeAtOnce is an index of the same harvest that knows nothing of what was before.
func madeAtOnce(t *testing.T, l *looker) (*Collection, Change) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	noError(t, os.MkdirAll(dir, 0o755))
	for _, name := range []string{"harvest.jsonl", "pages-0000.warc.gz", sink.FileKept} {
		noError(t, os.WriteFile(filepath.Join(dir, name), mustRead(t, filepath.Join(l.dir, name)), 0o644))
	}
	return opened(t, dir, l.options())
}

// TestASecondLookMeanwhile holds that a second look which is put in place while an index is brought up to date is followed: at
// once, and not after the next one.
func TestASecondLookMeanwhile(t *testing.T) {
	for _, c := range []struct {
		name  string
		first []uint64 // what stands before; none: the index is made
	}{{"the first one", nil}, {"another one", []uint64{2}}, {"one that keeps more", []uint64{1, 2}}} {
		t.Run(c.name, func(t *testing.T) {
			l := newLooker(small(t))
			if c.first != nil {
				l.look(1)
				before, _ := opened(t, l.dir, l.options())
				before.Close()
				l.look(c.first...)
			}
			l.while = func() {
				l.while = nil
				l.look(1, 2, extra)
			}
			made, change := opened(t, l.dir, l.options())
			if change.Pages != 3 || found(asked(t, made, "slopes")) != "91" {
				t.Errorf("%+v, want the pages of the look that was put in place", change)
			}
			if again := updated(t, made); again.Added+again.Removed != 0 || again.Pages != 3 {
				t.Errorf("%+v, want nothing left to do", again)
			}
		})
	}
	l := newLooker(small(t))
	n := 0
	l.while = func() { // one after the other, without end
		n++
		l.look(1, 2, 3+uint64(n%2))
	}
	c, err := Open(l.dir, l.options())
	noError(t, err)
	defer c.Close()
	if _, err := c.Update(t.Context()); err == nil || !strings.Contains(err.Error(), sink.FileKept) || n > 10 {
		t.Errorf("%v after %d times, want a word on the file that does not stand still", err, n)
	}
	l.while = nil
	if change := updated(t, c); change.Pages != 3 {
		t.Errorf("%+v, want the pages of the last look", change)
	}
}

// TestASecondLookBeforeTheUpdate holds that pages are found, and shown as far as they are known, while what is kept stands
// elsewhere than when it was indexed.
func TestASecondLookBeforeTheUpdate(t *testing.T) {
	l := newLooker(small(t))
	l.look(1, extra)
	c, _ := opened(t, l.dir, l.options())
	for name, change := range map[string]func(){
		"another look": func() { l.look(extra, 1, 2) },
		"none":         func() { os.Remove(filepath.Join(l.dir, sink.FileKept)) },
	} {
		change()
		a := asked(t, c, "slopes")
		if found(a) != "91" || a.Hits[0].Title != "http://tea.example.com/extra" || len(a.Notes) != 1 {
			t.Errorf("%s: page %s is shown as %+v, noted %v", name, found(a), a.Hits, a.Notes)
		}
		if _, _, err := c.Page(extra); !errors.Is(err, ErrMoved) {
			t.Errorf("%s: %v, want it said that the record is being indexed anew", name, err)
		}
		if hits, err := c.Newest(10); err != nil || len(hits) != 1 {
			t.Errorf("%s: %d pages are the newest (%v), want the one whose record stands where it did", name, len(hits), err)
		}
	}
	l.look(1, extra)
	for _, anew := range []struct {
		name string
		do   func()
		page uint64 // of which no line is left
		find string
	}{
		{"a host was forgotten that only a second look has kept", func() { l.look(1, 2); mustGo(t, c.folder()) }, extra, "slopes"},
		{"another host was forgotten", func() { l.write("harvest.jsonl", l.lines[1:]...); l.look(2) }, 1, "tea"},
	} {
		anew.do()
		if a := asked(t, c, anew.find); a.Total > 0 || !strings.Contains(fmt.Sprint(a.Notes), "the harvest of "+c.Name()+" was written anew") || !c.Rewritten() {
			t.Errorf("%s: %s is found, noted %v", anew.name, found(a), a.Notes)
		}
		_, _, err := c.Page(anew.page)
		if _, _, of := c.Copy(anew.page); !errors.Is(err, ErrMoved) || !errors.Is(of, ErrMoved) {
			t.Errorf("%s: page: %v, copy: %v", anew.name, err, of)
		}
		if _, err := c.Newest(10); err != nil {
			t.Errorf("%s: the newest: %v", anew.name, err)
		}
		if updated(t, c); c.Rewritten() || found(asked(t, c, "tea"))[:1] != "2" && anew.page == 1 {
			t.Errorf("%s: what is left is not found", anew.name)
		}
	}
}

// An archive that was taken away, to have room, takes no page out of answers: there is no copy of it.
func TestAnArchiveThatIsGone(t *testing.T) {
	dir := small(t).dir
	c, _ := opened(t, dir, Options{})
	archives, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("archives: %v, %v", archives, err)
	}
	for _, archive := range archives {
		mustGo(t, archive)
	}
	if a := asked(t, c, "tea"); a.Total == 0 || c.Rewritten() {
		t.Errorf("%d pages are found, noted %v", a.Total, a.Notes)
	}
}

// A disk that does not read an archive, which a folder stands for here, ends an update: what is indexed without its bytes is not read again.
func TestAnArchiveThatCannotBeRead(t *testing.T) {
	h := small(t)
	for _, s := range h.sinks {
		s.Close()
	}
	dir := h.dir
	path := filepath.Join(dir, "pages-0000.warc.gz")
	info, err := os.Stat(path)
	noError(t, err)
	if err := os.Truncate(path, 1<<20); err != nil { // longer than what is read at once
		t.Fatal(err)
	}
	a, err := openArchives(dir, "", nil)
	noError(t, err)
	if _, err := a.next(); err != nil {
		t.Fatal(err)
	}
	a.bytes.ReaderAt = broken{}
	for err == nil {
		_, err = a.next()
	}
	if a.close(); err == io.EOF {
		t.Error("an archive that cannot be read on is at its end")
	}

	aside := path + ".aside"
	noError(t, errors.Join(os.Truncate(path, info.Size()), os.Rename(path, aside), os.Mkdir(path, 0o755)))
	c, err := Open(dir, Options{})
	noError(t, err)
	defer c.Close()
	if change, err := c.Update(t.Context()); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%+v, %v", change, err)
	}
	noError(t, errors.Join(os.Remove(path), os.Rename(aside, path)))
	if change := updated(t, c); change.Added != 6 {
		t.Errorf("once it can be read: %+v", change)
	}
}

// broken is a file on a disk that does not read.
type broken struct{}

func (broken) ReadAt([]byte, int64) (int, error) { return 0, errors.New("input/output error") }

func mustGo(t *testing.T, path string) {
	t.Helper()
	noError(t, os.RemoveAll(path))
}

// TestALookIsReadOnce: what is kept is asked when a second look is indexed, and not again as long as that one stands.
func TestALookIsReadOnce(t *testing.T) {
	l, asked := newLooker(small(t)), 0
	l.while = func() { asked++ }
	c, _ := opened(t, l.dir, l.options())
	l.look(1, 2)
	if change := updated(t, c); change.Pages != 2 || asked == 0 {
		t.Fatalf("%+v after %d questions, want both pages", change, asked)
	}
	asked = 0
	if change := updated(t, c); change.Pages != 2 || asked != 0 {
		t.Errorf("nothing has changed: %+v after %d questions", change, asked)
	}
	again, _ := opened(t, l.dir, l.options())
	if change := updated(t, again); change.Pages != 2 || asked != 0 {
		t.Errorf("opened once more: %+v after %d questions", change, asked)
	}
	l.look(2, 3)
	if change := updated(t, again); change.Pages != 2 || change.Removed != 1 || asked == 0 {
		t.Errorf("another look: %+v after %d questions, want one page out and one in", change, asked)
	}
}
