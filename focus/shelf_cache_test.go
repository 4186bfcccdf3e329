package focus

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// shelfTest is the drawn web and a folder to keep it in.
type shelfTest struct {
	*testing.T
	web *replay.Web
	dir string
}

func newShelfTest(t *testing.T) *shelfTest {
	web, err := replay.Open(filepath.Join("..", "testdata", "webs", "small"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { web.Close() })
	return &shelfTest{t, web, filepath.Join(t.TempDir(), "cache")}
}

// about is a topic whose words are cut in full.
func (t *shelfTest) about(term string) *topic.Topic {
	t.Helper()
	spec := topic.Defaults()
	spec.Terms = []topic.Term{{Term: term, Weight: 1}}
	about, err := topic.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return about
}

// taken is what a shelf gave.
type taken struct {
	text   string // all pages and words
	parsed int    // pages that were read, and not taken from the cache
	spared int    // pages whose words were not cut
}

// take takes all pages and words off a new shelf, and leaves them in the cache.
func (t *shelfTest) take(arranged, term string) taken {
	t.Helper()
	var got taken
	var mu sync.Mutex
	s := NewShelf(t.web, func(p *page.Page) {
		mu.Lock()
		defer mu.Unlock()
		got.parsed++
		p.Links = slices.DeleteFunc(p.Links, func(l page.Link) bool { return strings.Contains(l.URL, arranged) })
	})
	ticks := time.Duration(0)
	s.Clock(func() time.Duration { ticks += time.Millisecond; return ticks })
	s.Cache(t.dir, arranged)
	about := t.about(term)
	var all strings.Builder
	for address := range t.web.Addresses() {
		p, err := s.Page(address)
		fmt.Fprintln(&all, address, s.Size(address), err)
		if err != nil {
			continue
		}
		raw, err := p.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		d := document(p)
		switch spared := s.cut(about, address, d); spared {
		case time.Millisecond:
			got.spared++
		case 0:
		default:
			t.Errorf("%s: %v were spared, and cutting it cost %v", address, spared, time.Millisecond)
		}
		fmt.Fprintf(&all, "%x %v\n", raw, about.Cutter().Tokens(d))
	}
	if err := s.Settle(); err != nil {
		t.Fatal(err)
	}
	got.text = all.String()
	return got
}

// files are the files of one kind in the cache.
func (t *shelfTest) files(kind string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(t.dir, "*."+kind))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// rewrite changes a file of the cache; with seal its checksum is right again.
func (t *shelfTest) rewrite(name string, seal bool, change func([]byte) []byte) {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	raw = change(raw)
	if seal {
		end := len(raw) - 4
		binary.LittleEndian.PutUint32(raw[end:], crc32.Checksum(raw[:end], castagnoli))
	}
	if err := os.WriteFile(name, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWhatWasReadIsTakenFromTheCache(t *testing.T) {
	k := newShelfTest(t)
	cold := k.take("", "tea")
	if cold.parsed < 50 || cold.spared > 0 || len(k.files("pages")) != 1 || len(k.files("words")) != 1 {
		t.Fatalf("%d pages were read, %d spared, and the cache has %v", cold.parsed, cold.spared, k.files("*"))
	}
	warm := k.take("", "tea")
	if warm.text != cold.text {
		t.Error("the cache gives other pages or words than the web")
	}
	if warm.parsed != doubtsOfPages || warm.spared != cold.parsed-doubtsOfWords {
		t.Errorf("%d of %d pages were read again, and the words of %d spared; want %d and %d", warm.parsed, cold.parsed, warm.spared, doubtsOfPages, cold.parsed-doubtsOfWords)
	}
	if other := k.take("", "boat"); other.parsed != doubtsOfPages || other.spared > 0 || len(k.files("words")) != 2 {
		t.Errorf("another topic: %d pages were read, %d spared", other.parsed, other.spared)
	}
	if other := k.take("1", "tea"); other.parsed != cold.parsed || other.spared > 0 {
		t.Errorf("pages that are arranged otherwise: %d were read, %d spared", other.parsed, other.spared)
	}
}

func TestADamagedCacheIsReadAgain(t *testing.T) {
	k := newShelfTest(t)
	cold := k.take("", "tea")
	for name, change := range map[string]func([]byte) []byte{
		"empty":        func([]byte) []byte { return nil },
		"cut":          func(raw []byte) []byte { return raw[:len(raw)/2] },
		"a bit":        func(raw []byte) []byte { raw[len(raw)/3] ^= 4; return raw },
		"another file": func([]byte) []byte { return bytes.Repeat([]byte("x"), 100) },
	} {
		for _, kind := range []string{"pages", "words"} {
			k.rewrite(k.files(kind)[0], false, change)
		}
		got := k.take("", "tea")
		if got.text != cold.text || got.parsed != cold.parsed || got.spared > 0 {
			t.Errorf("%s: %d of %d pages were read, %d spared, the same: %v", name, got.parsed, cold.parsed, got.spared, got.text == cold.text)
		}
	}
	if err := os.RemoveAll(k.dir); err != nil {
		t.Fatal(err)
	}
	if got := k.take("", "tea"); got.text != cold.text || got.parsed != cold.parsed {
		t.Error("a cache that was deleted is missed")
	}
}

// TestACacheOfAnotherReadingIsNotBelieved: a program that reads or cuts pages another way, and does not know it, is found
// out by the pages that are read again.
func TestACacheOfAnotherReadingIsNotBelieved(t *testing.T) {
	k := newShelfTest(t)
	cold := k.take("", "tea")
	lie := NewShelf(k.web, nil)
	lie.Cache(k.dir, "") // the same name, and another reading
	lie.books = map[string]*book{}
	about := k.about("tea")
	for address := range k.web.Addresses() {
		p, err := lie.Page(address)
		if err != nil {
			continue
		}
		p.Title = "all different"
		d := &text.Doc{Segments: []text.Segment{{Text: "all different"}}}
		lie.words[about.CutAs()] = lie.stock(about.CutAs())
		about.Cut(d)
		w := lie.stock(about.CutAs())
		w.pages[address] = packedWords{w.pack(about.Cutter().Tokens(d)), 1}
		w.fresh = true
	}
	lie.fresh.Store(true)
	if err := lie.Settle(); err != nil {
		t.Fatal(err)
	}
	got := k.take("", "tea")
	if got.text != cold.text || got.spared > 0 {
		t.Errorf("a cache of another reading is believed: %d pages were read, %d spared", got.parsed, got.spared)
	}
	if warm := k.take("", "tea"); warm.text != cold.text || warm.parsed != doubtsOfPages || warm.spared == 0 {
		t.Error("the cache is not mended")
	}
}

func TestManyShelvesShareACache(t *testing.T) {
	k := newShelfTest(t)
	cold := k.take("", "tea")
	if err := os.RemoveAll(k.dir); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if got := k.take("", "tea"); got.text != cold.text {
				t.Error("one of several shelves got other pages")
			}
		})
	}
	all.Wait()
	if left, err := filepath.Glob(filepath.Join(k.dir, whole.Beside+"*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestACacheIsBounded(t *testing.T) {
	dir := t.TempDir()
	c := &shelfCache{dir: dir}
	then := time.Now().Add(-48 * time.Hour)
	for i, name := range []string{"b.pages", "a.words", "c.pages", whole.Beside + "left", "notes.txt"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, make([]byte, 100), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, then, then.Add(time.Duration(i)*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.prune(250); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if got := strings.Join(left, " "); got != "a.words c.pages notes.txt" {
		t.Errorf("left are %s", got)
	}
}

func TestACacheThatCannotBeWrittenIsToldOf(t *testing.T) {
	k := newShelfTest(t)
	if err := os.WriteFile(k.dir, nil, 0o600); err != nil { // a file, where the folder should be
		t.Fatal(err)
	}
	s := NewShelf(k.web, nil)
	s.Cache(k.dir, "")
	for address := range k.web.Addresses() {
		if _, err := s.Page(address); err == nil {
			break
		}
	}
	if err := s.Settle(); err == nil || !strings.Contains(err.Error(), k.dir) {
		t.Errorf("%v", err)
	}
}
