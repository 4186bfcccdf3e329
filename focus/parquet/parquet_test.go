package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	reference "github.com/parquet-go/parquet-go"
)

// row is what another program reads.
type row struct {
	URL    string   `parquet:"url"`
	Why    string   `parquet:"why"`
	Bytes  int64    `parquet:"bytes"`
	Second *float64 `parquet:"second"`
	Time   int64    `parquet:"time"`
	Said   []string `parquet:"said,list"`
}

var columns = []Column{{"url", Text}, {"why", JSON}, {"bytes", Whole}, {"second", Number}, {"time", Moment}, {"said", List}}

// table writes rows, and answers what another program must read of them.
func table(t *testing.T, n int) ([]byte, []row) {
	t.Helper()
	var file bytes.Buffer
	w, err := NewWriter(&file, columns, map[string]string{"topic": "茶"})
	if err != nil {
		t.Fatal(err)
	}
	var want []row
	for i := range n {
		number := float64(i) / 7
		r := row{URL: fmt.Sprintf("http://a.example/%d/茶\x00", i), Why: fmt.Sprintf(`{"n":%d}`, i), Bytes: int64(i) - 5, Time: int64(i) * 1000}
		v := Value{Number: math.NaN()}
		if i%3 > 0 {
			v.Number, r.Second = number, &number
		}
		for k := range i % 4 {
			r.Said = append(r.Said, strings.Repeat("no ", k)+"茶")
		}
		err := w.Row([]Value{{Text: r.URL}, {Text: r.Why}, {Whole: r.Bytes}, v, {Whole: r.Time}, {List: r.Said}})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, r)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), want
}

// TestAnotherProgramReadsATable: all rows, of any number of groups, come back as they were.
func TestAnotherProgramReadsATable(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		file, want := table(t, n)
		got, err := reference.Read[row](bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatalf("%d rows: %v", n, err)
		}
		if len(got) != n {
			t.Fatalf("%d rows were read of %d", len(got), n)
		}
		for i := range got {
			if len(got[i].Said) == 0 {
				got[i].Said = nil
			}
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("row %d of %d is %+v, want %+v", i, n, got[i], want[i])
			}
		}
	}
	file, _ := table(t, 3)
	opened, err := reference.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if topic, _ := opened.Lookup("topic"); topic != "茶" {
		t.Errorf("the note says %q", topic)
	}
	schema := opened.Schema().String()
	for _, want := range []string{"required binary url (STRING)", "required binary why (JSON)", "required int64 bytes", "optional double second", "TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS)", "(LIST)"} {
		if !strings.Contains(schema, want) {
			t.Errorf("%q is not in\n%s", want, schema)
		}
	}
}

// TestALongTableHasGroups: what is held in memory is bounded, and the groups are read as one table.
func TestALongTableHasGroups(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, []Column{{"text", Text}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("tea ", 1<<18)
	const rows = 100
	for range rows {
		if err := w.Row([]Value{{Text: text}}); err != nil {
			t.Fatal(err)
		}
		if w.held > groupBytes {
			t.Fatalf("%d bytes are held, want %d at most", w.held, groupBytes)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	opened, err := reference.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(opened.RowGroups()); n < 3 || opened.NumRows() != rows {
		t.Errorf("%d rows in %d groups", opened.NumRows(), n)
	}
}

// full is a disk that has no room behind so many bytes.
type full int

func (f *full) Write(b []byte) (int, error) {
	if *f -= full(len(b)); *f < 0 {
		return 0, errors.New("no room")
	}
	return len(b), nil
}

// TestADiskThatIsFull: it is told, at the latest when the table is closed; so is a row that does not fit.
func TestADiskThatIsFull(t *testing.T) {
	for room := range 120 {
		var out io.Writer = new(full)
		*out.(*full) = full(room)
		w, err := NewWriter(out, []Column{{"text", Text}}, nil)
		if err == nil {
			err = errors.Join(w.Row([]Value{{Text: "tea"}}), w.Close())
		}
		if err == nil {
			t.Fatalf("a table fits into %d bytes", room)
		}
	}
	w, err := NewWriter(io.Discard, columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	if w.Row([]Value{{Text: "tea"}}) == nil {
		t.Error("a row of one value fits into six columns")
	}
}
