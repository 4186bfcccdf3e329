package sink

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// field is one field of a Record: how it looks in JSON, and as text in a column. In JSON every field is always there: words that
// a page does not have are "", lists and objects are empty, and a number that there is none of is null.
type field struct {
	name   string
	json   func(dst []byte, r *Record) []byte
	text   func(r *Record) string
	read   func(s *scan, r *Record) // nil of what stands in no harvest
	kind   Kind
	whole  func(r *Record) int64   // of KindWhole and KindMoment
	number func(r *Record) float64 // of KindNumber
}

func words(name string, of func(*Record) *string) field {
	return field{
		name: name, text: func(r *Record) string { return *of(r) }, read: func(s *scan, r *Record) { *of(r) = s.text() },
		json: func(dst []byte, r *Record) []byte { return appendString(dst, *of(r)) },
	}
}

func integer[N int | int64](name string, of func(*Record) *N) field {
	return field{
		name: name, kind: KindWhole, whole: func(r *Record) int64 { return int64(*of(r)) }, text: func(r *Record) string { return strconv.FormatInt(int64(*of(r)), 10) },
		json: func(dst []byte, r *Record) []byte { return strconv.AppendInt(dst, int64(*of(r)), 10) },
		read: func(s *scan, r *Record) {
			n := s.whole(64)
			*of(r) = N(n)
			s.off = s.off || int64(N(n)) != n
		},
	}
}

func count(name string, of func(*Record) uint64, read func(*scan, *Record)) field {
	return field{
		name: name, kind: KindWhole, whole: func(r *Record) int64 { return int64(of(r)) }, text: func(r *Record) string { return strconv.FormatUint(of(r), 10) },
		json: func(dst []byte, r *Record) []byte { return strconv.AppendUint(dst, of(r), 10) },
		read: read,
	}
}

func when(name string, of func(*Record) *time.Time) field {
	at := func(r *Record) time.Time { // a page that was visited once was seen then
		if of(r).IsZero() {
			return r.Time
		}
		return *of(r)
	}
	text := func(r *Record) string {
		if at(r).IsZero() { // the fields of the harvest were chosen, and it is none of them
			return ""
		}
		return at(r).Format(time.RFC3339Nano)
	}
	return field{
		name: name, kind: KindMoment, text: text,
		whole: func(r *Record) int64 {
			if at(r).IsZero() {
				return math.MinInt64 // as a table wants what is missing
			}
			return at(r).UnixMilli()
		},
		json: func(dst []byte, r *Record) []byte {
			if at(r).IsZero() {
				return append(dst, "null"...)
			}
			return appendString(dst, text(r))
		},
		read: func(s *scan, r *Record) { s.moment(of(r)) },
	}
}

// number is a number, which is written as as says.
func number(name string, of func(*Record) *float64, as func(float64) float64) field {
	return field{
		name: name, kind: KindNumber, number: func(r *Record) float64 { return as(*of(r)) }, text: func(r *Record) string { return plainNumber(as(*of(r))) },
		json: func(dst []byte, r *Record) []byte { return appendNumber(dst, as(*of(r))) },
		read: func(s *scan, r *Record) { s.number(of(r)) },
	}
}

// Schema numbers what the lines of harvest.jsonl and kept.jsonl look like. A field that comes does not change it; one that goes,
// or means something else, does.
const Schema = 1

// fields are all fields of a Record, in its order.
var fields = []field{
	count("schema", func(*Record) uint64 { return Schema }, func(s *scan, _ *Record) { s.whole(64) }),
	count("id", func(r *Record) uint64 { return r.ID }, func(s *scan, r *Record) { r.ID = s.count() }),
	words("url", func(r *Record) *string { return &r.URL }),
	words("final_url", func(r *Record) *string { return &r.FinalURL }),
	words("host", func(r *Record) *string { return &r.Host }),
	when("time", func(r *Record) *time.Time { return &r.Time }),
	integer("status", func(r *Record) *int { return &r.Status }),
	words("type", func(r *Record) *string { return &r.Type }),
	words("cut", func(r *Record) *string { return &r.Cut }),
	words("charset", func(r *Record) *string { return &r.Charset }),
	words("language", func(r *Record) *string { return &r.Language }),
	words("title", func(r *Record) *string { return &r.Title }),
	words("description", func(r *Record) *string { return &r.Description }),
	words("author", func(r *Record) *string { return &r.Author }),
	words("date", func(r *Record) *string { return &r.Date }),
	words("canonical", func(r *Record) *string { return &r.Canonical }),
	long("text", func(r *Record) *string { return &r.Text }, func(r *Record) []byte { return r.made.text }),
	long("markdown", func(r *Record) *string { return &r.Markdown }, func(r *Record) []byte { return r.made.markdown }),
	words("digest", func(r *Record) *string { return &r.Digest }),
	integer("bytes", func(r *Record) *int64 { return &r.Bytes }),
	number("relevance", func(r *Record) *float64 { return &r.Relevance }, asItIs),
	number("second", func(r *Record) *float64 { return &r.Second }, saidOf),
	number("importance", func(r *Record) *float64 { return &r.Importance }, saidOf),
	when("first_seen", func(r *Record) *time.Time { return &r.FirstSeen }),
	when("last_seen", func(r *Record) *time.Time { return &r.LastSeen }),
	when("last_changed", func(r *Record) *time.Time { return &r.LastChanged }),
	words("gone", func(r *Record) *string { return &r.Gone }),
	number("raw", func(r *Record) *float64 { return &r.Raw }, asItIs),
	{name: "terms", kind: KindObject, json: jsonTerms, text: textTerms, read: func(s *scan, r *Record) { r.Terms = listOf(s, (*scan).term) }},
	number("score", func(r *Record) *float64 { return &r.Score }, asItIs),
	{name: "why", kind: KindObject, json: jsonWhy, text: textWhy, read: func(s *scan, r *Record) { r.Why = listOf(s, (*scan).node) }},
	integer("depth", func(r *Record) *int { return &r.Depth }),
	{name: "trail", kind: KindObject, json: jsonTrail, text: textTrail, read: func(s *scan, r *Record) { r.Trail = listOf(s, (*scan).step) }},
	integer("links", func(r *Record) *int { return &r.Links }),
	{
		name: "opt_outs", kind: KindList, text: func(r *Record) string { return strings.Join(r.OptOuts, "; ") },
		json: func(dst []byte, r *Record) []byte { return appendList(dst, r.OptOuts, appendString) },
		read: func(s *scan, r *Record) { r.OptOuts = listOf(s, (*scan).text) },
	},
	{name: "data", kind: KindObject, json: jsonData, text: textData, read: func(s *scan, r *Record) { r.Data = s.values() }},
}

// Of a record that was made ahead all is known but two fields, the second of which is the last.
var fieldTrail, fieldData = slices.IndexFunc(fields, named("trail")), slices.IndexFunc(fields, named("data"))

func named(name string) func(field) bool { return func(f field) bool { return f.name == name } }

// FieldCluster is the field of near duplicates, which what is exported has and a harvest has not.
const FieldCluster = "cluster"

var fieldCluster = count(FieldCluster, func(r *Record) uint64 { return r.Cluster }, nil)

// saidOf is a number of the second look; 0 stands where it has said none.
func saidOf(x float64) float64 {
	if x == 0 {
		return math.NaN()
	}
	return x
}

func asItIs(x float64) float64 { return x }

// Fields are the names of all fields, in the order of Record.
func Fields() []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

func choose(names []string) ([]field, error) {
	var chosen []field
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("the field %q is named twice, want it once", name)
		}
		if value, ok := strings.CutPrefix(name, ValueOf); ok && value != "" {
			chosen = append(chosen, fieldOf(value))
			continue
		}
		if name == FieldCluster {
			chosen = append(chosen, fieldCluster)
			continue
		}
		i := slices.IndexFunc(fields, named(name))
		if i < 0 {
			return nil, fmt.Errorf("no field is called %q, want some of %s", name, strings.Join(append(Fields(), FieldCluster), ", "))
		}
		chosen = append(chosen, fields[i])
	}
	return chosen, nil
}

// ValueOf stands before the name of a value in the name of a field: data.price is what data has under price.
const ValueOf = "data."

// fieldOf is a value of a page as a field of its own. A page without it has null there, or an empty cell.
func fieldOf(value string) field {
	return field{
		name: ValueOf + value,
		text: func(r *Record) string { return textValue(r.Data[value]) },
		json: func(dst []byte, r *Record) []byte {
			if said, ok := r.Data[value]; ok && json.Valid(said) {
				return append(dst, said...)
			}
			return append(dst, "null"...)
		},
	}
}

// textValue is a value as text in a column: a word without quotes, a list of words with semicolons between them.
func textValue(said json.RawMessage) string {
	var word string
	var list []json.RawMessage
	switch {
	case string(said) == "null":
		return ""
	case json.Unmarshal(said, &word) == nil:
		return word
	case json.Unmarshal(said, &list) == nil:
		return join(list, "; ", textValue)
	}
	return string(said)
}

func jsonTerms(dst []byte, r *Record) []byte {
	return appendList(dst, r.Terms, func(dst []byte, t Term) []byte {
		dst = appendString(append(dst, `{"term":`...), t.Term)
		dst = appendNumber(append(dst, `,"weight":`...), t.Weight)
		return append(dst, '}')
	})
}

func jsonWhy(dst []byte, r *Record) []byte {
	return appendList(dst, r.Why, func(dst []byte, n Number) []byte {
		dst = appendString(append(dst, `{"name":`...), n.Name)
		dst = strconv.AppendInt(append(dst, `,"depth":`...), int64(n.Depth), 10)
		dst = appendNumber(append(dst, `,"value":`...), n.Value)
		return append(dst, '}')
	})
}

func jsonTrail(dst []byte, r *Record) []byte {
	return appendList(dst, r.Trail, func(dst []byte, s Step) []byte {
		dst = appendString(append(dst, `{"url":`...), s.URL)
		dst = appendString(append(dst, `,"anchor":`...), s.Anchor)
		dst = appendNumber(append(dst, `,"relevance":`...), s.Relevance)
		return append(dst, '}')
	})
}

func appendList[T any](dst []byte, list []T, each func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = each(dst, v)
	}
	return append(dst, ']')
}

func jsonData(dst []byte, r *Record) []byte {
	if len(r.Data) == 0 {
		return append(dst, "{}"...)
	}
	said, err := json.Marshal(r.Data) // by name, in alphabetical order
	if err != nil {
		return append(dst, "null"...) // somebody else's values, which are no JSON
	}
	return append(dst, said...)
}

func textData(r *Record) string {
	return join(slices.Sorted(maps.Keys(r.Data)), "; ", func(name string) string {
		return name + "=" + textValue(r.Data[name])
	})
}

func textTerms(r *Record) string {
	return join(r.Terms, "; ", func(t Term) string { return t.Term + "=" + plainNumber(t.Weight) })
}

func textWhy(r *Record) string {
	return join(r.Why, "; ", func(n Number) string { return n.Name + "=" + plainNumber(n.Value) })
}

func textTrail(r *Record) string {
	return join(r.Trail, " → ", func(s Step) string { return s.URL })
}

func join[T any](list []T, between string, each func(T) string) string {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = each(v)
	}
	return strings.Join(parts, between)
}

// appendNumber writes a number; what is none in JSON (NaN and the infinities) is null.
func appendNumber(dst []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(dst, "null"...)
	}
	b, _ := json.Marshal(v) // cannot fail on a finite number
	return append(dst, b...)
}

// plainNumber writes a number for a column; what is none leaves it empty.
func plainNumber(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

const hex = "0123456789abcdef"

// appendString writes a JSON string, as readable as it may be: only what must be escaped is. Line and paragraph
// separators are, because not every reader of lines takes them for letters; bytes that are no UTF-8 become U+FFFD.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		from := i
		for i < len(s) && plainByte[s[i]] {
			if i++; s[i-1] < utf8.RuneSelf {
				continue
			}
			if i+1 >= len(s) || (s[i]^0x80)|(s[i+1]^0x80) >= 0x40 { // the first byte of three, and no character
				i--
				break
			}
			i += 2
		}
		dst = append(dst, s[from:i]...)
		if i == len(s) {
			break
		}
		if c := s[i]; c < utf8.RuneSelf {
			dst = appendASCII(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, `\ufffd`...)
		case r == 0x2028 || r == 0x2029 || Steers(r):
			dst = append(dst, '\\', 'u', hex[r>>12&0xf], hex[r>>8&0xf], hex[r>>4&0xf], hex[r&0xf])
		default:
			dst = append(dst, s[i:i+size]...)
		}
		i += size
	}
	return append(dst, '"')
}

// plainByte tells of the first byte of a character that it stands as it is: most of ASCII, and U+3000 to U+9FFF.
var plainByte = func() (is [256]bool) {
	for c := range is {
		is[c] = ' ' <= c && c < 0x7f && c != '"' && c != '\\' || 0xE3 <= c && c <= 0xE9
	}
	return is
}()

func appendASCII(dst []byte, c byte) []byte {
	switch {
	case c == '"' || c == '\\':
		return append(dst, '\\', c)
	case c == '\n':
		return append(dst, '\\', 'n')
	case c == '\r':
		return append(dst, '\\', 'r')
	case c == '\t':
		return append(dst, '\\', 't')
	case c < ' ' || c == 0x7f:
		return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
	}
	return append(dst, c)
}
