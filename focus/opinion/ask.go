package opinion

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
)

// Asker asks a model about pages, within bounds.
type Asker struct {
	*Model
	Most  int            // pages that it is asked about; what is remembered costs nothing
	Cache string         // the file in which answers are remembered
	Told  func(done int) // hears how many pages are done; may be nil
}

// Pages are those that a model is asked about, and those that show whether it can be believed.
type Pages struct {
	Unsure        []Page // the least sure first
	Sure, Foreign []Page // the surest first
}

// Answers are what a model said.
type Answers struct {
	Of         map[int]Opinion `json:"-"`                 // by place among the unsure pages
	Asked      int             `json:"asked"`             // pages that it was asked about now
	Tried      int             `json:"tried"`             // sure pages that it was asked about now, to see whether it can be believed
	Remembered int             `json:"remembered"`        // pages of which its answer was known
	Failed     map[string]int  `json:"failed"`            // why others got none, with how many
	Refused    string          `json:"refused,omitempty"` // why it was not asked, or not to the end; empty where it was
}

// How a model is tried, and when it is given up.
const (
	controls   = 4  // sure pages, and as many foreign ones, that it is asked about first for a yes or no
	references = 12 // the same for embeddings, which are learned from
	believed   = .75
	givenUp    = 3 // pages in a row for which the endpoint was not there
	atOnce     = 4
)

// asking is an asking under way.
type asking struct {
	*Asker
	cache *cache
	sides sides
	mu    sync.Mutex
	got   Answers
	away  int // in a row
	err   error
}

// On asks about pages. Only a file that cannot be written, or an end of the context, is an error: whatever the endpoint does, the
// answers that there are count.
func (a *Asker) On(ctx context.Context, pages Pages) (Answers, error) {
	cache, err := openCache(a.Cache)
	if err != nil {
		return Answers{}, err
	}
	w := &asking{Asker: a, cache: cache, got: Answers{Of: map[int]Opinion{}, Failed: map[string]int{}}}
	if w.got.Refused = w.try(ctx, pages); w.got.Refused == "" && ctx.Err() == nil {
		w.all(ctx, pages.Unsure)
	}
	return w.got, errors.Join(w.err, cache.Close(), ctx.Err())
}

// try says why a model cannot be believed; empty where it can.
func (w *asking) try(ctx context.Context, pages Pages) string {
	ask, most := w.tryWords, controls
	if w.Embeds {
		ask, most = w.tryEmbeddings, references
	}
	sure, foreign := pages.Sure[:min(most, len(pages.Sure))], pages.Foreign[:min(most, len(pages.Foreign))]
	if len(sure) < 2 || len(foreign) < 2 {
		return fmt.Sprintf("of the run %d pages surely belong to the topic and %d are clearly foreign, and it takes 2 of each to see whether a model can be believed", len(sure), len(foreign))
	}
	right, err := ask(ctx, sure, foreign)
	if err != nil {
		return err.Error()
	}
	if all := len(sure) + len(foreign); float64(right) < believed*float64(all) {
		return fmt.Sprintf("it is right about %d of %d pages that are sure, and is not believed", right, all)
	}
	return ""
}

// tryWords asks about pages that are sure, and counts how often the model is right. An endpoint that is not there is an error, and so
// is one that has no answer to most of what it is asked.
func (w *asking) tryWords(ctx context.Context, sure, foreign []Page) (right int, err error) {
	silent := 0
	var why error
	all := slices.Concat(sure, foreign)
	for i := range all {
		o, err := w.opinion(ctx, &all[i], &w.got.Tried)
		f := (*failure)(nil)
		switch {
		case errors.As(err, &f) && !f.away:
			silent, why = silent+1, err
		case err != nil:
			return 0, err
		case o.Relevant == (i < len(sure)):
			right++
		}
	}
	if float64(silent) > (1-believed)*float64(len(all)) {
		return 0, fmt.Errorf("it has no answer to %d of %d questions: %w", silent, len(all), why)
	}
	return right, nil
}

// tryEmbeddings learns where the sides lie. What is not remembered is asked first: what is, and is not as long, was said by another model
// of this name.
func (w *asking) tryEmbeddings(ctx context.Context, sure, foreign []Page) (right int, err error) {
	pages, long := slices.Concat(sure, foreign), 0
	all := make([]vector, len(pages))
	for _, remembers := range []bool{false, true} {
		for i := range pages {
			key := "vector " + w.digest(&pages[i])
			v, ok := w.cache.vector(key)
			if all[i] != nil || ok != remembers {
				continue
			}
			if !ok || long != 0 && len(v) != long {
				w.got.Tried++
				if v, err = w.embed(ctx, &pages[i], long); err == nil {
					err = w.cache.put(remembered{Digest: key, Vector: v})
				}
				if err != nil {
					return 0, err
				}
			}
			all[i], long = v, len(v)
		}
	}
	return w.sides.part(all[:len(sure)], all[len(sure):]), nil
}

// all asks about all pages, some at once.
func (w *asking) all(ctx context.Context, pages []Page) {
	next, left := make(chan int), w.Most
	var workers sync.WaitGroup
	for range min(atOnce, len(pages)) {
		workers.Go(func() {
			for i := range next {
				w.page(ctx, i, &pages[i])
			}
		})
	}
	for i := range pages {
		o, ok := w.cache.get(w.key(&pages[i]))
		switch more := w.goOn(); {
		case ctx.Err() != nil || !more:
		case ok:
			w.take(i, o, true)
		case left > 0:
			left--
			next <- i
		}
	}
	close(next)
	workers.Wait()
}

// goOn tells whether another page may be asked about.
func (w *asking) goOn() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.got.Refused == "" && w.err == nil
}

// take takes an opinion.
func (w *asking) take(i int, o Opinion, remembered bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.got.Of[i] = o
	if remembered {
		w.got.Remembered++
	} else {
		w.got.Asked++
		w.away = 0
	}
	w.tell()
}

func (w *asking) tell() {
	if w.Told != nil {
		w.Told(len(w.got.Of) + sumOf(w.got.Failed))
	}
}

// page asks about one page.
func (w *asking) page(ctx context.Context, i int, p *Page) {
	var asked int
	o, err := w.opinion(ctx, p, &asked)
	if err == nil {
		w.take(i, o, false)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	f := (*failure)(nil)
	switch {
	case ctx.Err() != nil:
		return
	case !errors.As(err, &f):
		w.err = err
		return
	}
	w.got.Asked++
	w.got.Failed[f.kind]++
	if w.away++; !f.away {
		w.away = 0
	}
	if w.away == givenUp {
		w.got.Refused = f.Error()
	}
	w.tell()
}

func sumOf(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// key is what an opinion is remembered by. One by an embedding hangs on the pages that it was held against.
func (w *asking) key(p *Page) string {
	if w.Embeds {
		return w.digest(p) + strconv.FormatFloat(w.sides.line, 'g', -1, 64)
	}
	return w.digest(p)
}

// opinion is what the model says of a page, or has said. asked counts what it is asked now.
func (w *asking) opinion(ctx context.Context, p *Page, asked *int) (o Opinion, err error) {
	key := w.key(p)
	if o, ok := w.cache.get(key); ok {
		return o, nil
	}
	*asked++
	if w.Embeds {
		o, err = w.byEmbedding(ctx, p, &w.sides)
	} else {
		o, err = w.inWords(ctx, p)
	}
	if err != nil {
		return o, err
	}
	return o, w.cache.put(remembered{Digest: key, URL: p.URL, Opinion: o})
}
