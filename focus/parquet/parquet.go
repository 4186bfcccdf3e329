// Package parquet answers one question: how does a table look in a Parquet file? It writes flat tables of few kinds of columns,
// compressed with Zstandard, and reads none: https://parquet.apache.org/docs/file-format/ is the whole format.
package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
)

// Kind is what stands in a column.
type Kind byte

// The kinds of columns.
const (
	Text   Kind = iota // UTF-8
	JSON               // UTF-8 that is an object or a list of JSON
	Whole              // an integer of 64 bits
	Number             // a double; it may be missing
	Moment             // milliseconds since 1970, UTC; it may be missing
	List               // of texts
)

// Column is a column of a table.
type Column struct {
	Name string
	Kind Kind
}

// optional tells of a kind that its values may be missing.
func (k Kind) optional() bool { return k == Number || k == Moment }

// Value is what a row has in a column: of the member that belongs to the column's kind. A Number that is NaN is missing, and so is a
// Moment that is math.MinInt64.
type Value struct {
	Text   string
	Whole  int64 // and of a Moment
	Number float64
	List   []string
}

// groupBytes is how much of a table is held in memory before it is written as a row group.
const groupBytes = 32 << 20

// Writer writes a table. It is whole when it is closed.
type Writer struct {
	out     io.Writer
	columns []Column
	chunks  []chunk
	zip     *zstd.Encoder
	at      int64 // bytes written
	rows    int64 // of the group that is open
	held    int   // its bytes
	groups  []group
	names   map[string]string
	err     error
}

// chunk is the part of a column that stands in the group that is open.
type chunk struct {
	values  []byte
	levels  []byte // of each value whether it is there; of a list's elements too, an empty list being one that is not
	repeats []byte // of each element whether it goes on in the list of the one before
}

// group is a row group that was written.
type group struct {
	rows   int64
	chunks []written
}

type written struct {
	at          int64 // of its page
	values      int
	whole, size int64 // bytes, uncompressed and as they stand
}

const magic = "PAR1"

// NewWriter begins a table. Notes are written down with it, by name.
func NewWriter(out io.Writer, columns []Column, notes map[string]string) (*Writer, error) {
	zip, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	w := &Writer{out: out, columns: columns, chunks: make([]chunk, len(columns)), zip: zip, names: notes}
	w.write([]byte(magic))
	return w, w.err
}

func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.out.Write(b)
	w.at, w.err = w.at+int64(n), err
}

// Row adds a row: a value for each column.
func (w *Writer) Row(values []Value) error {
	if len(values) != len(w.columns) {
		return fmt.Errorf("a row of %d values in a table of %d columns", len(values), len(w.columns))
	}
	for i := range w.columns {
		before := len(w.chunks[i].values)
		w.chunks[i].add(w.columns[i].Kind, &values[i])
		w.held += len(w.chunks[i].values) - before + 1
	}
	if w.rows++; w.held >= groupBytes {
		w.flush()
	}
	return w.err
}

func (c *chunk) add(kind Kind, v *Value) {
	switch kind {
	case Whole:
		c.values = binary.LittleEndian.AppendUint64(c.values, uint64(v.Whole))
	case Moment:
		there := v.Whole != math.MinInt64
		c.levels = append(c.levels, level(there))
		if there {
			c.values = binary.LittleEndian.AppendUint64(c.values, uint64(v.Whole))
		}
	case Number:
		there := v.Number == v.Number
		c.levels = append(c.levels, level(there))
		if there {
			c.values = binary.LittleEndian.AppendUint64(c.values, math.Float64bits(v.Number))
		}
	case List:
		if len(v.List) == 0 {
			c.levels, c.repeats = append(c.levels, 0), append(c.repeats, 0)
		}
		for i, text := range v.List {
			c.levels, c.repeats = append(c.levels, 1), append(c.repeats, level(i > 0))
			c.text(text)
		}
	default:
		c.text(v.Text)
	}
}

func (c *chunk) text(s string) {
	c.values = append(binary.LittleEndian.AppendUint32(c.values, uint32(len(s))), s...)
}

func level(yes bool) byte {
	if yes {
		return 1
	}
	return 0
}

// Close writes what is left, and the description of the file.
func (w *Writer) Close() error {
	w.flush()
	end := w.describe()
	w.write(end)
	w.write(binary.LittleEndian.AppendUint32(nil, uint32(len(end))))
	w.write([]byte(magic))
	return w.err
}

// flush writes the group that is open, a page for each of its columns.
func (w *Writer) flush() {
	if w.rows == 0 {
		return
	}
	g := group{rows: w.rows}
	for i := range w.chunks {
		c := &w.chunks[i]
		g.chunks = append(g.chunks, w.page(c, w.columns[i].Kind))
		c.values, c.levels, c.repeats = c.values[:0], c.levels[:0], c.repeats[:0]
	}
	w.groups = append(w.groups, g)
	w.rows, w.held = 0, 0
}

// page writes a chunk as one data page.
func (w *Writer) page(c *chunk, kind Kind) written {
	said := written{at: w.at, values: int(w.rows)}
	var body []byte
	if kind == List {
		said.values = len(c.levels)
		body = levels(body, c.repeats)
	}
	if kind == List || kind.optional() {
		body = levels(body, c.levels)
	}
	body = append(body, c.values...)
	small := w.zip.EncodeAll(body, nil)
	var t thrift
	t.begin()
	t.i32(1, 0) // a data page
	t.i32(2, len(body))
	t.i32(3, len(small))
	t.object(5)
	t.i32(1, said.values)
	t.i32(2, plain)
	t.i32(3, runs)
	t.i32(4, runs)
	t.end()
	t.end()
	w.write(t.b)
	w.write(small)
	said.whole, said.size = int64(len(t.b)+len(body)), int64(len(t.b)+len(small))
	return said
}

// levels writes levels of one bit each as runs, with their length before them.
func levels(dst, all []byte) []byte {
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	for i := 0; i < len(all); {
		n := 1
		for i+n < len(all) && all[i+n] == all[i] {
			n++
		}
		dst = append(binary.AppendUvarint(dst, uint64(n)<<1), all[i])
		i += n
	}
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}
