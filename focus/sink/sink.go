// Package sink answers one question: where do results go?
//
// A Record is one kept page, in plain strings and numbers. A Sink writes records; it can tell how long each of its
// files is, so that a crash can be cut back to the last page that was finished. It serves step 5 of the journey (see
// package focus).
package sink

import (
	"net/http"
	"time"
)

// Term is a word of the topic that a page matched, and what it added to the judgement.
type Term struct {
	Term   string  `json:"term"`
	Weight float64 `json:"weight"`
}

// Number is one node of the score's tree.
type Number struct {
	Name  string  `json:"name"`
	Depth int     `json:"depth"`
	Value float64 `json:"value"` // NaN where there was no evidence; written as null
}

// Step is one ancestor on the way to a page, the seed first.
type Step struct {
	URL       string  `json:"url"`
	Anchor    string  `json:"anchor,omitempty"` // the words of the link that led on to the next page
	Relevance float64 `json:"relevance"`
}

// Record is one kept page. The field comments are the documentation of harvest.jsonl.
type Record struct {
	ID          uint64    `json:"id"`                    // the item's number in this crawl
	URL         string    `json:"url"`                   // the address as it was found
	FinalURL    string    `json:"final_url"`             // the address that answered
	Host        string    `json:"host"`                  //
	Time        time.Time `json:"time"`                  // when it was fetched
	Status      int       `json:"status"`                // HTTP status
	Type        string    `json:"type"`                  // media type
	Charset     string    `json:"charset"`               // what the bytes were in
	Language    string    `json:"language"`              //
	Title       string    `json:"title"`                 //
	Description string    `json:"description,omitempty"` //
	Author      string    `json:"author,omitempty"`      //
	Date        string    `json:"date,omitempty"`        // as the page states it
	Text        string    `json:"text"`                  // the main text
	Markdown    string    `json:"markdown,omitempty"`    // the main block as Markdown
	Digest      string    `json:"digest"`                // sha256 of the body as received
	Bytes       int64     `json:"bytes"`                 // length of the body as received
	Relevance   float64   `json:"relevance"`             // in [0,1]
	Raw         float64   `json:"raw"`                   // the judge's own number
	Terms       []Term    `json:"terms"`                 // the topic's words it matched
	Score       float64   `json:"score"`                 // what its link had promised
	Why         []Number  `json:"why"`                   // the score's tree in reading order
	Depth       int       `json:"depth"`                 // links away from a seed
	Trail       []Step    `json:"trail"`                 // how the crawl got here
	Links       int       `json:"links"`                 // links on the page

	// For sinks that keep the exchange itself; never written to JSON.
	Request  *http.Request `json:"-"`
	Header   http.Header   `json:"-"`
	Body     []byte        `json:"-"`
	Proto    string        `json:"-"`
	ConnAddr string        `json:"-"`
}

// Sink writes records. Write is called by one goroutine at a time.
type Sink interface {
	Write(*Record) error
	// Lengths flushes and tells how long each file is, by its name below the run folder: what a crash is cut back to.
	Lengths() (map[string]int64, error)
	Close() error
}
