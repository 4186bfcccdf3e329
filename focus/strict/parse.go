package strict

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/thresher-crawler/thresher/focus/recent"
)

// MaxBytes is how long a file may be. Nobody writes more by hand; a longer one is an attack or a mistake.
const MaxBytes = 1 << 20

// What a file may hold at most, for the same reason.
const (
	maxDepth  = 64      // levels, and brackets open at once
	maxValues = 100_000 // values with every alias written out
)

// Parse reads one YAML document. The error is an *Error: a syntax mistake hides all that comes after it, so it is the
// only one of that kind; aliases that lead nowhere, in a circle or to too much are all reported.
func Parse(name string, data []byte) (Node, error) {
	if len(data) > maxParsed {
		return parse(name, data)
	}
	key := source{name, string(data)}
	if n, ok := parsed.Get(key); ok {
		return n, nil
	}
	n, err := parse(name, data)
	if err == nil {
		parsed.Put(key, n)
	}
	return n, err
}

// parsed are the documents that were read last. A crawl file and a strategy are read by whoever checks, loads, compares and reports
// them, within a moment, and a Node never changes.
var parsed = recent.New[source, Node](32)

type source struct{ name, text string }

// maxParsed is how long a document may be to be remembered.
const maxParsed = 16 << 10

func parse(name string, data []byte) (Node, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if p := refuseBytes(name, data); p != nil {
		return Node{}, Err([]Problem{*p})
	}
	file, problem := parseAST(name, data)
	if problem != nil {
		return Node{}, Err([]Problem{*problem})
	}
	b := &builder{file: name, anchors: map[string]*value{}}
	root := &value{kind: Null, file: name, line: 1, column: 1}
	for i, d := range bodies(file) {
		if i == 0 {
			root = b.value(d, "", 0)
			continue
		}
		line, column := position(d)
		b.problem(line, column, "", "a second document; a file holds one")
	}
	if root.size > maxValues && len(b.problems) == 0 {
		b.problem(root.line, root.column, "", "%d values when its aliases are written out, at most %d are read", root.size, maxValues)
	}
	if err := Err(b.problems); err != nil {
		return Node{}, err
	}
	return Node{value: root}, nil
}

func bodies(file *ast.File) []ast.Node {
	var found []ast.Node
	for _, d := range file.Docs {
		if d.Body != nil && d.Body.Type() != ast.CommentType && d.Body.Type() != ast.DirectiveType {
			found = append(found, d.Body)
		}
	}
	return found
}

// refuseBytes finds what the YAML library should not be asked to read.
func refuseBytes(name string, data []byte) *Problem {
	if len(data) > MaxBytes {
		return &Problem{File: name, Want: fmt.Sprintf("longer than %d bytes; is this the right file? A long list of start pages is a file of its own (thresher inject)", MaxBytes)}
	}
	if p := refuseCoding(name, data); p != nil {
		return p
	}
	at := func(i int, want string) *Problem { return problemAt(name, data, i, want) }
	open := 0
	for i, r := range data {
		switch {
		case r == '[' || r == '{':
			if open++; open > maxDepth {
				return at(i, fmt.Sprintf("more than %d brackets open at once", maxDepth))
			}
		case (r == ']' || r == '}') && open > 0:
			open--
		case r == '\n' && indicators(data[i+1:]) > maxDepth:
			return at(i+1, fmt.Sprintf("more than %d levels on one line", maxDepth))
		}
	}
	if indicators(data) > maxDepth {
		return at(0, fmt.Sprintf("more than %d levels on one line", maxDepth))
	}
	return nil
}

// indicators counts the "- ", "? " and ": " a line opens with: each opens a level.
func indicators(line []byte) int {
	count := 0
	for i, c := range line {
		switch c {
		case ' ', '\t':
		case '-', '?', ':':
			if i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '\t' {
				return count
			}
			count++
		default:
			return count
		}
	}
	return count
}

// parseAST calls the library, whose panics on odd input become a problem too.
func parseAST(name string, data []byte) (file *ast.File, problem *Problem) {
	defer func() {
		if r := recover(); r != nil {
			file, problem = nil, &Problem{File: name, Want: fmt.Sprintf("cannot be read as YAML (%v)", r)}
		}
	}()
	file, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err == nil {
		return file, nil
	}
	problem = &Problem{File: name, Want: err.Error()}
	var placed yaml.Error
	if errors.As(err, &placed) {
		problem.Want = placed.GetMessage()
		problem.Line, problem.Column = tokenPosition(placed.GetToken())
	}
	cause, sure := hint(problem.Want)
	if wide := cmp.Or(wideHint(lineOf(data, problem.Line)), wideAbove(data, problem.Line)); wide != "" && !sure {
		cause = wide
	}
	problem.Want = "not YAML: " + problem.Want + cause
	return nil, problem
}

// lineOf is a line of a file, counted from 1.
func lineOf(data []byte, number int) string {
	for line := range bytes.Lines(data) {
		if number--; number == 0 {
			return string(line)
		}
	}
	return ""
}

// hint says what usually lies behind what the library says; sure is that nothing else does, whatever signs the line has beside that.
func hint(message string) (cause string, sure bool) {
	switch {
	case strings.Contains(message, "'\t'"):
		return "; indent with spaces", true
	case strings.Contains(message, "unknown escape character"):
		return "; in double quotes a backslash begins an escape: write a path with /, or in single quotes", true
	case strings.Contains(message, "reserved character"):
		return "; write what begins with it in quotation marks", true
	case strings.Contains(message, "non-map value is specified"), strings.Contains(message, "value is not allowed"), strings.Contains(message, "unexpected key name"):
		return "; is a colon missing, the blank behind a colon or a dash, or the indentation off?", false
	case strings.Contains(message, "could not find flow map content"):
		return "; is a colon missing?", false
	}
	return "", false
}

func tokenPosition(t *token.Token) (line, column int) {
	if t == nil || t.Position == nil {
		return 0, 0
	}
	return max(t.Position.Line, 1), max(t.Position.Column, 1)
}

func position(n ast.Node) (line, column int) {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		n = m.Values[0].Key
	}
	return tokenPosition(n.GetToken())
}
