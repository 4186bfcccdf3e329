package index

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// bring makes the next generation, if anything has changed since the last. The lock is held.
func (c *Collection) bring(ctx context.Context) (Change, error) {
	path, st, err := current(c.folder())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Change{}, err
	}
	if err := c.load(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Change{}, err
	}
	sweep(c.folder(), filepath.Base(path))
	b := &builder{c: c, before: st, from: path, marks: map[string]mark{}}
	if c.options.Kept != nil {
		if b.kept, err = c.options.Kept(); err != nil {
			return Change{}, err
		}
	}
	if st != nil {
		b.cards = append([]card(nil), c.open.table.cards...)
		if err := b.stands(); err != nil {
			return Change{}, err
		}
	}
	b.known = knownOf(b.cards)
	if fresh, err := b.news(); err != nil || !fresh {
		return Change{Pages: c.Len()}, err
	}
	if err := b.build(ctx); err != nil {
		b.abandon()
		return Change{}, err
	}
	err = c.load()
	sweep(c.folder(), b.name)
	b.change.Pages = c.Len()
	return b.change, err
}

// stands tells whether what was read of the run's files is still what they say. What a second look keeps is written anew as a
// whole by the next one: it is read again from its beginning.
func (b *builder) stands() error {
	for name, m := range b.before.Files {
		path := filepath.Join(b.c.Dir, name)
		switch _, err := os.Stat(path); {
		case m.stands(path):
			b.marks[name] = m
		case err != nil || filepath.Base(name) != sink.FileKept:
			return damaged("%s is not the file any more that was indexed", path)
		default:
			for i := range b.cards {
				if b.cards[i].File == name {
					b.gone = append(b.gone, b.cards[i].ID)
				}
			}
		}
	}
	return nil
}

// builder makes one generation.
type builder struct {
	c      *Collection
	before *state // nil where there is none
	from   string // its folder
	made   string // where the new one is written
	name   string
	kept   Kept // nil: all
	cards  []card
	known  known
	marks  map[string]mark
	fresh  []int // cards that are new
	gone   []uint64
	parts  int
	change Change
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

// build makes the generation: pages are read, links are followed, then what is new, or said anew, is indexed.
func (b *builder) build(ctx context.Context) error {
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
	b.count()
	w, err := webOf(b.made, b.parts, b.cards, b.known, b.without())
	if err != nil {
		return err
	}
	w.weigh(b.cards, b.kept)
	if err := b.write(ctx, w); err != nil {
		return err
	}
	if err := writeCards(filepath.Join(b.made, fileCards), b.cards); err != nil {
		return err
	}
	return seal(b.c.folder(), b.made, b.name, &state{Files: b.marks, Parts: b.parts}, b.from, b.before)
}

func (b *builder) without() func(from, to *card, anchor string) bool {
	if b.c.options.Without == nil {
		return nil
	}
	return func(from, to *card, anchor string) bool { return b.c.options.Without(from.URL, to.URL, anchor) }
}

func (b *builder) abandon() { _ = os.RemoveAll(b.made) }

// remove takes out the cards of pages that are not kept any more.
func (b *builder) remove() error {
	if len(b.gone) == 0 {
		return nil
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
	return nil
}

// read reads what is new in the harvest, and what the bytes of these pages tell.
func (b *builder) read(ctx context.Context) error {
	part, err := newPart(filepath.Join(b.made, partFile(b.parts)))
	if err != nil {
		return err
	}
	b.parts++
	var bare []*sheet // of pages whose bytes are not there
	for _, folder := range b.c.options.Folders {
		more, err := b.readFolder(ctx, folder, part)
		if err != nil {
			part.close()
			return err
		}
		bare = append(bare, more...)
	}
	if err := b.asLogged(bare); err != nil {
		part.close()
		return err
	}
	for _, s := range bare {
		if err := part.out.Encode(s); err != nil {
			part.close()
			return err
		}
	}
	return part.close()
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

func (b *builder) readFolder(ctx context.Context, folder string, part *partWriter) (bare []*sheet, err error) {
	below := b.below(folder)
	from, err := openArchives(folder, below, b.marks)
	if err != nil {
		return nil, err
	}
	defer from.close()
	at := b.positions(folder)
	last := map[string]int64{}
	for line, err := range sink.Follow(folder, at) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		at[line.File] = line.Offset + int64(len(line.Text)) + 1
		record, ok := b.record(line)
		if !ok {
			continue
		}
		line.File = filepath.ToSlash(filepath.Join(below, line.File))
		s, archived := b.take(record, line, from)
		if !archived {
			bare = append(bare, s)
			continue
		}
		i := len(b.cards) - 1
		last[b.cards[i].Archive] = max(last[b.cards[i].Archive], b.cards[i].At)
		if err := part.out.Encode(s); err != nil {
			return nil, err
		}
	}
	for name, length := range at {
		last[filepath.ToSlash(filepath.Join(below, name))] = length
	}
	for name, length := range last {
		if b.marks[name], err = markOf(filepath.Join(b.c.Dir, name), length); err != nil {
			return nil, err
		}
	}
	return bare, nil
}

// record is the record of a line, if it is one that is to be searched.
func (b *builder) record(line sink.Line) (*sink.Record, bool) {
	if len(line.Text) == 0 {
		return nil, false
	}
	r := &sink.Record{}
	if err := json.Unmarshal(line.Text, r); err != nil {
		b.change.Unread++
		return nil, false
	}
	if _, there := b.known.byID[r.ID]; there {
		return nil, false // two machines have kept it, because one was taken for dead
	}
	if b.kept == nil {
		return r, true
	}
	_, kept := b.kept(r.ID)
	return r, kept
}

// take makes the card and the sheet of a page. ok is false where its bytes are not there.
func (b *builder) take(r *sink.Record, line sink.Line, from *archives) (s *sheet, ok bool) {
	made := newCard(r, line)
	hash, words := junk.Fingerprint([]byte(r.Text))
	made.Print, made.Words = hash, int32(words)
	s = &sheet{ID: r.ID}
	found, ok := from.find(r)
	if ok {
		made.Archive, made.At = found.file, found.at
		if response, body, err := found.rec.Response(); err == nil {
			s.read(body, response.Header.Get("Content-Type"), made.URL)
			made.Kind = s.Kind
		}
	}
	b.cards = append(b.cards, made)
	i := len(b.cards) - 1
	b.known.add(b.cards, i)
	b.fresh = append(b.fresh, i)
	b.change.Added++
	return s, ok
}

// asLogged gives pages whose bytes are not there the links that the log of the crawl tells.
func (b *builder) asLogged(bare []*sheet) error {
	if len(bare) == 0 || b.c.options.Log == nil {
		return nil
	}
	by := map[uint64]*sheet{}
	for _, s := range bare {
		by[s.ID] = s
	}
	return b.c.options.Log(func(page uint64, address, anchor string) bool {
		if s := by[page]; s != nil {
			s.Links = append(s.Links, pointer{nameOf(address), clipped(anchor, longestAnchor)})
		}
		return true
	})
}
