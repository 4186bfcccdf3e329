package warc

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// FuzzReader holds the reader to what it promises of any bytes: it ends, records stand in the order of the file, each
// is where it says, and what it passes over is counted with a reason.
func FuzzReader(f *testing.F) {
	packed, _ := file(f, 3)
	plain := unpacked(f, packed)
	f.Add(packed)
	f.Add(plain)
	f.Add(whole(plain))
	f.Add(packed[:len(packed)-9])
	f.Add(bytes.Replace(plain, []byte("Content-Length: "), []byte("Content-Length: 9"), 1))
	f.Add(append(append(bytes.Clone(packed), plain...), packed...))
	f.Add([]byte("WARC/1.0\r\nWARC-Type: response\r\nA: b\r\n folded\r\nContent-Length: 0\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, seekable := readAll(t, bytes.NewReader(data), data)
		m, piped := readAll(t, onlyReader{bytes.NewReader(data)}, data)
		if n < m {
			t.Errorf("read %d records where bytes can be read again, %d where not", n, m)
		}
		if (seekable == nil) && piped == nil && n != m {
			t.Errorf("no error, and %d or %d records", n, m)
		}
	})
}

func readAll(t *testing.T, src io.Reader, data []byte) (n int, skipped error) {
	r, err := NewReader(src)
	if err != nil {
		t.Fatal(err)
	}
	lastOffset, lastInside := int64(-1), int64(-1)
	for {
		rec, err := r.Next()
		if err != nil {
			var cut *CutError
			if err != io.EOF && !errors.As(err, &cut) && !r.packed {
				t.Fatalf("%v", err)
			}
			break
		}
		n++
		if rec.Offset < lastOffset || rec.Offset == lastOffset && rec.Inside <= lastInside || rec.Offset > int64(len(data)) {
			t.Fatalf("record at %d+%d after one at %d+%d", rec.Offset, rec.Inside, lastOffset, lastInside)
		}
		lastOffset, lastInside = rec.Offset, rec.Inside
		if rec.Inside == 0 {
			if at, err := At(bytes.NewReader(data), rec.Offset); err != nil || !bytes.Equal(at.Body, rec.Body) {
				t.Fatalf("At(%d): %v", rec.Offset, err)
			}
		}
		rec.Response()
	}
	count, why := r.Skipped()
	if (count > 0) != (why != nil) {
		t.Fatalf("skipped %d: %v", count, why)
	}
	return n, why
}

// FuzzResponse holds the reading of answers to never failing in another way than by an error, and to telling the
// length it found.
func FuzzResponse(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), "response")
	f.Add([]byte("HTTP/1.0 200\nTransfer-Encoding: chunked\n\n5\r\nhello\r\n0\r\n\r\n"), "response")
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: br, deflate, zstd, x-gzip\r\n\r\n\x1f\x8b"), "response")
	f.Add([]byte("bytes"), "resource")
	f.Fuzz(func(t *testing.T, block []byte, kind string) {
		resp, body, err := (&Record{Type: kind, Body: block}).Response()
		if err != nil {
			return
		}
		if resp.ContentLength != int64(len(body)) || resp.StatusCode < 100 || resp.StatusCode > 999 {
			t.Fatalf("%d, %d of %d bytes", resp.StatusCode, resp.ContentLength, len(body))
		}
	})
}
