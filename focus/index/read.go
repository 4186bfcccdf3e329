package index

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// read reads what is new in the harvest, and what the bytes of these pages tell.
func (b *builder) read(ctx context.Context) error {
	path := filepath.Join(b.made, partFile(b.parts))
	part, err := newPart(path)
	if err != nil {
		return err
	}
	err = b.readInto(ctx, part)
	if err = errors.Join(err, part.close()); err != nil {
		return err
	}
	if len(b.fresh) == 0 {
		return os.Remove(path)
	}
	b.parts++
	return nil
}

func (b *builder) readInto(ctx context.Context, part *partWriter) error {
	var bare []*sheet // of pages whose bytes are not there
	for _, folder := range b.c.options.Folders {
		more, err := b.readFolder(ctx, folder, part)
		if err != nil {
			return err
		}
		bare = append(bare, more...)
	}
	if err := b.asLogged(bare); err != nil {
		return err
	}
	for _, s := range bare {
		if err := part.out.Encode(s); err != nil {
			return err
		}
	}
	return nil
}

// readFolder reads what is new in one run folder, and answers the pages that no archive has. A page whose line is there and whose bytes
// are not yet in the archive is waited for: the next reading takes that line again. How far each file was read, and what stood there, is
// marked at the end, so that a file that was replaced is noticed.
func (b *builder) readFolder(ctx context.Context, folder string, part *partWriter) (bare []*sheet, err error) {
	below := b.below(folder)
	from, err := openArchives(folder, below, b.marks)
	if err != nil {
		return nil, err
	}
	defer from.close()
	again, err := openPast(folder, below, b.marks)
	if err != nil {
		return nil, err
	}
	defer again.close()
	at := b.positions(folder)
	last := map[string]int64{}
	var waiting []uint64
	for line, err := range b.lines(folder, maps.Clone(at)) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		at[line.File] = max(at[line.File], line.Offset+int64(len(line.Text))+1)
		record, ok := b.record(line)
		if !ok {
			continue
		}
		line.File = filepath.ToSlash(filepath.Join(below, line.File))
		found, ok, err := from.find(record)
		if err == nil && !ok && filepath.Base(line.File) == sink.FileKept {
			found, ok, err = again.find(record) // an earlier look has left the page out, and may have gone by its bytes
		}
		if err != nil {
			return nil, err
		}
		s, archived := b.take(record, line, found, ok)
		if !archived {
			bare = append(bare, s)
			if len(from.names) > 0 && filepath.Base(line.File) != sink.FileKept {
				waiting = append(waiting, s.ID)
			}
			continue
		}
		waiting = nil // pages are archived in the order in which they are kept
		i := len(b.cards) - 1
		last[b.cards[i].Archive] = max(last[b.cards[i].Archive], b.cards[i].At)
		if err := part.out.Encode(s); err != nil {
			return nil, err
		}
	}
	for name, length := range at {
		name = filepath.ToSlash(filepath.Join(below, name))
		last[name] = max(last[name], length)
	}
	for name, length := range last {
		if b.marks[name], err = markOf(filepath.Join(b.c.Dir, name), length); err != nil {
			return nil, err
		}
	}
	b.waiting = append(b.waiting, waiting[max(0, len(waiting)-ahead):]...)
	return bare, nil
}

// lines are those that are to be read of a folder: those that are read again, and what is new.
func (b *builder) lines(folder string, from map[string]int64) iter.Seq2[sink.Line, error] {
	return func(yield func(sink.Line, error) bool) {
		for i := range b.again {
			c := &b.again[i]
			if filepath.ToSlash(filepath.Dir(c.File)) != b.below(folder) {
				continue
			}
			text, err := lineOf(b.c.Dir, c)
			if !yield(sink.Line{File: filepath.Base(c.File), Offset: c.Offset, Text: text}, err) {
				return
			}
		}
		for line, err := range sink.Follow(folder, from) {
			if !yield(line, err) {
				return
			}
		}
	}
}

// await has pages read again whose bytes were not in the archives when they were read, where more is in these now: a crawl
// writes the line of a page first. A page that is taken out is read where it stands by now, if at all.
func (b *builder) await() {
	b.waiting = b.before.Waiting
	if b.archived == b.before.Archived {
		return
	}
	for _, id := range b.before.Waiting {
		if i, there := b.known.byID[id]; there && !slices.Contains(b.gone, id) {
			b.again, b.gone = append(b.again, b.cards[i]), append(b.gone, id)
		}
	}
	b.waiting = nil
}

// archived is how many bytes are in the archives.
func (c *Collection) archived() (n int64) {
	for _, folder := range c.options.Folders {
		names, err := sink.Archives(folder)
		if err != nil {
			continue
		}
		for _, name := range names {
			if info, err := os.Stat(filepath.Join(folder, name)); err == nil {
				n += info.Size()
			}
		}
	}
	return n
}

// record is the record of a line, if it is one that is to be searched.
func (b *builder) record(line sink.Line) (*sink.Record, bool) {
	if len(line.Text) == 0 {
		return nil, false
	}
	var in contents
	if err := json.Unmarshal(line.Text, &in); err != nil {
		b.change.Unread++
		return nil, false
	}
	r := in.record()
	if _, there := b.known.byID[r.ID]; there {
		return nil, false // two machines have kept it, because one was taken for dead
	}
	if b.kept == nil {
		return r, true
	}
	_, kept := b.kept(r.ID)
	return r, kept
}

// take makes the card and the sheet of a page. archived is false where its bytes are not there.
func (b *builder) take(r *sink.Record, line sink.Line, found response, archived bool) (*sheet, bool) {
	b.c.progress.read.Add(1)
	made := newCard(r, line)
	made.Part = int32(b.parts)
	hash, words := junk.TextFingerprint(r.Saying())
	made.Print, made.Words = hash, int32(words)
	s := &sheet{ID: r.ID}
	if archived {
		made.Archive, made.At = found.file, found.at
		if response, body, err := found.rec.Response(); err == nil {
			s.read(body, response.Header, made.URL, b.c.options.Reading)
			made.Kind = s.Kind
		}
	}
	b.cards = append(b.cards, made)
	i := len(b.cards) - 1
	b.known.add(b.cards, i)
	b.fresh = append(b.fresh, i)
	b.change.Added++
	return s, archived
}

// mostRedirects is over how many redirects, one behind the other, an address is followed.
const mostRedirects = 20

// redirects gives pages the names of the addresses that lead to them by redirects, as the log has them now. A name that is a page's own
// stays that page's.
func (b *builder) redirects() {
	if b.c.options.Redirects == nil {
		return
	}
	onward := map[uint64]uint64{}
	b.c.options.Redirects(func(from, to string) { onward[nameOf(from)] = nameOf(to) })
	for i := range b.cards {
		b.cards[i].Names = b.cards[i].Names[:ownNames:ownNames]
	}
	b.known = knownOf(b.cards)
	own := maps.Clone(b.known.byName)
	for _, from := range slices.Sorted(maps.Keys(onward)) {
		if i, ok := leadsTo(own, onward, from); ok {
			b.cards[i].Names = append(b.cards[i].Names, from)
			b.known.byName[from] = i
		}
	}
}

// leadsTo is the page to which an address leads that is none itself.
func leadsTo(own map[uint64]int, onward map[uint64]uint64, from uint64) (page int, ok bool) {
	if _, itself := own[from]; itself {
		return 0, false
	}
	for at, n := from, 0; n < mostRedirects && !ok && at != 0; n++ {
		at = onward[at]
		page, ok = own[at]
	}
	return page, ok
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
