package outlet

import (
	"io"

	"github.com/thresher-crawler/thresher/focus/parquet"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// table is a harvest as a Parquet file: a column for each field, with its type.
type table struct {
	fields []sink.Typed
	w      *parquet.Writer
	row    []parquet.Value
}

// kinds are those of columns, by those of fields.
var kinds = map[sink.Kind]parquet.Kind{sink.KindWords: parquet.Text, sink.KindWhole: parquet.Whole, sink.KindNumber: parquet.Number,
	sink.KindMoment: parquet.Moment, sink.KindList: parquet.List, sink.KindObject: parquet.JSON}

func newTable(w io.Writer, names, numbers []string) (*table, error) {
	fields, err := sink.TypedFields(names, numbers)
	if err != nil {
		return nil, err
	}
	columns := make([]parquet.Column, len(fields))
	for i, f := range fields {
		columns[i] = parquet.Column{Name: f.Name(), Kind: kinds[f.Kind()]}
	}
	out, err := parquet.NewWriter(w, columns, nil)
	return &table{fields, out, make([]parquet.Value, len(fields))}, err
}

func (t *table) Encode(r *sink.Record) error {
	for i, f := range t.fields {
		v := &t.row[i]
		switch f.Kind() {
		case sink.KindWhole, sink.KindMoment:
			v.Whole = f.Whole(r)
		case sink.KindNumber:
			v.Number = f.Number(r)
		case sink.KindList:
			v.List = f.List(r)
		default:
			v.Text = f.Text(r)
		}
	}
	return t.w.Row(t.row)
}

// Close ends the table; before, nobody can read it.
func (t *table) Close() error { return t.w.Close() }
