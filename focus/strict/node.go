package strict

import (
	"fmt"
	"strings"
)

// Kind is the kind of thing a node is.
type Kind uint8

// The kinds of nodes. Absent is the kind of the zero Node: nothing was written there.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	Text
	List
	Map
)

// String is the kind as a message says it.
func (k Kind) String() string {
	return [...]string{"absent", "empty", "true or false", "a number", "text", "a list", "a mapping"}[k]
}

// Node is one value of a YAML file and the place where it stands. Aliases are resolved, merge keys are merged. The
// zero Node is Absent and answers every question with nothing.
type Node struct {
	value *value
	path  string
}

// value is a node without its path: an alias shares the values of its anchor.
type value struct {
	kind         Kind
	file         string
	line, column int
	text         string // a scalar as written, without its quotes
	quoted       bool
	entries      []entry  // of a Map, in the order of the file
	items        []*value // of a List
	size, depth  int      // how many values it is when written out, and how deep
	dups         []entry  // keys of a Map that were given already
}

type entry struct {
	key          string
	line, column int
	value        *value
	first        int // of a duplicate: the line where the key was first given
}

// Kind says what the node is.
func (n Node) Kind() Kind {
	if n.value == nil {
		return Absent
	}
	return n.value.kind
}

// File is the name of the file it stands in.
func (n Node) File() string {
	if n.value == nil {
		return ""
	}
	return n.value.file
}

// At is the place where it stands, both from 1; an alias stands where it is used.
func (n Node) At() (line, column int) {
	if n.value == nil {
		return 0, 0
	}
	return n.value.line, n.value.column
}

// Path says where in the document it is: topic.terms[2].weight. It is empty for the document itself.
func (n Node) Path() string { return n.path }

// Text is a scalar as it was written, without its quotes; it is empty for lists and mappings.
func (n Node) Text() string {
	if n.value == nil {
		return ""
	}
	return n.value.text
}

// Keys are the keys of a mapping in the order of the file, a duplicate once.
func (n Node) Keys() []string {
	if n.value == nil {
		return nil
	}
	keys := make([]string, len(n.value.entries))
	for i, e := range n.value.entries {
		keys[i] = e.key
	}
	return keys
}

// Get is the value of a key of a mapping. A key that is not there is the Absent node, with ok false.
func (n Node) Get(key string) (v Node, ok bool) {
	if e := n.entry(key); e != nil {
		return n.child(e), true
	}
	return Node{path: join(n.path, key)}, false
}

func (n Node) entry(key string) *entry {
	if n.value == nil {
		return nil
	}
	for i := range n.value.entries {
		if n.value.entries[i].key == key {
			return &n.value.entries[i]
		}
	}
	return nil
}

func (n Node) child(e *entry) Node {
	return Node{value: e.value, path: join(n.path, e.key)}
}

// Items are the values of a list.
func (n Node) Items() []Node {
	if n.value == nil {
		return nil
	}
	items := make([]Node, len(n.value.items))
	for i, v := range n.value.items {
		items[i] = Node{value: v, path: fmt.Sprintf("%s[%d]", n.path, i)}
	}
	return items
}

// Rename answers the same node under another name: what is read from a file of its own and from a part of another
// file can so be called by the same path.
func (n Node) Rename(path string) Node {
	n.path = path
	return n
}

// Over is a mapping with the entries of two: those of n, and those of base that n does not have. It stands where n
// stands, and each entry keeps the place it came from. If either is not a mapping, it is n.
func (n Node) Over(base Node) Node {
	if n.Kind() != Map || base.Kind() != Map {
		return n
	}
	both := *n.value
	both.entries = append([]entry(nil), n.value.entries...)
	for _, e := range base.value.entries {
		if both.at(e.key) < 0 {
			both.entries = append(both.entries, e)
			both.grow(e.value)
		}
	}
	return Node{value: &both, path: n.path}
}

// Without is a mapping without one of its keys.
func (n Node) Without(key string) Node {
	if n.Kind() != Map {
		return n
	}
	fewer := *n.value
	fewer.entries = nil
	for _, e := range n.value.entries {
		if e.key != key {
			fewer.entries = append(fewer.entries, e)
		}
	}
	return Node{value: &fewer, path: n.path}
}

// With is a mapping in which one of its keys has another text, at the same place.
func (n Node) With(key, text string) Node {
	if n.Kind() != Map {
		return n
	}
	changed := *n.value
	changed.entries = append([]entry(nil), n.value.entries...)
	if i := changed.at(key); i >= 0 {
		was := changed.entries[i].value
		changed.entries[i].value = &value{kind: Text, file: was.file, line: was.line, column: was.column, text: text, quoted: true, size: 1}
	}
	return Node{value: &changed, path: n.path}
}

// Problem is a mistake at this node.
func (n Node) Problem(format string, args ...any) Problem {
	line, column := n.At()
	return Problem{File: n.File(), Line: line, Column: column, Path: n.path, Want: fmt.Sprintf(format, args...)}
}

// KeyProblem is a mistake at a key of this mapping: at the key itself, not at its value. Where the mapping has no such
// key, the mistake is at the mapping.
func (n Node) KeyProblem(key, format string, args ...any) Problem {
	p := n.Problem(format, args...)
	p.Path = join(n.path, key)
	if e := n.entry(key); e != nil {
		p.File, p.Line, p.Column = e.value.file, e.line, e.column
	}
	return p
}

// is says what a node is for a message: is text "abc".
func (n Node) is() string {
	switch n.Kind() {
	case Absent, Null:
		return "has no value"
	case Bool, Number:
		return "is " + n.value.text
	case Text:
		return fmt.Sprintf("is %q", shorten(n.value.text))
	}
	return "is " + n.Kind().String()
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "..."
	}
	return s
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func list(words []string) string { return strings.Join(words, ", ") }

// Rewrite is a copy of the node in which the texts of mappings are changed: change is asked for every key whose value is
// text, and answers the text it is to have.
func (n Node) Rewrite(change func(key string, v Node) string) Node {
	if n.value == nil {
		return n
	}
	copied := *n.value
	copied.entries = append([]entry(nil), n.value.entries...)
	for i := range copied.entries {
		e := &copied.entries[i]
		v := n.child(e)
		if v.Kind() != Text {
			e.value = v.Rewrite(change).value
		} else if text := change(e.key, v); text != v.Text() {
			of := *e.value
			of.text, of.quoted = text, true
			e.value = &of
		}
	}
	copied.items = append([]*value(nil), n.value.items...)
	for i, item := range n.Items() {
		copied.items[i] = item.Rewrite(change).value
	}
	return Node{value: &copied, path: n.path}
}
