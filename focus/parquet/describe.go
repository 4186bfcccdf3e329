package parquet

import (
	"maps"
	"slices"
)

// The numbers that the format gives to types, encodings, and what a type means.
const (
	int64s, doubles, texts = 2, 5, 6
	required, optional     = 0, 1
	repeated               = 2
	plain, runs            = 0, 3
	isText, isList         = 0, 3
	isMoment, isJSON       = 9, 19
	byZstandard            = 6
)

// physical is how a column of each kind is stored, and what that means; -1 means nothing but itself.
var physical = map[Kind]struct{ stored, means int }{
	Text: {texts, isText}, JSON: {texts, isJSON}, Whole: {int64s, -1}, Number: {doubles, -1}, Moment: {int64s, isMoment}, List: {texts, isText},
}

// describe is the description that ends a file.
func (w *Writer) describe() []byte {
	var t thrift
	t.begin()
	t.i32(1, 1)
	w.schema(&t)
	rows := int64(0)
	for _, g := range w.groups {
		rows += g.rows
	}
	t.i64(3, rows)
	t.list(4, thriftStruct, len(w.groups))
	for _, g := range w.groups {
		w.group(&t, g)
	}
	if len(w.names) > 0 {
		t.list(5, thriftStruct, len(w.names))
		for _, name := range slices.Sorted(maps.Keys(w.names)) {
			t.begin()
			t.text(1, name)
			t.text(2, w.names[name])
			t.end()
		}
	}
	t.text(6, "thresher")
	t.end()
	return t.b
}

// schema is the tree of columns: the root, and below it each column, a list with the group that repeats.
func (w *Writer) schema(t *thrift) {
	elements := 1
	for _, c := range w.columns {
		if elements++; c.Kind == List {
			elements += 2
		}
	}
	t.list(2, thriftStruct, elements)
	t.begin()
	t.text(4, "page")
	t.i32(5, len(w.columns))
	t.end()
	for _, c := range w.columns {
		if c.Kind == List {
			t.begin()
			t.i32(3, required)
			t.text(4, c.Name)
			t.i32(5, 1)
			t.i32(6, isList)
			t.end()
			t.begin()
			t.i32(3, repeated)
			t.text(4, "list")
			t.i32(5, 1)
			t.end()
		}
		leaf(t, c)
	}
}

// leaf is a column that has values, or the elements of one that has lists.
func leaf(t *thrift, c Column) {
	name, repetition := c.Name, required
	if c.Kind == List {
		name = "element"
	} else if c.Kind.optional() {
		repetition = optional
	}
	t.begin()
	t.i32(1, physical[c.Kind].stored)
	t.i32(3, repetition)
	t.text(4, name)
	if means := physical[c.Kind].means; means >= 0 {
		t.i32(6, means)
	}
	if c.Kind == Moment {
		moment(t)
	}
	t.end()
}

// moment says of milliseconds that they are counted in UTC, which the older word for them leaves open.
func moment(t *thrift) {
	t.object(10)
	t.object(8)
	t.yes(1, true)
	t.object(2)
	t.object(1)
	t.end()
	t.end()
	t.end()
	t.end()
}

func (w *Writer) group(t *thrift, g group) {
	t.begin()
	t.list(1, thriftStruct, len(g.chunks))
	whole, size := int64(0), int64(0)
	for i, c := range g.chunks {
		w.chunk(t, w.columns[i], c)
		whole, size = whole+c.whole, size+c.size
	}
	t.i64(2, whole)
	t.i64(3, g.rows)
	t.i64(5, g.chunks[0].at)
	t.i64(6, size)
	t.end()
}

func (w *Writer) chunk(t *thrift, c Column, said written) {
	path := []string{c.Name}
	if c.Kind == List {
		path = append(path, "list", "element")
	}
	t.begin()
	t.i64(2, said.at)
	t.object(3)
	t.i32(1, physical[c.Kind].stored)
	t.list(2, thriftI32, 2)
	t.b = append(t.b, plain<<1, runs<<1)
	t.list(3, thriftBinary, len(path))
	for _, name := range path {
		t.bytes(name)
	}
	t.i32(4, byZstandard)
	t.i64(5, int64(said.values))
	t.i64(6, said.whole)
	t.i64(7, said.size)
	t.i64(9, said.at)
	t.end()
	t.end()
}
