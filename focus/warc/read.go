package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// counter knows how many bytes have been taken from a reader.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// Reader reads records in order.
type Reader struct {
	name string
	src  io.Reader
	seek io.ReadSeeker // src where it can be rewound, for finding the next record after a bad one
	base int64         // where src stood when reading began
	from int64         // file offset at which raw was last started
	raw  counter
	in   *bufio.Reader // the file's bytes

	packed bool
	gz     *gzip.Reader
	member int64         // offset of the open gzip member
	open   bool          // a gzip member is open
	plain  counter       // counts unpacked bytes of the member
	text   *bufio.Reader // unpacked bytes; the same as in when nothing is packed

	skipped int
	last    error
	end     error // what Next answers from now on
}

// NewReader reads from r, whatever way it is packed. Where r can seek, records after a damaged one are found better;
// where it has a name, as *os.File does, errors tell it.
func NewReader(r io.Reader) (*Reader, error) {
	w := &Reader{}
	return w, w.reset(r)
}

func (r *Reader) reset(src io.Reader) error {
	gz, in, text := r.gz, r.in, r.text
	*r = Reader{src: src, gz: gz, in: in}
	if n, ok := src.(interface{ Name() string }); ok {
		r.name = n.Name()
	}
	if s, ok := src.(io.ReadSeeker); ok {
		if at, err := s.Seek(0, io.SeekCurrent); err == nil {
			r.seek, r.base = s, at
		}
	}
	if r.in == nil {
		r.in = bufio.NewReaderSize(nil, 64<<10)
	}
	r.restart(0)
	head, err := r.in.Peek(len(memberHead))
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %q: %w", r.name, err)
	}
	if r.packed = len(head) > 0 && (head[0] == memberHead[0] || string(head[1:]) == memberHead[1:] || r.packedLater()); r.packed {
		if text == nil || text == in {
			text = bufio.NewReaderSize(nil, 16<<10)
		}
		r.text = text
	} else {
		r.text = r.in
	}
	return nil
}

// restart reads on at a file offset, to which src has been moved.
func (r *Reader) restart(at int64) {
	r.from = at
	r.raw = counter{r: r.src}
	r.in.Reset(&r.raw)
	r.open = false
}

// offset is where the next unread byte stands in the file.
func (r *Reader) offset() int64 { return r.from + r.raw.n - int64(r.in.Buffered()) }

// inside is how many bytes of the open member have been taken.
func (r *Reader) inside() int64 {
	if !r.packed {
		return 0
	}
	return r.plain.n - int64(r.text.Buffered())
}

// place is where the next record starts.
func (r *Reader) place() (offset, inside int64) {
	if r.packed {
		return r.member, r.inside()
	}
	return r.offset(), 0
}

// Skipped is how many bad records were passed over, and why the last one was.
func (r *Reader) Skipped() (int, error) { return r.skipped, r.last }

// Next answers the next record, io.EOF at the end, or an error that names the offset; after a bad record it goes on
// with the next one it can find, and Skipped counts. A file that ends inside its last record gives a *CutError.
func (r *Reader) Next() (*Record, error) {
	for r.end == nil {
		offset, inside, err := r.begin()
		if err == io.EOF {
			r.end = io.EOF
			break
		}
		var rec *Record
		if err == nil {
			rec, err = r.record()
		}
		if err == nil {
			rec.Offset, rec.Inside = offset, inside
			return rec, nil
		}
		r.mend(err, offset, inside)
	}
	return nil, r.end
}

// begin moves to the first byte of the next record, past empty lines, into the next gzip member where one must be
// opened.
func (r *Reader) begin() (offset, inside int64, err error) {
	for {
		if r.packed && !r.open {
			r.member = r.offset()
			if err := r.openMember(); err != nil {
				return r.member, 0, err
			}
		}
		err = r.emptyLines()
		if err != io.EOF || !r.packed {
			offset, inside = r.place()
			return offset, inside, err
		}
		r.open = false
	}
}

// emptyLines passes over line ends to the next byte that is none.
func (r *Reader) emptyLines() error {
	for {
		c, err := r.text.Peek(1)
		if err != nil {
			return err
		}
		if c[0] != '\r' && c[0] != '\n' {
			return nil
		}
		r.text.Discard(1)
	}
}

// openMember opens the gzip member that starts here; io.EOF where the file ends.
func (r *Reader) openMember() error {
	if _, err := r.in.Peek(1); err != nil {
		return err
	}
	var err error
	if r.gz == nil {
		r.gz, err = gzip.NewReader(r.in)
	} else {
		err = r.gz.Reset(r.in)
	}
	if err != nil {
		return noEOF(err)
	}
	r.gz.Multistream(false)
	r.plain = counter{r: r.gz}
	r.text.Reset(&r.plain)
	r.open = true
	return nil
}

// noEOF makes an end of file inside something into the error it is.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// malformed is an error in what a record says, not in getting at its bytes.
type malformed string

func (e malformed) Error() string { return string(e) }

// record reads one record, from its version line to the empty lines behind it.
func (r *Reader) record() (*Record, error) {
	header, err := r.header()
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if err != nil || n < 0 {
		return nil, malformed(fmt.Sprintf("Content-Length is %q, want a number of bytes", header.Get("Content-Length")))
	}
	if n > MaxRecord {
		if _, err := io.CopyN(io.Discard, r.text, n); err != nil {
			return nil, noEOF(err)
		}
		return nil, malformed(fmt.Sprintf("%d bytes long, want at most %d", n, MaxRecord))
	}
	body, err := readN(r.text, n)
	if err != nil {
		return nil, noEOF(err)
	}
	// Going on to the end of the member makes gzip check its sum.
	if err := r.emptyLines(); err != nil && err != io.EOF {
		return nil, noEOF(err)
	}
	rec := &Record{
		Type: strings.ToLower(header.Get("WARC-Type")), ID: header.Get("WARC-Record-ID"),
		Target: strings.TrimSuffix(strings.TrimPrefix(header.Get("WARC-Target-URI"), "<"), ">"),
		Header: header, Body: body,
	}
	if rec.Type == "" {
		return nil, malformed("no WARC-Type")
	}
	// A date that cannot be read costs the date, not the record.
	rec.Date, _ = time.Parse(time.RFC3339Nano, header.Get("WARC-Date"))
	return rec, nil
}

// readN reads n bytes without believing n: memory grows with what is really there.
func readN(r io.Reader, n int64) ([]byte, error) {
	if n <= 1<<20 {
		p := make([]byte, n)
		_, err := io.ReadFull(r, p)
		return p, err
	}
	var b bytes.Buffer
	_, err := io.CopyN(&b, r, n)
	return b.Bytes(), err
}
