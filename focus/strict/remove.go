package strict

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Remove takes items out of a list of a file, as Extend adds to one: each that Flow shows as one of these. A comment on the last
// line of an item that begins a line goes with it; every other comment stays.
func Remove(name string, data []byte, key string, items ...string) ([]byte, error) {
	if fromWindows(data) {
		return asOnUnix(data, func(data []byte) ([]byte, error) { return Remove(name, data, key, items...) })
	}
	root, err := Parse(name, data)
	if err != nil {
		return nil, err
	}
	x := newExtension(data)
	gone := func(item string) bool { return slices.Contains(items, item) }
	if err = x.cut(root, key, gone); err == nil {
		err = x.check(name, key, root, func(old []Node) []string { return slices.DeleteFunc(flows(old), gone) })
	}
	if err != nil {
		return nil, fmt.Errorf("%s: nothing can be taken out of %s by a program: %w", name, key, err)
	}
	return x.data, nil
}

// cut takes items out of a list. Where each stands is found before the first goes, and the last goes first.
func (x *extension) cut(root Node, key string, gone func(item string) bool) error {
	parent, own := root, key
	if group, rest, nested := strings.Cut(key, "."); nested {
		parent, _ = root.Get(group)
		own = rest
	}
	list, _ := parent.Get(own)
	drop := make([]bool, len(list.Items()))
	for n, item := range flows(list.Items()) {
		drop[n] = gone(item)
	}
	if !slices.Contains(drop, true) {
		return nil
	}
	if bytes.Count(x.data, []byte("\r")) != bytes.Count(x.data, []byte("\r\n")) {
		return errors.New("its lines end with carriage returns alone")
	}
	e := parent.entry(own)
	at, err := x.afterColon(e.line, e.column, len(own))
	if err != nil {
		return err
	}
	if at = x.skip(at); at < len(x.data) && x.data[at] == '[' {
		return x.cutBracketed(at, drop)
	}
	for n, item := range slices.Backward(list.Items()) {
		if drop[n] {
			if err := x.cutDashed(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// cutDashed takes out the lines of an item that is written with a dash.
func (x *extension) cutDashed(item Node) error {
	at := x.offset(item.At())
	start := x.lineStart(at)
	before := strings.TrimRight(string(x.data[start:at]), " {")
	if strings.TrimLeft(before, " ") != "-" {
		return errors.New("an item does not stand alone behind its dash")
	}
	end := x.lineEnd(at)
	for end < len(x.data) { // an item of several lines
		line := string(x.data[end:x.lineEnd(end)])
		if bare := strings.TrimLeft(line, " "); strings.TrimSpace(line) == "" || strings.HasPrefix(bare, "#") || len(line)-len(bare) < len(before) {
			break
		}
		end = x.lineEnd(end)
	}
	x.data = slices.Delete(bytes.Clone(x.data), start, end)
	return nil
}

var errUnusual = errors.New("its brackets are written in an unusual way")

// cutBracketed takes items out of a list in brackets that opens at a place.
func (x *extension) cutBracketed(open int, drop []bool) error {
	commas, last, shut := x.brackets(open)
	if shut < 0 || len(commas) != len(drop) && len(commas) != len(drop)-1 {
		return errUnusual
	}
	kept := len(drop)
	for kept > 0 && drop[kept-1] {
		kept--
	}
	if kept == 0 {
		return errors.New("nothing would be left of it")
	}
	before := append([]int{open}, commas...)
	for _, at := range commas {
		if len(bytes.TrimSpace(x.data[x.lineStart(at):at])) == 0 {
			return errors.New("a comma begins a line")
		}
	}
	data := bytes.Clone(x.data)
	for n := len(drop) - 1; n >= 0; n-- {
		if drop[n] {
			end := last + 1
			if n < len(commas) {
				end = commas[n] + 1
			}
			from, to := x.span(before[n], end, n == kept)
			if from > to {
				return errUnusual
			}
			data = slices.Delete(data, from, to)
		}
	}
	x.data = data
	return nil
}

// span is what goes with an item in brackets that stands between a comma or bracket and the end of its own comma, if it has one.
// Where nothing is left behind it, the comma before goes too, unless a comment stands between them.
func (x *extension) span(before, end int, ends bool) (int, int) {
	from := x.skip(before + 1)
	gap := x.data[before+1 : from]
	begins := bytes.IndexByte(gap, '\n') >= 0 // a line
	stop := x.lineEnd(end)
	rest := bytes.TrimSpace(x.data[end:stop])
	switch ends = ends && !bytes.Contains(gap, []byte("#")); {
	case begins && (len(rest) == 0 || rest[0] == '#'):
		if !ends {
			return x.lineStart(from), stop
		}
		end += len(bytes.TrimRight(x.data[end:stop], "\r\n"))
	case len(rest) > 0 && rest[0] != ']' && (rest[0] != '#' || !ends && len(gap) > 0): // a comment needs its blank
		for x.data[end] == ' ' {
			end++
		}
	}
	if ends {
		return before, end
	}
	return from, end
}
