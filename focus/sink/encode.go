package sink

import (
	"encoding/csv"
	"fmt"
	"io"
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
}

// NewEncoder writes records to w as jsonl or csv. Without names of fields, jsonl has them all and csv the usual ones.
func NewEncoder(w io.Writer, to string, names []string) (*Encoder, error) {
	e := &Encoder{w: w}
	switch to {
	case "jsonl":
		if len(names) == 0 {
			names = Fields()
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
	e.buf = append(e.buf, '{')
	for _, f := range e.fields {
		if len(e.buf) > 1 {
			e.buf = append(e.buf, ',')
		}
		e.buf = append(appendString(e.buf, f.name), ':')
		e.buf = f.json(e.buf, r)
	}
	e.buf = append(e.buf, "}\n"...)
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
