package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// TestFollowsTheHarvest holds that what is kept later is found, and that links which come later say what they say.
func TestFollowsTheHarvest(t *testing.T) {
	h := small(t)
	c, _ := opened(t, h.dir)
	if again := updated(t, c); again.Added != 0 {
		t.Errorf("%+v, want nothing to do", again)
	}
	before, _, err := c.checked.current(c.folder())
	noError(t, err)
	h.keep("http://tea.example.com/white", article("White tea", "White tea is hardly touched.", "http://www.example.cn/cup", "the great final"))
	change := updated(t, c)
	if change.Added != 1 || change.Again != 1 || change.Pages != 7 || change.Rebuilt != "" {
		t.Errorf("%+v, want one page added and one indexed again", change)
	}
	if got := found(asked(t, c, "great final")); got != "4 7" {
		t.Errorf("the page with a new link and the one it leads to: %s, want 4 7", got)
	}
	if _, err := os.Stat(before); !os.IsNotExist(err) {
		t.Errorf("the generation before is still there: %v", err)
	}
	other, _ := opened(t, h.dir)
	if got := found(asked(t, other, "hardly touched")); got != "7" {
		t.Errorf("another reader finds %s, want 7", got)
	}
}

// TestMadeInOneOrMany holds that an index that followed a crawl answers as one that was made at its end.
func TestMadeInOneOrMany(t *testing.T) {
	whole := small(t)
	one, _ := opened(t, whole.dir)
	h := newHarvest(t)
	var many *Collection
	n := 0
	for r, err := range sink.Harvest(whole.dir) {
		noError(t, err)
		links := map[uint64][]string{1: {"/black", "dark leaves of Assam, pre\u0301mium"}, 3: {"http://www.example.cn/cup", "足球赛事"}, 4: {"/zhang", "那位数学家"}}[r.ID]
		h.keep(r.URL, article(r.Title, strings.TrimPrefix(r.Text, r.Title+"\n"), links...), func(k *sink.Record) { k.Text, k.Date = r.Text, r.Date })
		if n++; many == nil {
			many, _ = opened(t, h.dir)
		} else {
			updated(t, many)
		}
	}
	for _, query := range []string{"tea", "世界杯", "assam", "数学家", "lang:zh", `"office hours"`} {
		a, b := asked(t, one, query), asked(t, many, query)
		if found(a) != found(b) {
			t.Errorf("%s: %s made at once, %s made in steps", query, found(a), found(b))
		}
		for i := range min(len(a.Hits), len(b.Hits)) {
			if a.Hits[i].Score != b.Hits[i].Score {
				t.Errorf("%s: score %v made at once, %v made in steps", query, a.Hits[i].Score, b.Hits[i].Score)
			}
		}
	}
}

// TestAKillWhileIndexing holds that whatever a process that was killed has left, the index agrees with the harvest after
// opening.
func TestAKillWhileIndexing(t *testing.T) {
	h := small(t)
	c, _ := opened(t, h.dir)
	h.keep("http://tea.example.com/white", article("White tea", "White tea is hardly touched."))
	path, _, err := c.checked.current(c.folder())
	noError(t, err)
	begun := generations + "BEGUN" // and not finished
	noError(t, os.MkdirAll(filepath.Join(c.folder(), begun+unfinished, folderBleve), 0o755))
	noError(t, link(path, filepath.Join(c.folder(), begun+unfinished)))
	if err := os.MkdirAll(filepath.Join(c.folder(), begun), 0o755); err != nil { // and one that was not put in place
		t.Fatal(err)
	}
	other, change := opened(t, h.dir)
	if change.Added != 1 || change.Pages != 7 || change.Rebuilt != "" {
		t.Errorf("%+v, want the page that was kept since", change)
	}
	if got := found(asked(t, other, "hardly touched")); got != "7" {
		t.Errorf("%s, want 7", got)
	}
	left, err := filepath.Glob(filepath.Join(c.folder(), generations+"*"))
	if err != nil || len(left) != 1 {
		t.Errorf("%v, want one generation", left)
	}
}

// TestDamageIsSaid flips a byte of each file of an index, and cuts each: it is made anew, and that is said.
func TestDamageIsSaid(t *testing.T) {
	h := small(t)
	c, _ := opened(t, h.dir)
	noError(t, c.Close())
	for name := range mustState(t, c).Sums {
		for _, how := range []string{"flip", "cut", "remove"} {
			path, _, err := c.checked.current(c.folder())
			noError(t, err)
			if strings.HasSuffix(name, ".zap") {
				segments, err := filepath.Glob(filepath.Join(path, folderBleve, "*.zap"))
				if err != nil || len(segments) == 0 {
					t.Fatal(err, segments)
				}
				path = segments[0]
			} else {
				path = filepath.Join(path, name)
			}
			harm(t, path, how)
			again, change := opened(t, h.dir)
			if change.Rebuilt == "" || change.Pages != 6 || found(asked(t, again, "张益唐")) != "3" {
				t.Errorf("%s of %s: %+v, want it made anew", how, name, change)
			}
			again.Close()
		}
	}
	harm(t, filepath.Join(c.folder(), fileCurrent), "cut")
	if _, change := opened(t, h.dir); change.Rebuilt == "" || change.Pages != 6 {
		t.Errorf("%+v, want it made anew", change)
	}
}

func mustState(t *testing.T, c *Collection) *state {
	t.Helper()
	_, st, err := c.checked.current(c.folder())
	noError(t, err)
	return st
}

func harm(t *testing.T, path, how string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	noError(t, err)
	switch how {
	case "flip":
		raw[len(raw)/2] ^= 0xff
	case "cut":
		raw = raw[:len(raw)/2]
	case "remove":
		noError(t, os.Remove(path))
		return
	}
	if err := os.Remove(path); err != nil { // it may be a second name of a file
		t.Fatal(err)
	}
	noError(t, os.WriteFile(path, raw, 0o644))
}

// TestAnotherHarvest holds that the index of a harvest that was cleared away is not taken for that of the new one.
func TestAnotherHarvest(t *testing.T) {
	h := small(t)
	opened(t, h.dir)
	other := newHarvest(t)
	other.keep("http://b.example.com/", article("Coffee", "Coffee is roasted."))
	for _, name := range []string{"harvest.jsonl", "pages-0000.warc.gz"} {
		raw, err := os.ReadFile(filepath.Join(other.dir, name))
		noError(t, err)
		noError(t, os.WriteFile(filepath.Join(h.dir, name), raw, 0o644))
	}
	c, change := opened(t, h.dir)
	if change.Rebuilt == "" || change.Pages != 1 || found(asked(t, c, "coffee")) != "1" || found(asked(t, c, "tea")) != "" {
		t.Errorf("%+v, want the new harvest alone", change)
	}
}

// TestWithoutArchives holds that without WARC files links come from the log, and headings from the Markdown.
func TestWithoutArchives(t *testing.T) {
	h := small(t, "jsonl")
	c, _ := opened(t, h.dir, Options{Log: func(visit func(uint64, string, string) bool) error {
		visit(1, "http://www.example.cn/cup", "a very fine match")
		return nil
	}})
	if got := found(asked(t, c, "fine match")); got != "4" {
		t.Errorf("%s, want 4 by the link that the log tells", got)
	}
}

// TestLinksAsTheCrawlFollowedThem holds that links count which the crawl has followed: those that scripts and redirects lead to, too.
func TestLinksAsTheCrawlFollowedThem(t *testing.T) {
	h := newHarvest(t)
	h.keep("http://a.example/", article("A portal", "Of this and that.", "/old", "the way there")+`<textarea><a href="/shown">purple monkey</a></textarea>`)
	h.keep("http://a.example/shown", article("Shown later", "By a script."))
	h.keep("http://a.example/new", article("A new place", "It has moved."))
	redirects := func(visit func(from, to string)) {
		visit("http://a.example/old", "http://a.example/older")
		visit("http://a.example/older", "http://a.example/new")
		visit("http://a.example/shown", "http://a.example/new") // on another day: it is a page itself
	}
	c, _ := opened(t, h.dir, Options{Redirects: redirects})
	for query, want := range map[string]string{"purple monkey": "2", `"the way there"`: "1", "way there": "3 1"} {
		if got := found(asked(t, c, query)); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	for _, id := range []uint64{2, 3} {
		if hit, _, err := c.Page(id); err != nil || hit.Inlinks != 1 {
			t.Errorf("page %d: %+v, %v: want one link to it", id, hit, err)
		}
	}
	if id, _ := c.Named("http://a.example/old"); id != 3 {
		t.Errorf("what redirects to page 3 is %d", id)
	}
	h.keep("http://a.example/old", article("An old place", "It is back."))
	updated(t, c)
	if id, _ := c.Named("http://a.example/old"); id != 4 {
		t.Errorf("what is a page again is %d, want itself", id)
	}
}

// TestWhatIsNotKeptGoes holds that pages which do not count as kept any more are taken out.
func TestWhatIsNotKeptGoes(t *testing.T) {
	h := small(t)
	out := map[uint64]bool{}
	c, _ := opened(t, h.dir, Options{Kept: func() (Kept, error) {
		return func(id uint64) (float64, bool) { return 0, !out[id] }, nil
	}})
	out[1] = true
	if change := updated(t, c); change.Removed != 1 || change.Pages != 5 {
		t.Errorf("%+v, want one page taken out", change)
	}
	if got := found(asked(t, c, "tea")); got != "2" {
		t.Errorf("%s, want 2", got)
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	noError(t, err)
	return raw
}

// TestManyUpdates holds that what many updates have read comes together in few files, and stays what it was.
func TestManyUpdates(t *testing.T) {
	h := small(t)
	c, _ := opened(t, h.dir)
	for i := range mostParts + 2 {
		h.keep(fmt.Sprintf("http://tea.example.com/%d", i), article(fmt.Sprintf("Tea %d", i), "Tea again.", "/green", "the greener pasture"))
		updated(t, c)
	}
	if parts, told := mustState(t, c).Parts, sheetsOf(t, c); parts > 4 || len(told) != 6+mostParts+2 || len(told[7].Links) != 1 {
		t.Errorf("%d files, %d pages", parts, len(told))
	}
}

// TestBytesThatComeLater holds that a page whose bytes are archived after its line was indexed is whole at the next update, and
// that one whose bytes never come is not waited for.
func TestBytesThatComeLater(t *testing.T) {
	h := small(t)
	write := func(n int, r *sink.Record) {
		t.Helper()
		noError(t, errors.Join(h.sinks[n].Write(r), h.sinks[n].Sync()))
	}
	late := recordOf(7, "http://tea.example.com/white", []byte(article("White tea", "White tea is hardly touched.", "/green", "the greener pasture")))
	write(0, late)
	c, _ := opened(t, h.dir)
	if _, _, err := c.Copy(7); !os.IsNotExist(err) {
		t.Fatalf("%v, want no copy before its bytes are there", err)
	}
	before := c.Signature()
	if change := updated(t, c); change != (Change{Pages: 7}) {
		t.Errorf("%+v where nothing has come", change)
	}
	write(1, late)
	first, err := os.Stat(filepath.Join(c.open.path, partFile(0)))
	noError(t, err)
	if c.Signature() == before {
		t.Error("nobody would see that the bytes have come")
	}
	if change := updated(t, c); change.Rebuilt != "" || change.Added != 0 || change.Removed != 0 || change.Pages != 7 {
		t.Errorf("%+v, want a page read again", change)
	}
	if now, err := os.Stat(filepath.Join(c.open.path, partFile(0))); err != nil || !os.SameFile(first, now) {
		t.Errorf("what was read of the other pages was written anew (%v)", err)
	}
	if s := sheetsOf(t, c); len(s) != 7 || s[7] == nil || len(s[7].Links) != 1 || s[7].Kind == "" {
		t.Errorf("of the pages is told %v", s)
	}
	if body, _, err := c.Copy(7); err != nil || !strings.Contains(string(body), "hardly touched") {
		t.Errorf("the copy: %v %s", err, body)
	}
	if got := found(asked(t, c, "pasture")); got != "7 1" && got != "1 7" {
		t.Errorf("%s, want the page and the one its link leads to", got)
	}
	never := recordOf(8, "http://tea.example.com/red", []byte(article("Red tea", "Red tea is rooibos.")))
	write(0, never)
	updated(t, c)
	h.next = 8
	h.keep("http://tea.example.com/blue", article("Blue tea", "Blue tea is a flower."))
	updated(t, c)
	if st := mustState(t, c); len(st.Waiting) != 0 || c.Len() != 9 {
		t.Errorf("%v are waited for, of %d pages", st.Waiting, c.Len())
	}
}

// TestFolderThatTakesNothing: where an index cannot be brought up to date, it is said that it can be searched as it is, or, where there
// is none yet, that a copy can.
func TestFolderThatTakesNothing(t *testing.T) {
	c, _ := opened(t, small(t).dir)
	lock := filepath.Join(c.folder(), "lock")
	noError(t, errors.Join(os.Remove(lock), os.Mkdir(lock, 0o700)))
	if _, err := c.Update(t.Context()); err == nil || !strings.HasPrefix(err.Error(), c.Dir+": the folder cannot be locked: ") || !strings.HasSuffix(err.Error(), "; --read-only searches what is there") {
		t.Error(err)
	}
	noError(t, os.Remove(filepath.Join(c.folder(), fileCurrent)))
	if _, err := c.Update(t.Context()); err == nil || !strings.HasSuffix(err.Error(), "; nor has it an index yet: make one of a copy of the run") {
		t.Error(err)
	}
	full := &os.PathError{Op: "write", Path: lock, Err: syscall.ENOSPC}
	if err := c.unwritable(full); err.Error() != full.Error() {
		t.Errorf("of a disk that is full: %v", err)
	}
}

// TestClosedForGood holds that a collection that was let go stays closed, though somebody still meant to bring it up to date.
func TestClosedForGood(t *testing.T) {
	h := small(t)
	c, _ := opened(t, h.dir)
	noError(t, c.Close())
	h.keep("http://tea.example.com/white", article("White tea", "White tea is hardly touched."))
	if change, err := c.Update(t.Context()); err != nil || change.Added != 0 || c.Len() != 0 || c.open != nil {
		t.Errorf("%+v, %d pages, %v: it is open again", change, c.Len(), err)
	}
}
