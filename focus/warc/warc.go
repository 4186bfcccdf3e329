// Package warc answers one question: how is a web written down?
//
// A Reader reads WARC 1.0 and 1.1, gzipped per record, gzipped whole or plain; a Writer writes WARC 1.1, a gzip member
// per record. The package knows no crawl.
package warc

import (
	"io"
	"net/http"
	"time"
)

// Record is one record of a WARC file. Body is the block without the WARC header.
type Record struct {
	Type   string // warcinfo, request, response, metadata, revisit, resource
	ID     string // <urn:uuid:…>
	Target string // WARC-Target-URI
	Date   time.Time
	Header http.Header // all WARC fields
	Body   []byte
	Offset int64 // where the record starts in the file
}

// Reader reads records in order.
type Reader struct{}

// NewReader reads from r, whatever way it is packed.
func NewReader(r io.Reader) (*Reader, error) { panic("warc: not built") }

// Next answers the next record, io.EOF at the end, or an error that names the offset; after a bad record it goes on
// with the next one it can find, and Skipped counts.
func (r *Reader) Next() (*Record, error) { panic("warc: not built") }

// Skipped is how many bad records were passed over, and why the last one was.
func (r *Reader) Skipped() (int, error) { panic("warc: not built") }

// Response splits a response record's block into status, header and body, with transfer and content encodings undone.
func (r *Record) Response() (*http.Response, []byte, error) { panic("warc: not built") }

// Writer writes records, a gzip member each, with a reused compressor.
type Writer struct{}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { panic("warc: not built") }

// Write writes one record and answers how many bytes of the file it takes.
func (w *Writer) Write(r *Record) (int64, error) { panic("warc: not built") }
