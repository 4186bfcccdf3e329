package index

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
	zap "github.com/blevesearch/zapx/v17"
)

// For each batch scorch makes room beforehand as if it had a hundred pages more, each like those of the batch before: where these are
// books, or hostile, that is a gigabyte.
func init() { zap.NewSegmentBufferNumResultsBump = 0 }

// Of bleve this is the index alone, scorch: words are cut, and answers are ranked, by us.

// analysts are what scorch calls upon to take documents apart.
var analysts = sync.OnceValue(func() *bleve.AnalysisQueue { return bleve.NewAnalysisQueue(runtime.GOMAXPROCS(0)) })

// openStore opens the index in a folder; one to be written is made where there is none.
func openStore(path string, readOnly bool) (bleve.Index, error) {
	config := map[string]any{"path": path, "read_only": readOnly, "bolt_timeout": "10s"}
	in, err := scorch.NewScorch(scorch.Name, config, analysts())
	if err != nil {
		return nil, err
	}
	if err := in.Open(); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return in, nil
}

// batchBytes is how much text is handed to bleve at once. It takes many times as much memory until it is written.
const batchBytes = 4 << 20

// write indexes the pages that are new, and those of which links say something new.
func (b *builder) write(ctx context.Context, w *web) error {
	changed := b.changed(w)
	sheets, err := b.sheets(changed)
	if err != nil {
		return err
	}
	b.c.progress.of.Store(int64(len(changed)))
	path := filepath.Join(b.made, folderBleve)
	if b.before == nil && len(changed) > 0 {
		return b.whole(ctx, path, w, changed, sheets)
	}
	if err := b.more(ctx, path, w, changed, sheets); err != nil {
		return err
	}
	return tidy(ctx, path)
}

// whole makes an index of one segment: a query costs something in each.
func (b *builder) whole(ctx context.Context, path string, w *web, changed []int, sheets map[uint64]*sheet) error {
	bytes := 0
	for _, i := range changed {
		bytes += int(b.cards[i].Length)
	}
	in, err := scorch.NewBuilder(map[string]any{"path": path, "buildPathPrefix": b.made, "batchSize": 1 + len(changed)*batchBytes/(1+bytes), "mergeMax": 256})
	if err != nil {
		return err
	}
	for _, i := range changed {
		if err := ctx.Err(); err != nil {
			return err // what it has made lies in the generation that is abandoned
		}
		doc, _, err := b.page(i, w.linked(i), sheets[b.cards[i].ID])
		if err != nil {
			return err
		}
		if err := in.Index(doc); err != nil {
			return err
		}
		b.c.progress.indexed.Add(1)
	}
	return in.Close()
}

// more adds pages to an index, and takes some out.
func (b *builder) more(ctx context.Context, path string, w *web, changed []int, sheets map[uint64]*sheet) (err error) {
	in, err := openStore(path, false)
	if err != nil {
		return damaged("%s cannot be opened: %v", path, err)
	}
	defer func() {
		if closing := in.Close(); err == nil {
			err = closing
		}
	}()
	batch, size := bleve.NewBatch(), 0
	for _, id := range b.gone {
		batch.Delete(strconv.FormatUint(id, 10))
	}
	for _, i := range changed {
		if err := ctx.Err(); err != nil {
			return err
		}
		doc, n, err := b.page(i, w.linked(i), sheets[b.cards[i].ID])
		if err != nil {
			return err
		}
		batch.Update(doc)
		b.c.progress.indexed.Add(1)
		if size += n; size >= batchBytes {
			if err := in.Batch(batch); err != nil {
				return err
			}
			batch.Reset()
			size = 0
		}
	}
	return in.Batch(batch)
}

// tidy has bleve remove the segments that it has merged into others: it does so a moment after an index was opened to be
// written. An index in which some are left is larger than it need be, and no worse.
func tidy(ctx context.Context, path string) error {
	in, err := openStore(path, false)
	if err != nil {
		return err
	}
	wait := time.NewTicker(10 * time.Millisecond)
	defer wait.Stop()
	for range 200 {
		left, err := filepath.Glob(filepath.Join(path, "*.zap"))
		if err != nil || len(left) <= segments(in) || ctx.Err() != nil {
			break
		}
		<-wait.C
	}
	return errors.Join(in.Close(), ctx.Err())
}

// segments is how many segments an index is made of.
func segments(in bleve.Index) int {
	reader, err := in.Reader()
	if err != nil {
		return 0
	}
	defer reader.Close()
	s, ok := reader.(*scorch.IndexSnapshot)
	if !ok {
		return 0
	}
	return len(s.Segments())
}

// changed are the cards to index: new ones, and those to which links lead whose words are not in the index.
func (b *builder) changed(w *web) []int {
	isNew := map[int]bool{}
	for _, i := range b.fresh {
		isNew[i] = true
	}
	var all []int
	for i := range b.cards {
		hash := linkedHash(w.linked(i))
		if isNew[i] || hash != b.cards[i].Linked {
			all = append(all, i)
			if !isNew[i] {
				b.change.Again++
			}
		}
		b.cards[i].Linked = hash
	}
	return all
}

// sheets are those of some pages.
func (b *builder) sheets(of []int) (map[uint64]*sheet, error) {
	wanted := make(map[uint64]*sheet, len(of))
	for _, i := range of {
		wanted[b.cards[i].ID] = &sheet{}
	}
	err := eachSheet(b.made, b.parts, b.cards, b.known, func(_ int, s *sheet) error {
		if wanted[s.ID] != nil {
			s.Links = nil
			wanted[s.ID] = s
		}
		return nil
	})
	return wanted, err
}

// page is a page as bleve indexes it, and how much text it has.
func (b *builder) page(i int, linked string, s *sheet) (*document.Document, int, error) {
	c := &b.cards[i]
	read := readContents
	if s.Headings == "" {
		read = readRecord // its Markdown may have some
	}
	r, err := read(b.c.Dir, c)
	if err != nil {
		return nil, 0, err
	}
	doc, lengths := b.c.words.document(c.key(), writingOf(r, s, linked))
	c.Lengths = lengths
	return doc, len(r.Text), nil
}
