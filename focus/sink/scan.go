package sink

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// scan reads JSON that stands as it is written here, in one go: no blanks, the members of an object in their order, nothing that is not
// known. What stands in any other way is off, and left to encoding/json, which goes over a line several times; what is not off is read
// as that reads it.
type scan struct {
	left     []byte
	off      bool
	brief    bool // long texts are passed over
	unlinked bool // and links and bodies of pages for a second look
}

// is passes over what must stand here.
func (s *scan) is(what string) {
	if !s.has(what) {
		s.off = true
	}
}

// has passes over what may stand here.
func (s *scan) has(what string) bool {
	there := !s.off && len(s.left) >= len(what) && string(s.left[:len(what)]) == what
	if there {
		s.left = s.left[len(what):]
	}
	return there
}

// upTo passes over all that stands before it. No text has it, for its quotes would be escaped there.
func (s *scan) upTo(what string) {
	at := bytes.Index(s.left, []byte(what))
	if at < 0 {
		s.off = true
		return
	}
	s.left = s.left[at:]
}

// ends tells that all was read.
func (s *scan) ends() bool { return !s.off && len(bytes.TrimLeft(s.left, " \t\r\n")) == 0 }

// letter tells of a byte that it stands in a text for itself, or is a part of a character that does.
var letter = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return is
}()

// quoted reads what stands between quotes, as it stands there; plain tells that it stands for itself.
func (s *scan) quoted() (b []byte, plain bool) {
	s.is(`"`)
	plain = true
	for i := 0; i < len(s.left) && !s.off; i++ {
		c := s.left[i]
		if letter[c] {
			continue
		}
		if c == '"' {
			b, s.left = s.left[:i], s.left[i+1:]
			s.off = !utf8.Valid(b)
			return b, plain
		}
		if c != '\\' || i+1 >= len(s.left) {
			break
		}
		plain = false
		i++ // whatever it is that was escaped
	}
	s.off = true
	return nil, false
}

// text reads a text.
func (s *scan) text() string {
	b, plain := s.quoted()
	if plain {
		return string(b)
	}
	var said strings.Builder
	said.Grow(len(b))
	for {
		at := bytes.IndexByte(b, '\\')
		if at < 0 {
			said.Write(b)
			return said.String()
		}
		said.Write(b[:at])
		if b = b[at+1:]; b[0] == 'u' {
			r, err := strconv.ParseUint(string(b[1:min(5, len(b))]), 16, 16)
			if err != nil || len(b) < 5 || 0xd800 <= r && r < 0xe000 { // half a character
				s.off = true
				return ""
			}
			said.WriteRune(rune(r))
			b = b[5:]
			continue
		}
		c := unescaped[b[0]]
		if c == 0 {
			s.off = true
			return ""
		}
		said.WriteByte(c)
		b = b[1:]
	}
}

var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// digits passes over digits, and tells that there were some.
func (s *scan) digits() bool {
	n := 0
	for n < len(s.left) && '0' <= s.left[n] && s.left[n] <= '9' {
		n++
	}
	s.left = s.left[n:]
	return n > 0
}

// figures passes over a whole number that begins with no 0 too many.
func (s *scan) figures() {
	if !s.has("0") && !s.digits() {
		s.off = true
	}
}

// number reads a number; what is null stays what it was.
func (s *scan) number(x *float64) {
	if s.has("null") {
		return
	}
	from := s.left
	s.has("-")
	s.figures()
	if s.has(".") && !s.digits() {
		s.off = true
	}
	if s.has("e") || s.has("E") {
		if !s.has("-") {
			s.has("+")
		}
		if !s.digits() {
			s.off = true
		}
	}
	n, err := strconv.ParseFloat(string(from[:len(from)-len(s.left)]), 64)
	if *x = n; err != nil {
		s.off = true
	}
}

// count reads a whole number that is not negative.
func (s *scan) count() uint64 {
	from := s.left
	s.figures()
	n, err := strconv.ParseUint(string(from[:len(from)-len(s.left)]), 10, 64)
	if err != nil {
		s.off = true
	}
	return n
}

// whole reads a whole number of so many bits.
func (s *scan) whole(bits int) int64 {
	from := s.left
	s.has("-")
	s.figures()
	n, err := strconv.ParseInt(string(from[:len(from)-len(s.left)]), 10, bits)
	if err != nil {
		s.off = true
	}
	return n
}

// moment reads a time.
func (s *scan) moment(t *time.Time) {
	if s.has("null") {
		return
	}
	from := s.left
	s.quoted()
	if s.off || t.UnmarshalJSON(from[:len(from)-len(s.left)]) != nil {
		s.off = true
	}
}

// bytes reads what stands in base64.
func (s *scan) bytes() []byte {
	b, plain := s.quoted()
	said, err := base64.StdEncoding.AppendDecode(make([]byte, 0, base64.StdEncoding.DecodedLen(len(b))), b)
	if !plain || err != nil {
		s.off = true
	}
	return said
}

// values reads an object of anybody's values.
func (s *scan) values() map[string]json.RawMessage {
	if s.has("{}") {
		return nil
	}
	var said map[string]json.RawMessage
	in := json.NewDecoder(bytes.NewReader(s.left))
	if s.off || !bytes.HasPrefix(s.left, []byte("{")) || in.Decode(&said) != nil {
		s.off = true
		return nil
	}
	s.left = s.left[in.InputOffset():]
	return said
}

func listOf[T any](s *scan, each func(*scan) T) []T {
	all := []T{}
	if s.is("["); s.has("]") {
		return all
	}
	for {
		if all = append(all, each(s)); !s.has(",") {
			s.is("]")
			return all
		}
	}
}

func (s *scan) term() (t Term) {
	s.is(`{"term":`)
	t.Term = s.text()
	s.is(`,"weight":`)
	s.number(&t.Weight)
	s.is("}")
	return t
}

func (s *scan) node() Number {
	n := Number{Value: math.NaN()}
	s.is(`{"name":`)
	n.Name = s.text()
	s.is(`,"depth":`)
	n.Depth = int(s.whole(strconv.IntSize))
	s.is(`,"value":`)
	s.number(&n.Value)
	s.is("}")
	return n
}

func (s *scan) step() Step {
	t := Step{Relevance: math.NaN()}
	s.is(`{"url":`)
	t.URL = s.text()
	s.is(`,"anchor":`)
	t.Anchor = s.text()
	s.is(`,"relevance":`)
	s.number(&t.Relevance)
	s.is("}")
	return t
}

func (s *scan) pointer() (p Pointer) {
	s.is("[")
	p.To = s.count()
	s.is(",")
	p.Block = int32(s.whole(32))
	s.is(",")
	p.Anchor = s.text()
	s.is("]")
	return p
}

// record reads a record with some of the fields, in their order.
func (s *scan) record() *Record {
	p := unread()
	r := (*Record)(p)
	s.is("{")
	for at := 0; !s.off; at++ {
		name, _ := s.quoted()
		s.is(":")
		for at < len(fields) && fields[at].name != string(name) {
			at++
		}
		if s.off || at == len(fields) {
			break
		}
		if fields[at].read(s, r); s.has("}") {
			return p.record()
		}
		s.is(",")
	}
	s.off = true
	return nil
}

// What stands before the body and the record of a page for a second look.
const (
	lookBody   = `,"body":`
	lookRecord = `,"record":`
)

// seen reads a page for a second look.
func (s *scan) seen() (p Seen) {
	first := math.NaN() // stands in the record, too
	s.is(lookBegins)
	s.number(&first)
	s.is(`,"kept":`)
	if p.Kept = s.has("true"); !p.Kept {
		s.is("false")
	}
	p.Near = s.has(lookNear)
	s.is(`,"keys":`)
	p.Keys = listOf(s, (*scan).count)
	if s.unlinked {
		from := s.left
		s.upTo(lookRecord)
		p.Copied = bytes.Contains(from[:len(from)-len(s.left)], []byte(lookBody))
	} else {
		s.is(`,"links":`)
		p.Links = listOf(s, (*scan).pointer)
		if s.has(lookBody) {
			p.Body = s.bytes()
		}
	}
	s.is(lookRecord)
	p.Record = s.record()
	s.is("}")
	return p
}
