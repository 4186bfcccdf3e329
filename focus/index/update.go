package index

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// errOvertaken says that another second look was put in place while an index followed the one before.
var errOvertaken = errors.New(sink.FileKept + " was written anew again and again while it was read: try again when that is over")

// attempts is how often a second look may overtake one update.
const attempts = 3

// bring makes the next generation, if anything has changed since the last. The lock is held. What was read while a second look
// was put in place is of two looks, and is read again.
func (c *Collection) bring(ctx context.Context) (change Change, err error) {
	for range attempts {
		if change, err = c.bringOnce(ctx); !errors.Is(err, errOvertaken) {
			break
		}
	}
	return change, err
}

// bringOnce reads what is new and makes it the generation that is searched. It is built beside the one before and takes its place in one
// step; a process that dies meanwhile leaves what the next one sweeps away. Where a second look was written while it was built, what was
// read may be half the one and half the other, and it is done again (errOvertaken).
func (c *Collection) bringOnce(ctx context.Context) (Change, error) {
	path, st, err := c.checked.current(c.folder())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Change{}, err
	}
	if err := c.load(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Change{}, err
	}
	sweep(c.folder(), filepath.Base(path))
	c.progress.begin()
	b := &builder{c: c, before: st, from: path, marks: map[string]mark{}, archived: c.archived()}
	looks := c.looks()
	if b.looked = stampOf(looks); st == nil || b.looked == "" || b.looked != st.Looked {
		if err := b.keep(); err != nil {
			return Change{}, err
		}
	}
	if st != nil {
		b.cards, b.known = c.open.table.cards, c.open.table.names // searches read them: build takes copies
		if err := b.stands(); err != nil {
			return Change{}, err
		}
		b.await()
	}
	if fresh, err := b.news(); err != nil || !fresh {
		return Change{Pages: c.Len()}, err
	}
	if b.kept == nil {
		if err := b.keep(); err != nil {
			return Change{}, err
		}
	}
	err = b.build(ctx)
	if !slices.EqualFunc(looks, c.looks(), sameLook) {
		err = errOvertaken
	}
	if err == nil {
		err = seal(c.folder(), b.made, b.name, &state{Files: b.marks, Parts: b.parts, Waiting: b.waiting, Archived: b.archived, Looked: b.looked}, path, st)
	}
	if err != nil {
		b.abandon()
		return Change{}, err
	}
	err = c.load()
	sweep(c.folder(), b.name)
	b.change.Pages = c.Len()
	return b.change, err
}

// keep asks what is kept.
func (b *builder) keep() (err error) {
	if b.c.options.Kept != nil {
		b.kept, err = b.c.options.Kept()
	}
	return err
}

// stampOf tells second looks from those before: as long as it is the same, what is kept is too, and is not read. It is empty where a folder
// has none.
func stampOf(looks []os.FileInfo) string {
	var stamp []string
	for _, look := range looks {
		if look == nil {
			return ""
		}
		stamp = append(stamp, fmt.Sprint(look.Size(), "@", look.ModTime().UnixNano()))
	}
	return strings.Join(stamp, " ")
}

// looks are the files of second looks as they stand, one for each folder; nil where there is none.
func (c *Collection) looks() []os.FileInfo {
	all := make([]os.FileInfo, len(c.options.Folders))
	for i, folder := range c.options.Folders {
		if info, err := os.Stat(filepath.Join(folder, sink.FileKept)); err == nil {
			all[i] = info
		}
	}
	return all
}

func sameLook(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// stands tells whether what was read of the run's files is still what they say. What a second look keeps is written anew as a
// whole by the next one: it is read again from its beginning.
func (b *builder) stands() error {
	for name, m := range b.before.Files {
		path := filepath.Join(b.c.Dir, name)
		switch _, err := os.Stat(path); {
		case sink.Overtaken(path):
			b.outOf(name)
		case m.stands(path):
			b.marks[name] = m
		case err != nil || filepath.Base(name) != sink.FileKept:
			return damaged("%s is not the file any more that was indexed", path)
		default:
			b.outOf(name)
		}
	}
	return nil
}

// outOf takes out the pages of a file.
func (b *builder) outOf(name string) {
	for i := range b.cards {
		if b.cards[i].File == name {
			b.gone = append(b.gone, b.cards[i].ID)
		}
	}
}

// builder makes one generation.
type builder struct {
	c      *Collection
	before *state // nil where there is none
	from   string // its folder
	made   string // where the new one is written
	name   string
	kept   Kept // nil: all, or not asked yet
	looked string
	cards  []card
	known  known
	marks  map[string]mark
	fresh  []int // cards that are new
	gone   []uint64
	parts  int
	change Change

	again    []card   // that were read before their bytes were in the archives
	waiting  []uint64 // pages for whose bytes the next update is to look
	archived int64
}

// below is a folder of the harvest as the names in marks and cards begin.
func (b *builder) below(folder string) string {
	rel, err := filepath.Rel(b.c.Dir, folder)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

// news tells whether there is anything to do.
func (b *builder) news() (bool, error) {
	moved := false // by another second look
	if b.kept != nil {
		for i := range b.cards {
			importance, still := b.kept(b.cards[i].ID)
			if !still {
				b.gone = append(b.gone, b.cards[i].ID)
			}
			moved = moved || importance > 0 && float32(importance) != b.cards[i].Importance
		}
	}
	if b.before == nil || moved || len(b.gone) > 0 {
		return true, nil
	}
	for _, folder := range b.c.options.Folders {
		for line, err := range sink.Follow(folder, b.positions(folder)) {
			if err != nil {
				return false, err
			}
			if len(line.Text) > 0 {
				return true, nil
			}
		}
	}
	return false, nil
}

// positions are how far the files of a folder were read, by their names in it.
func (b *builder) positions(folder string) map[string]int64 {
	at := map[string]int64{}
	for name, m := range b.marks {
		if filepath.ToSlash(filepath.Dir(name)) == b.below(folder) {
			at[filepath.Base(name)] = m.Length
		}
	}
	return at
}

// build makes the generation, but for its seal: pages are read, links are followed, then what is new, or said anew, is indexed.
func (b *builder) build(ctx context.Context) error {
	b.cards = slices.Clone(b.cards)
	b.known = knownOf(b.cards)
	if b.before != nil {
		b.parts = b.before.Parts
	}
	b.name = generations + rand.Text() // never one that a reader may have open
	b.made = filepath.Join(b.c.folder(), b.name+unfinished)
	if err := os.RemoveAll(b.made); err != nil {
		return err
	}
	if err := os.MkdirAll(b.made, 0o700); err != nil {
		return err
	}
	if b.before != nil {
		if err := link(b.from, b.made); err != nil {
			return err
		}
	}
	if err := b.remove(); err != nil {
		return err
	}
	if err := b.read(ctx); err != nil {
		return err
	}
	b.redirects()
	b.count()
	w, err := webOf(b.made, b.parts, b.cards, b.known, b.without())
	if err != nil {
		return err
	}
	w.weigh(b.cards, b.kept)
	if err := b.write(ctx, w); err != nil {
		return err
	}
	return writeCards(filepath.Join(b.made, fileCards), b.cards)
}

func (b *builder) without() func(from, to *card, anchor string) bool {
	if b.c.options.Without == nil {
		return nil
	}
	return func(from, to *card, anchor string) bool { return b.c.options.Without(from.URL, to.URL, anchor) }
}

func (b *builder) abandon() { _ = os.RemoveAll(b.made) }

// remove takes out the cards of pages that are not kept any more, and what was read of their bytes: a page that comes back is
// read again, so that nothing of it counts twice. Of pages that are only read again what was read before stays where it is: to write
// all anew for them would cost as much as the harvest is large, at each update beside a crawl.
func (b *builder) remove() error {
	if len(b.gone) == 0 {
		return b.together()
	}
	gone := map[uint64]bool{}
	for _, id := range b.gone {
		gone[id] = true
	}
	left := b.cards[:0]
	for _, card := range b.cards {
		if !gone[card.ID] {
			left = append(left, card)
		}
	}
	b.cards = left
	b.known = knownOf(b.cards)
	if len(b.gone) == len(b.again) { // nobody has gone
		return b.together()
	}
	return b.pack()
}

// mostParts is how many files with sheets there may be: each update makes one, and opens all.
const mostParts = 64

// together packs the sheets where they lie in many files.
func (b *builder) together() error {
	if b.parts < mostParts {
		return nil
	}
	return b.pack()
}

// pack writes the sheets of the cards that are left into one part. Those before are linked, and so they are not written on.
func (b *builder) pack() error {
	path := filepath.Join(b.made, partFile(b.parts))
	packed, err := newPart(path)
	if err != nil {
		return err
	}
	err = eachSheet(b.made, b.parts, b.cards, b.known, func(_ int, s *sheet) error { return packed.out.Encode(s) })
	for n := range b.parts {
		if err == nil {
			err = os.Remove(filepath.Join(b.made, partFile(n)))
		}
	}
	if err = errors.Join(err, packed.close()); err != nil {
		return err
	}
	b.parts = 1
	for i := range b.cards {
		b.cards[i].Part = 0
	}
	return os.Rename(path, filepath.Join(b.made, partFile(0)))
}

// count leaves out of the change what was taken out and read again elsewhere.
func (b *builder) count() {
	gone := map[uint64]bool{}
	for _, id := range b.gone {
		gone[id] = true
	}
	for id := range gone {
		if _, again := b.known.byID[id]; again {
			b.change.Added--
		} else {
			b.change.Removed++
		}
	}
}
