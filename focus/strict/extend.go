package strict

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Extend adds items to a list of a file and changes nothing else: comments, order and the hand of whoever wrote it stay as
// they are. The list stands at the top level, or below a key there (topic.terms). Items are what Flow makes of values. A key
// that is not there is added, at the end of the file or first below its own. Where a list is written in a way in which nothing
// can be added with certainty, the error says so.
func Extend(name string, data []byte, key string, items ...string) ([]byte, error) {
	if len(items) == 0 {
		return data, nil
	}
	if fromWindows(data) {
		return asOnUnix(data, func(data []byte) ([]byte, error) { return Extend(name, data, key, items...) })
	}
	root, err := Parse(name, data)
	if err != nil {
		return nil, err
	}
	x := newExtension(data)
	x.items = items
	group, own, nested := strings.Cut(key, ".")
	switch {
	case root.Kind() != Map && root.Kind() != Null:
		err = errors.New("is no mapping")
	case nested:
		err = x.below(root, group, own)
	default:
		err = x.add(root, key)
	}
	if err == nil {
		err = x.check(name, key, root, func(old []Node) []string { return append(flows(old), x.items...) })
	}
	if err != nil {
		return nil, fmt.Errorf("%s: nothing can be added to %s by a program: %w", name, key, err)
	}
	return x.data, nil
}

// fromWindows tells of a file that its lines end as Windows ends them. The places that are known of it may be wrong.
func fromWindows(data []byte) bool {
	ends := bytes.Count(data, []byte("\r\n"))
	return ends > 0 && ends == bytes.Count(data, []byte("\n"))
}

// asOnUnix changes such a file as one whose lines end as elsewhere, and answers it with its own ends.
func asOnUnix(data []byte, change func([]byte) ([]byte, error)) ([]byte, error) {
	changed, err := change(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
	return bytes.ReplaceAll(changed, []byte("\n"), []byte("\r\n")), err
}

// add adds to a list at the top level.
func (x *extension) add(root Node, key string) error {
	list, there := root.Get(key)
	if !there {
		return x.atEnd(key)
	}
	e := root.entry(key)
	if e.column != 1 {
		return errNoLineOfItsOwn
	}
	return x.into(list, e.line, e.column, len(key))
}

var errNoLineOfItsOwn = errors.New("the key does not stand at the beginning of a line")

// below adds to a list below a key at the top level.
func (x *extension) below(root Node, group, key string) error {
	parent, ok := root.Get(group)
	if !ok || parent.Kind() != Map || len(parent.value.entries) == 0 {
		return errors.New(group + " is no mapping that says something")
	}
	first := parent.value.entries[0]
	at := x.offset(first.line, first.column)
	start := x.lineStart(at)
	block := strings.Trim(string(x.data[start:at]), " ") == ""
	list, there := parent.Get(key)
	if there {
		e := parent.entry(key)
		x.braced, x.margin = !block, e.column+1
		return x.into(list, e.line, e.column, len(key))
	}
	if !block {
		return errors.New(group + " is written in braces")
	}
	indent := at - start
	x.insert(start, strings.Repeat(" ", indent)+key+":\n"+x.block(indent+2))
	return nil
}

// flows are items as Flow shows them.
func flows(items []Node) []string {
	list := make([]string, len(items))
	for i, n := range items {
		list[i] = Flow(n)
	}
	return list
}

// extension is a file to which something is added.
type extension struct {
	data   []byte
	items  []string
	margin int  // of items below their key
	braced bool // the list stands within braces
}

func newExtension(data []byte) *extension {
	return &extension{data: data, margin: 2}
}

// check reads the file again: it must say what it said, and of the list what is wanted.
func (x *extension) check(name, key string, before Node, want func(old []Node) []string) error {
	after, err := Parse(name, x.data)
	if err != nil {
		return fmt.Errorf("it could not be read afterwards (%w)", err)
	}
	if !sameBut(before, after, key, want) {
		return errors.New("the file is written in an unusual way")
	}
	return nil
}

// sameBut tells whether two mappings say the same, but for a list below a key.
func sameBut(before, after Node, key string, want func(old []Node) []string) bool {
	group, rest, nested := strings.Cut(key, ".")
	for _, k := range before.Keys() {
		was, _ := before.Get(k)
		is, _ := after.Get(k)
		if k != group && Flow(was) != Flow(is) {
			return false
		}
	}
	was, _ := before.Get(group)
	is, _ := after.Get(group)
	if nested {
		return sameBut(was, is, rest, want)
	}
	return slices.Equal(want(was.Items()), flows(is.Items()))
}

// insert puts text at a place.
func (x *extension) insert(at int, text string) {
	x.data = []byte(string(x.data[:at]) + text + string(x.data[at:]))
}

// block is the items one below the other.
func (x *extension) block(indent int) string {
	var b strings.Builder
	for _, item := range x.items {
		b.WriteString(strings.Repeat(" ", indent) + "- " + item + "\n")
	}
	return b.String()
}

// atEnd adds the list at the end of the file.
func (x *extension) atEnd(key string) error {
	trimmed := bytes.TrimSpace(x.data)
	for line := range bytes.Lines(x.data) {
		if line = bytes.TrimRight(line, "\r\n \t"); string(line) == "..." {
			return errors.New("the document ends before the file does (...)")
		}
	}
	if bytes.HasPrefix(trimmed, []byte("{")) {
		return errors.New("the file is written in braces")
	}
	gap := ""
	if len(x.data) > 0 && x.data[len(x.data)-1] != '\n' {
		gap = "\n"
	}
	if len(trimmed) > 0 {
		gap += "\n"
	}
	x.insert(len(x.data), gap+key+":\n"+x.block(2))
	return nil
}

// into adds to a list that is there, or to a key that has no value yet.
func (x *extension) into(list Node, line, column, length int) error {
	after, err := x.afterColon(line, column, length)
	if err != nil {
		return err
	}
	if list.Kind() == Null {
		return x.afterKey(after)
	}
	if list.Kind() != List {
		return fmt.Errorf("is %s", list.Kind())
	}
	return x.intoList(list, after)
}

// afterColon is where the value of a key begins.
func (x *extension) afterColon(line, column, length int) (int, error) {
	after := x.offset(line, column) + length
	if x.data[x.offset(line, column)] == '"' || x.data[x.offset(line, column)] == '\'' {
		after += 2
	}
	if after >= len(x.data) || x.data[after] != ':' {
		return 0, errors.New("the key is written in an unusual way")
	}
	return after + 1, nil
}

// intoList adds to a list, in the way in which it is written. After the key, spaces, line ends and comments come first.
func (x *extension) intoList(list Node, after int) error {
	at := x.skip(after)
	switch {
	case at < len(x.data) && x.data[at] == '[':
		return x.flow(after, at, len(list.Items()) == 0)
	case at < len(x.data) && x.data[at] == '-':
		x.insertBlock(at)
		return nil
	}
	return errors.New("it has a name (&) or is the repetition of another list (*)")
}

// offset is where a place in the file is in bytes.
func (x *extension) offset(line, column int) int {
	at := 0
	if bytes.HasPrefix(x.data, []byte("\ufeff")) && line == 1 {
		at = len("\ufeff")
	}
	for ; line > 1; line-- {
		at += bytes.IndexByte(x.data[at:], '\n') + 1
	}
	for ; column > 1 && at < len(x.data); column-- {
		_, size := utf8.DecodeRune(x.data[at:])
		at += size
	}
	return at
}

// skip passes over white space and comments.
func (x *extension) skip(at int) int {
	for at < len(x.data) {
		switch c := x.data[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			at++
		case c == '#':
			at = x.lineEnd(at)
		default:
			return at
		}
	}
	return at
}

// lineStart is where a line begins.
func (x *extension) lineStart(at int) int { return bytes.LastIndexByte(x.data[:at], '\n') + 1 }

// lineEnd is where the next line begins.
func (x *extension) lineEnd(at int) int {
	if n := bytes.IndexByte(x.data[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(x.data)
}

// afterKey adds below a key that has no value, but perhaps a comment.
func (x *extension) afterKey(after int) error {
	end := x.lineEnd(after)
	rest := strings.TrimSpace(string(x.data[after:end]))
	if rest != "" && !strings.HasPrefix(rest, "#") {
		return errors.New("its value is written as " + rest)
	}
	if x.braced {
		return errors.New("it is empty, and stands in braces")
	}
	text := x.block(x.margin)
	if end > 0 && x.data[end-1] != '\n' {
		text = "\n" + text
	}
	x.insert(end, text)
	return nil
}

// insertBlock adds below the last item of a list that is written with dashes, of which the first is at a place.
func (x *extension) insertBlock(at int) {
	start := x.lineStart(at)
	indent := at - start
	end := x.lineEnd(at)
	for next := end; next < len(x.data); {
		stop := x.lineEnd(next)
		line := strings.TrimRight(string(x.data[next:stop]), "\r\n")
		bare := strings.TrimLeft(line, " ")
		depth := len(line) - len(bare)
		comment := strings.HasPrefix(bare, "#")
		if bare != "" && !comment && depth < indent || bare != "" && !comment && depth == indent && !strings.HasPrefix(bare, "-") ||
			comment && (indent == 0 || depth < indent) && depth == 0 {
			break
		}
		stray := comment && x.margin > 2 && (depth < indent || indent < x.margin) // it may be about the key that comes next
		if next = stop; bare != "" && !stray {
			end = stop
		}
	}
	text := x.block(indent)
	if x.data[end-1] != '\n' {
		text = "\n" + strings.TrimSuffix(text, "\n")
	}
	x.insert(end, text)
}

// longLine is how long a line of a list in brackets may become before items get lines of their own.
const longLine = 120

// flow adds to a list in brackets that opens at a place. An empty one is written anew, with dashes.
func (x *extension) flow(after, open int, empty bool) error {
	_, last, shut := x.brackets(open)
	if shut < 0 {
		return errUnusual
	}
	line := x.lineEnd(open)
	if empty && shut < line && strings.TrimSpace(string(x.data[after:open])) == "" {
		x.data = []byte(string(x.data[:after]) + string(x.data[shut+1:]))
		return x.afterKey(after)
	}
	between := ", "
	start := x.lineStart(open)
	if line <= shut || line-start+len(strings.Join(x.items, ", ")) > longLine {
		between = ",\n" + strings.Repeat(" ", x.margin)
	}
	text := strings.Join(x.items, between)
	if !empty {
		if x.data[last] == ',' {
			text = strings.TrimPrefix(between, ",") + text
		} else {
			text = between + text
		}
	}
	x.insert(last+1, text)
	return nil
}

// brackets finds the commas behind the items of a list that opens at a place, where it is shut, and the last byte before that
// is neither white space nor comment; -1 where it is not to be found.
func (x *extension) brackets(open int) (commas []int, last, shut int) {
	depth, last := 0, open
	for at := open; at < len(x.data); at++ {
		switch c := x.data[at]; {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return commas, last, at
			}
		case c == ',' && depth == 1:
			commas = append(commas, at)
		case c == '"' || c == '\'':
			if before := x.data[last]; before != '[' && before != ',' && before != ':' && before != '{' && last == at-1 {
				break // within a plain word
			}
			if at = x.quoted(at); at < 0 {
				return nil, 0, -1
			}
		case c == '#' && strings.IndexByte(" \t\n[{,]}", x.data[at-1]) >= 0:
			at = x.lineEnd(at) - 1
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		}
		last = at
	}
	return nil, 0, -1
}

// quoted is where a quoted text ends that begins at a place.
func (x *extension) quoted(at int) int {
	quote := x.data[at]
	for at++; at < len(x.data); at++ {
		switch {
		case x.data[at] == '\\' && quote == '"':
			at++
		case x.data[at] == quote && quote == '\'' && at+1 < len(x.data) && x.data[at+1] == quote:
			at++
		case x.data[at] == quote:
			return at
		}
	}
	return -1
}
