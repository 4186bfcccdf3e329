package extensions

import (
	"context"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/recent"
	"github.com/thresher-crawler/thresher/focus/rights"
)

// note is what extensions have found out about the page of a request, for each other and for the callbacks of the page.
// It cannot stand in the page's colly.Context, which Colly shares with all pages that are visited from it.
type note struct {
	head      *rights.Head
	tags      rights.Tags
	canonical string
	optOuts   *rights.Reserved
}

// notebook holds the notes on the pages of one collector that are being worked on.
type notebook = recent.Map[*colly.Request, *note]

// openPages is how many pages of a collector are worked on at the same time at most; Visit in a callback nests them.
const openPages = 10_000

type notebookKey struct{}

// openNotebook gives a collector its notebook, once. The extensions of a collector share it.
func openNotebook(c *colly.Collector) {
	if c.Context.Value(notebookKey{}) != nil {
		return
	}
	book := recent.New[*colly.Request, *note](openPages)
	c.Context = context.WithValue(c.Context, notebookKey{}, book)
	c.OnResponse(func(r *colly.Response) {
		book.Put(r.Request, &note{head: rights.ReadHead(*r.Headers, r.Body)})
		r.Ctx.Put(bookKey, book)
	})
	c.OnScraped(func(r *colly.Response) { book.Drop(r.Request) })
}

// bookKey is where the notebook stands in every colly.Context.
const bookKey = privateKey + "notes"

// noteOn answers the note on the page of a request; an empty one if there is none.
func noteOn(r *colly.Request) *note {
	if book, ok := r.Ctx.GetAny(bookKey).(*notebook); ok {
		if n, ok := book.Get(r); ok {
			return n
		}
	}
	return &note{head: &rights.Head{}}
}
