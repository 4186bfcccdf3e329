package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// ErrNoPage says that a collection holds no such page.
var ErrNoPage = errors.New("there is no such page")

// Page is a page of a collection, with its record.
func (c *Collection) Page(id uint64) (*Hit, *sink.Record, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.open == nil {
		return nil, nil, ErrNoPage
	}
	i, ok := c.open.table.names.byID[id]
	if !ok {
		return nil, nil, ErrNoPage
	}
	return c.hit(&c.open.table.cards[i])
}

// Named is the number of the page at an address, if the collection has it.
func (c *Collection) Named(address string) (id uint64, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	name := nameOf(address)
	if c.open == nil || name == 0 {
		return 0, false
	}
	i, ok := c.open.table.names.byName[name]
	if !ok {
		return 0, false
	}
	return c.open.table.cards[i].ID, true
}

// hit is a page without a query.
func (c *Collection) hit(card *card) (*Hit, *sink.Record, error) {
	r, err := readRecord(c.Dir, card)
	if err != nil && c.rewritten() {
		err = ErrMoved
	}
	if err != nil {
		return nil, nil, err
	}
	h := &Hit{}
	h.of(c, card, r)
	return h, r, nil
}

// Copy is the body of a page as it came over the wire, and its Content-Type. It is os.ErrNotExist where it was not kept.
func (c *Collection) Copy(id uint64) (body []byte, contentType string, err error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.open == nil {
		return nil, "", ErrNoPage
	}
	i, ok := c.open.table.names.byID[id]
	if !ok {
		return nil, "", ErrNoPage
	}
	if c.rewritten() {
		return nil, "", ErrMoved
	}
	card := &c.open.table.cards[i]
	if card.Archive == "" {
		return nil, "", os.ErrNotExist
	}
	rec, err := readAt(filepath.Join(c.Dir, card.Archive), card.At)
	if err != nil {
		return nil, "", err
	}
	response, body, err := rec.Response()
	if err != nil {
		return nil, "", err
	}
	return body, response.Header.Get("Content-Type"), nil
}

// Shown is the copy of a page as HTML in UTF-8, also where it is plain text or a PDF.
func (c *Collection) Shown(id uint64) ([]byte, error) {
	body, contentType, err := c.Copy(id)
	if err != nil {
		return nil, err
	}
	html, _, err := markup(body, contentType)
	return html, err
}

// Newest are the pages that were fetched last, the latest first.
func (c *Collection) Newest(most int) ([]*Hit, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.open == nil {
		return nil, nil
	}
	cards := c.open.table.cards
	order := make([]int, len(cards))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(cards[b].Found - cards[a].Found) })
	var hits []*Hit
	for _, i := range order[:min(most, len(order))] {
		h, r, err := c.hit(&cards[i])
		if errors.Is(err, ErrMoved) {
			continue
		}
		if err != nil {
			return nil, err
		}
		text := clippedView(r.Text, snippetText)
		h.Snippet = []Piece{{Text: page.OneLine(text[:within(text, 0, snippetWidth)])}}
		hits = append(hits, h)
	}
	return hits, nil
}

// Rewritten tells that the harvest is not the one any more that is searched: a host was forgotten, the run repaired or begun anew. Its
// pages are left out of answers until Update has read it.
func (c *Collection) Rewritten() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.open != nil && c.rewritten()
}

// rewritten tells the same of a collection whose lock is held. What another second look keeps is of the same harvest, unless the index
// was taken away with what was kept before.
func (c *Collection) rewritten() bool {
	for name, m := range c.open.files {
		path := filepath.Join(c.Dir, filepath.FromSlash(name))
		if m.stands(path) || sink.Overtaken(path) {
			continue
		}
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && strings.HasSuffix(name, ".warc.gz") {
			continue // somebody has taken an archive away: there is no copy, and all else is as it was
		}
		_, err := os.Stat(c.open.path)
		if err != nil || filepath.Base(path) != sink.FileKept {
			return !c.gone()
		}
	}
	return false
}

// Behind tells that another process has brought the index up to date, and this one has not read it since.
func (c *Collection) Behind() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	raw, err := os.ReadFile(filepath.Join(c.folder(), fileCurrent))
	name := strings.TrimSpace(string(raw))
	return err == nil && c.open != nil && strings.HasPrefix(name, generations) && name != filepath.Base(c.open.path)
}

// Signature changes when the harvest has grown or was begun anew. To ask for it costs next to nothing.
func (c *Collection) Signature() string {
	var b strings.Builder
	for _, folder := range c.options.Folders {
		names, err := sink.PageFiles(folder)
		if err != nil {
			continue
		}
		for _, name := range names {
			if info, err := os.Stat(filepath.Join(folder, name)); err == nil {
				fmt.Fprintf(&b, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	fmt.Fprintln(&b, c.archived())
	return b.String()
}
