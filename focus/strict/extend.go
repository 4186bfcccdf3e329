package strict

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Extend adds items to a list at the top level of a file and changes nothing else: comments, order and the hand of
// whoever wrote it stay as they are. Items are what Flow makes of values. A key that is not there is added at the end.
// Where a list is written in a way in which nothing can be added with certainty, the error says so.
func Extend(name string, data []byte, key string, items ...string) ([]byte, error) {
	if len(items) == 0 {
		return data, nil
	}
	root, err := Parse(name, data)
	if err != nil {
		return nil, err
	}
	x := &extension{data: data, eol: "\n", items: items}
	if bytes.Contains(data, []byte("\r\n")) {
		x.eol = "\r\n"
	}
	list, there := root.Get(key)
	switch {
	case root.Kind() != Map && root.Kind() != Null:
		err = errors.New("is no mapping")
	case !there:
		err = x.atEnd(key)
	default:
		e := root.entry(key)
		err = x.into(list, e.line, e.column, len(key))
	}
	if err == nil {
		err = x.check(name, key, root)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: nothing can be added to %s by a program: %w", name, key, err)
	}
	return x.data, nil
}

// extension is a file to which something is added.
type extension struct {
	data  []byte
	eol   string
	items []string
}

// check reads the file again: it must say what it said, and the additions.
func (x *extension) check(name, key string, before Node) error {
	after, err := Parse(name, x.data)
	if err != nil {
		return fmt.Errorf("it could not be read afterwards (%w)", err)
	}
	unusual := errors.New("the file is written in an unusual way")
	for _, k := range before.Keys() {
		was, _ := before.Get(k)
		is, _ := after.Get(k)
		if k != key && Flow(was) != Flow(is) {
			return unusual
		}
	}
	was, _ := before.Get(key)
	is, _ := after.Get(key)
	old, all := was.Items(), is.Items()
	if len(all) != len(old)+len(x.items) {
		return unusual
	}
	for i := range old {
		if Flow(old[i]) != Flow(all[i]) {
			return unusual
		}
	}
	return nil
}

// insert puts text at a place.
func (x *extension) insert(at int, text string) {
	x.data = []byte(string(x.data[:at]) + text + string(x.data[at:]))
}

// block is the items one below the other.
func (x *extension) block(indent int) string {
	var b strings.Builder
	for _, item := range x.items {
		b.WriteString(strings.Repeat(" ", indent) + "- " + item + x.eol)
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
		gap = x.eol
	}
	if len(trimmed) > 0 {
		gap += x.eol
	}
	x.insert(len(x.data), gap+key+":"+x.eol+x.block(2))
	return nil
}

// into adds to a list that is there, or to a key that has no value yet.
func (x *extension) into(list Node, line, column, length int) error {
	if column != 1 {
		return errors.New("the key does not stand at the beginning of a line")
	}
	after := x.offset(line, column) + length
	if x.data[x.offset(line, column)] == '"' || x.data[x.offset(line, column)] == '\'' {
		after += 2
	}
	if after >= len(x.data) || x.data[after] != ':' {
		return errors.New("the key is written in an unusual way")
	}
	after++
	if list.Kind() == Null {
		return x.afterKey(after)
	}
	if list.Kind() != List {
		return fmt.Errorf("is %s", list.Kind())
	}
	return x.intoList(list, after)
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
	text := x.block(2)
	if end > 0 && x.data[end-1] != '\n' {
		text = x.eol + text
	}
	x.insert(end, text)
	return nil
}

// insertBlock adds below the last item of a list that is written with dashes, of which the first is at a place.
func (x *extension) insertBlock(at int) {
	start := bytes.LastIndexByte(x.data[:at], '\n') + 1
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
		if next = stop; bare != "" {
			end = stop
		}
	}
	text := x.block(indent)
	if x.data[end-1] != '\n' {
		text = x.eol + strings.TrimSuffix(text, x.eol)
	}
	x.insert(end, text)
}

// longLine is how long a line of a list in brackets may become before items get lines of their own.
const longLine = 120

// flow adds to a list in brackets that opens at a place. An empty one is written anew, with dashes.
func (x *extension) flow(after, open int, empty bool) error {
	last, shut := x.brackets(open)
	if shut < 0 {
		return errors.New("its brackets are written in an unusual way")
	}
	line := x.lineEnd(open)
	if empty && shut < line && strings.TrimSpace(string(x.data[after:open])) == "" {
		x.data = []byte(string(x.data[:after]) + string(x.data[shut+1:]))
		return x.afterKey(after)
	}
	between := ", "
	start := bytes.LastIndexByte(x.data[:open], '\n') + 1
	if line <= shut || line-start+len(strings.Join(x.items, ", ")) > longLine {
		between = "," + x.eol + "  "
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

// brackets finds where a list that opens at a place is shut, and the last byte before it that is neither white space nor
// comment; -1 where it is not to be found.
func (x *extension) brackets(open int) (last, shut int) {
	depth, last := 0, open
	for at := open; at < len(x.data); at++ {
		switch c := x.data[at]; {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return last, at
			}
		case c == '"' || c == '\'':
			if before := x.data[last]; before != '[' && before != ',' && before != ':' && before != '{' && last == at-1 {
				break // within a plain word
			}
			if at = x.quoted(at); at < 0 {
				return 0, -1
			}
		case c == '#' && (x.data[at-1] == ' ' || x.data[at-1] == '\t' || x.data[at-1] == '\n'):
			at = x.lineEnd(at) - 1
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		}
		last = at
	}
	return 0, -1
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
