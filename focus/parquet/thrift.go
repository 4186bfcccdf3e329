package parquet

import "encoding/binary"

// The types of Thrift's compact protocol that the description of a file is made of.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftI32    = 5
	thriftI64    = 6
	thriftBinary = 8
	thriftList   = 9
	thriftStruct = 12
)

// thrift writes structs in Thrift's compact protocol. Fields are told in the order of their numbers.
type thrift struct {
	b    []byte
	last []int16 // of each open struct: the number of its field that was written last
}

func (t *thrift) field(id int16, kind byte) {
	top := &t.last[len(t.last)-1]
	if delta := id - *top; 0 < delta && delta <= 15 {
		t.b = append(t.b, byte(delta)<<4|kind)
	} else {
		t.b = binary.AppendVarint(append(t.b, kind), int64(id))
	}
	*top = id
}

// begin opens a struct that stands in a list, or is the whole.
func (t *thrift) begin() { t.last = append(t.last, 0) }

func (t *thrift) end() {
	t.b, t.last = append(t.b, 0), t.last[:len(t.last)-1]
}

func (t *thrift) object(id int16) {
	t.field(id, thriftStruct)
	t.begin()
}

func (t *thrift) i32(id int16, v int) {
	t.field(id, thriftI32)
	t.b = binary.AppendVarint(t.b, int64(v))
}

func (t *thrift) i64(id int16, v int64) {
	t.field(id, thriftI64)
	t.b = binary.AppendVarint(t.b, v)
}

func (t *thrift) yes(id int16, v bool) {
	if v {
		t.field(id, thriftTrue)
	} else {
		t.field(id, thriftFalse)
	}
}

func (t *thrift) text(id int16, s string) {
	t.field(id, thriftBinary)
	t.bytes(s)
}

func (t *thrift) bytes(s string) {
	t.b = append(binary.AppendUvarint(t.b, uint64(len(s))), s...)
}

// list opens a list of so many elements; each is written right behind it.
func (t *thrift) list(id int16, kind byte, n int) {
	t.field(id, thriftList)
	if n < 15 {
		t.b = append(t.b, byte(n)<<4|kind)
		return
	}
	t.b = binary.AppendUvarint(append(t.b, 15<<4|kind), uint64(n))
}
