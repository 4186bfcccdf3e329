package sink

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
)

// Encoder writes records in a format of lines, jsonl or csv. Each record, the names before the first one in csv
// included, is one call of the writer's Write.
type Encoder struct {
	w      io.Writer
	fields []field
	csv    *csv.Writer // nil for jsonl
	buf    []byte
	row    []string
	begun  bool
	all    bool      // the fields are all there are, in their order
	pieces [4][]byte // see parts
}

// NewEncoder writes records to w as jsonl or csv. Without names of fields, jsonl has them all and csv the usual ones.
func NewEncoder(w io.Writer, to string, names []string) (*Encoder, error) {
	e := &Encoder{w: w}
	switch to {
	case "jsonl":
		if len(names) == 0 {
			names, e.all = Fields(), true
		}
	case "csv":
		if len(names) == 0 {
			names = usual
		}
		e.csv = csv.NewWriter((*growing)(&e.buf))
	default:
		return nil, fmt.Errorf("records are written as %q, want csv or jsonl", to)
	}
	var err error
	if e.fields, err = choose(names); err != nil {
		return nil, fmt.Errorf("write %s: %w", to, err)
	}
	return e, nil
}

// growing is a slice that can be written to.
type growing []byte

func (g *growing) Write(p []byte) (int, error) {
	*g = append(*g, p...)
	return len(p), nil
}

// Encode writes one record.
func (e *Encoder) Encode(r *Record) error {
	_, err := e.w.Write(e.encoded(r))
	return err
}

// Close ends what is written: a table of no records has the names of its columns.
func (e *Encoder) Close() error {
	if e.csv == nil || e.begun {
		return nil
	}
	e.begun, e.buf = true, e.buf[:0]
	e.head()
	_, err := e.w.Write(e.buf)
	return err
}

// encoded is what is written of a record. It is good until the next one is asked for.
func (e *Encoder) encoded(r *Record) []byte {
	e.buf = e.buf[:0]
	if e.csv == nil {
		e.line(r)
	} else {
		e.columns(r)
	}
	return e.buf
}

func (e *Encoder) line(r *Record) {
	e.buf = appendFields(append(e.buf, '{'), e.fields, r)
	e.buf = append(e.buf, "}\n"...)
}

// appendFields writes fields, each but the first of an object behind a comma: one that begins a piece is not the first.
func appendFields(b []byte, some []field, r *Record) []byte {
	for _, f := range some {
		if len(b) == 0 || b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = f.json(append(appendString(b, f.name), ':'), r)
	}
	return b
}

// parts are what is written of one record, in pieces of which the long ones may have been made ahead. They are good until the next
// one is asked for.
func (e *Encoder) parts(r *Record) [][]byte {
	m := &r.made
	if !e.all || m.head == nil {
		return append(e.pieces[:0], e.encoded(r))
	}
	b := appendFields(e.buf[:0], fields[fieldTrail:fieldTrail+1], r)
	trail := len(b)
	b = append(appendFields(b, fields[fieldData:], r), "}\n"...)
	e.buf = b
	return append(e.pieces[:0], m.head, b[:trail], m.tail, b[trail:])
}

func (e *Encoder) columns(r *Record) {
	if !e.begun {
		e.head()
		e.begun = true
	}
	e.writeRow(func(f field) string { return harmless(f.text(r)) })
}

// head is the line of names.
func (e *Encoder) head() { e.writeRow(func(f field) string { return f.name }) }

func (e *Encoder) writeRow(cell func(field) string) {
	e.row = e.row[:0]
	for _, f := range e.fields {
		e.row = append(e.row, cell(f))
	}
	e.csv.Write(e.row) // into memory: cannot fail
	e.csv.Flush()
}

// usual are the columns of a table where none are named: what fits on a line.
var usual = []string{"id", "url", "title", "relevance", "score", "depth", "language", "host", "time", "status", "bytes", "terms"}

// Columns are the columns of a table of a harvest, where none are named. Behind them stand the values that pages were asked for, by name.
func Columns(values ...string) []string { return withValues(slices.Clone(usual), values) }

// KeptColumns are those of a table of what a run keeps, with what a second look, rounds of visits and near duplicates add. They are the
// same whatever of that there has been by then, so that each night's table goes where that of the night before went.
func KeptColumns(values ...string) []string {
	all := slices.Insert(slices.Clone(usual), slices.Index(usual, "relevance")+1, "second", "importance")
	return withValues(append(all, "gone", FieldCluster), values)
}

func withValues(all, values []string) []string {
	for _, name := range values {
		all = append(all, ValueOf+name)
	}
	return all
}
