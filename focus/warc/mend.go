package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// mend decides what a failure means: a bad record with more behind it, a file that was cut, or a disk that does not
// read. offset and inside are where the failed record starts.
//
//	what the record says is wrong   → the next line that opens a record, else the next member
//	the bytes are wrong             → back to the record's start, then the next place where a record opens
//	the file ended in it            → the same; where nothing follows, it was cut
//	anything else                   → that error, for good
func (r *Reader) mend(why error, offset, inside int64) {
	var bad malformed
	ended := errors.Is(why, io.ErrUnexpectedEOF)
	var corrupt flate.CorruptInputError
	damaged := errors.Is(why, gzip.ErrHeader) || errors.Is(why, gzip.ErrChecksum) || errors.As(why, &corrupt)
	switch {
	case errors.As(why, &bad):
		r.skip(why, offset, inside)
		if err := r.nextLine(); err != nil {
			r.mend(err, offset, inside)
		}
	case ended || damaged:
		if r.nextRecord(offset) {
			r.skip(why, offset, inside)
			return
		}
		if damaged && inside == 0 { // the last record, or what is no record, at the end
			r.skip(why, offset, inside)
			r.end = io.EOF
			return
		}
		if damaged {
			r.end = fmt.Errorf("read %q: the gzip member at byte %d is damaged %d bytes into what it unpacks to, and nothing behind that can be read: copy or download it again: %w",
				r.name, offset, inside, why)
			return
		}
		r.end = &CutError{File: r.name, Offset: offset, Inside: inside, Err: why}
	default:
		r.end = fmt.Errorf("read %q at byte %d: %w", r.name, offset, why)
	}
}

func (r *Reader) skip(why error, offset, inside int64) {
	r.skipped++
	where := fmt.Sprintf("byte %d", offset)
	if inside > 0 {
		where = fmt.Sprintf("byte %d, %d bytes into its gzip member", offset, inside)
	}
	r.last = fmt.Errorf("read %q: record at %s: %w", r.name, where, why)
}

// nextLine moves the unpacked text to the next line that opens a record, or to its end.
func (r *Reader) nextLine() error {
	for {
		head, err := r.text.Peek(7)
		if err == nil && isVersion(string(head)+"0") {
			return nil
		}
		if len(head) == 0 && err == io.EOF {
			return nil
		}
		if len(head) == 0 {
			return err
		}
		if err := r.pastLine(); err != nil {
			return err
		}
	}
}

// pastLine discards the rest of a line, however long.
func (r *Reader) pastLine() error {
	for {
		_, err := r.text.ReadSlice('\n')
		switch {
		case err == nil || err == io.EOF:
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return err
		}
	}
}

// nextRecord goes back to just behind a record's start and looks for the next place where one opens. It answers false
// where there is none, or where the source cannot be rewound and nothing is left of it.
func (r *Reader) nextRecord(start int64) bool {
	if r.seek != nil {
		if _, err := r.seek.Seek(r.base+start+1, io.SeekStart); err != nil {
			return false
		}
		r.restart(start + 1)
	}
	if !r.packed {
		r.pastLine()
		if r.nextLine() != nil {
			return false
		}
		_, err := r.text.Peek(1)
		return err == nil
	}
	return r.nextMember()
}

// nextMember looks for a gzip member that opens with a record, and leaves the reader before it.
func (r *Reader) nextMember() bool {
	r.open = false
	for {
		head, err := r.in.Peek(3)
		if err != nil {
			return false
		}
		if string(head) != memberHead {
			skip := bytes.IndexByte(head[1:], memberHead[0])
			if skip < 0 {
				skip = 2
			}
			r.in.Discard(skip + 1)
			continue
		}
		if r.opensRecord() {
			return true
		}
		r.in.Discard(1)
	}
}

// memberHead is how a gzip member begins.
const memberHead = "\x1f\x8b\x08"

// packedLater tells of a file that begins with neither a record nor a gzip member, and has a member that opens a record soon
// after: its first bytes are damaged.
func (r *Reader) packedLater() bool {
	head, _ := r.in.Peek(r.in.Size())
	if bytes.HasPrefix(bytes.TrimLeft(head, "\r\n"), []byte("WARC/")) {
		return false
	}
	for at := 0; ; at++ {
		next := bytes.Index(head[at:], []byte(memberHead))
		if next < 0 {
			return false
		}
		if at += next; opens(head[at:]) {
			return true
		}
	}
}

// opensRecord tries a gzip member that may start here, without taking anything.
func (r *Reader) opensRecord() bool {
	head, _ := r.in.Peek(r.in.Size())
	return opens(head)
}

// opens tells whether bytes are the head of a gzip member that opens a record.
func opens(head []byte) bool {
	gz, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return false
	}
	gz.Multistream(false)
	var p [8]byte
	n, _ := io.ReadFull(gz, p[:])
	return n == len(p) && isVersion(string(p[:]))
}
