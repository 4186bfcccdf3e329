// Package warc answers one question: how is a web written down?
//
// A Reader reads WARC 1.0 and 1.1, gzipped per record, gzipped whole or plain; a Writer writes WARC 1.1, a gzip member
// per record. A Record is one of either. Between them stand Record.Response, which undoes what HTTP did to a body on
// its way, and At, which reads one record of a large file by its offset. The package knows no crawl.
//
// Files of strangers are taken as they are: a record that cannot be read is passed over and counted, and only a file
// that ends too early is an error, because then pages are missing that nobody can count.
package warc

import (
	"fmt"
	"net/http"
	"time"
)

// MaxRecord is how large a record, or a body unpacked from one, may be. Larger records are passed over: no page is
// that long, and a length in a file is only a claim.
const MaxRecord = 256 << 20

// Record is one record of a WARC file. Body is the block without the WARC header.
type Record struct {
	Type   string // warcinfo, request, response, metadata, revisit, resource
	ID     string // <urn:uuid:…>
	Target string // WARC-Target-URI
	Date   time.Time
	Header http.Header // all WARC fields
	Body   []byte
	Offset int64 // where the record starts in the file; gzipped: where its gzip member starts
	Inside int64 // how far into the unpacked gzip member it starts: 0 unless a member holds several records
}

// CutError says that a file ends inside a record.
type CutError struct {
	File   string // empty where the reader has no name
	Offset int64  // where the record starts that is not whole
	Inside int64  // how far into the unpacked gzip member that is
	Err    error
}

func (e *CutError) Error() string {
	if e.Inside > 0 {
		return fmt.Sprintf("read %q: the file is cut off inside the record %d bytes into the gzip member at byte %d: copy or download it again",
			e.File, e.Inside, e.Offset)
	}
	return fmt.Sprintf("read %q: the file is cut off inside the record at byte %d: copy or download it again, or keep what is whole with truncate -s %d",
		e.File, e.Offset, e.Offset)
}

// Unwrap is what reading met, usually io.ErrUnexpectedEOF.
func (e *CutError) Unwrap() error { return e.Err }
