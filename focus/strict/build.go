package strict

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// builder turns the library's tree into ours: aliases resolved, merges done, duplicates set aside. A subtree that
// several aliases share stays one: how many values it would be written out is counted, never made.
type builder struct {
	file     string
	anchors  map[string]*value // nil while the anchored value is being read
	problems []Problem
}

func (b *builder) problem(line, column int, path, format string, args ...any) {
	b.problems = append(b.problems, Problem{File: b.file, Line: line, Column: column, Path: path, Want: fmt.Sprintf(format, args...)})
}

// value reads one node. What cannot be read is reported and becomes Null.
func (b *builder) value(n ast.Node, path string, depth int) *value {
	if n == nil {
		return &value{kind: Null, file: b.file, size: 1}
	}
	line, column := position(n)
	v := &value{kind: Null, file: b.file, line: line, column: column, size: 1}
	if depth > maxDepth {
		b.problem(line, column, path, "more than %d levels deep", maxDepth)
		return v
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		if text, ok := unparted(n); ok {
			v.kind, v.text = plainKind(text), text
			break
		}
		b.mapping(v, n.Values, path, depth)
	case *ast.MappingValueNode:
		b.mapping(v, []*ast.MappingValueNode{n}, path, depth)
	case *ast.SequenceNode:
		b.sequence(v, n, path, depth)
	case *ast.AnchorNode:
		return b.anchor(n, path, depth)
	case *ast.AliasNode:
		b.alias(v, n, path, depth)
	case *ast.TagNode:
		b.problem(line, column, path, "a tag (%s); write the value without it", n.Start.Value)
	case *ast.LiteralNode:
		v.kind, v.quoted, v.text = Text, true, n.Value.Value
	case ast.ScalarNode:
		scalar(v, n.GetToken())
	default:
		b.problem(line, column, path, "%s is not allowed here", n.Type().YAMLName())
	}
	return v
}

func scalar(v *value, t *token.Token) {
	v.text = t.Value
	switch t.Type {
	case token.SingleQuoteType, token.DoubleQuoteType:
		v.kind, v.quoted = Text, true
		return
	case token.ImplicitNullType:
		v.text = ""
	}
	v.kind = plainKind(v.text)
}

// unparted is the plain text that the library takes for a pair: {proxies: [http://host:3128]} is a list of addresses, for a colon parts
// nothing unless a space comes after it. The library knows that only where no braces are around.
func unparted(n *ast.MappingNode) (string, bool) {
	if n.IsFlowStyle || len(n.Values) != 1 {
		return "", false
	}
	pair := n.Values[0]
	value, ok := pair.Value.(ast.ScalarNode)
	if !ok {
		return "", false
	}
	key, after := pair.Key.GetToken(), value.GetToken()
	if key.Indicator == token.QuotedScalarIndicator || after.Indicator == token.QuotedScalarIndicator || after.Position.Line != pair.Start.Position.Line || after.Position.Column != pair.Start.Position.Column+1 {
		return "", false
	}
	return key.Value + ":" + after.Value, true
}

func (b *builder) sequence(v *value, n *ast.SequenceNode, path string, depth int) {
	v.kind = List
	for i, item := range n.Values {
		child := b.value(item, fmt.Sprintf("%s[%d]", path, i), depth+1)
		v.items = append(v.items, child)
		v.grow(child)
	}
}

func (b *builder) mapping(v *value, pairs []*ast.MappingValueNode, path string, depth int) {
	v.kind = Map
	var merges []*value
	for _, pair := range pairs {
		if pair.Key.IsMergeKey() {
			merges = append(merges, b.value(pair.Value, join(path, "<<"), depth))
			continue
		}
		e, ok := b.key(pair.Key, path)
		if !ok {
			continue
		}
		e.value = b.value(pair.Value, join(path, e.key), depth+1)
		if at := v.at(e.key); at >= 0 {
			e.first = v.entries[at].line
			v.dups = append(v.dups, e)
			continue
		}
		v.entries = append(v.entries, e)
		v.grow(e.value)
	}
	for _, m := range merges {
		b.merge(v, m, path)
	}
}

// key reads the key of a pair: any scalar, taken as it was written.
func (b *builder) key(n ast.MapKeyNode, path string) (entry, bool) {
	node := ast.Node(n)
	if explicit, ok := n.(*ast.MappingKeyNode); ok {
		node = explicit.Value
	}
	line, column := 0, 0
	if node != nil {
		line, column = tokenPosition(node.GetToken())
	}
	s, ok := node.(ast.ScalarNode)
	if _, null := node.(*ast.NullNode); !ok || null {
		b.problem(line, column, path, "a key must be a word")
		return entry{}, false
	}
	return entry{key: s.GetToken().Value, line: line, column: column}, true
}

// merge takes the entries of a mapping, or of each of a list of mappings, that v does not have itself.
func (b *builder) merge(v, from *value, path string) {
	switch from.kind {
	case List:
		for _, item := range from.items {
			b.merge(v, item, path)
		}
	case Map:
		for _, e := range from.entries {
			if v.at(e.key) < 0 {
				v.entries = append(v.entries, e)
				v.grow(e.value)
			}
		}
	default:
		b.problem(from.line, from.column, join(path, "<<"), "want an alias of a mapping, such as *base")
	}
}

func (b *builder) anchor(n *ast.AnchorNode, path string, depth int) *value {
	name := n.Name.GetToken().Value
	b.anchors[name] = nil
	v := b.value(n.Value, path, depth)
	b.anchors[name] = v
	return v
}

func (b *builder) alias(v *value, n *ast.AliasNode, path string, depth int) {
	name := n.Value.GetToken().Value
	target, known := b.anchors[name]
	switch {
	case !known:
		b.problem(v.line, v.column, path, "no anchor &%s before this alias%s", name, meant(name))
	case target == nil:
		b.problem(v.line, v.column, path, "an alias inside its own anchor &%s, which would contain itself without end; write out what belongs here, or put the anchor on a part beside it", name)
	case depth+target.depth > maxDepth:
		b.problem(v.line, v.column, path, "more than %d levels deep", maxDepth)
	default:
		line, column := v.line, v.column
		*v = *target
		v.line, v.column = line, column
	}
}

// grow counts what a child adds to its parent.
func (v *value) grow(child *value) {
	v.size = min(v.size+child.size, maxValues+1)
	v.depth = max(v.depth, child.depth+1)
}

// at is the index of a key among the entries, or -1.
func (v *value) at(key string) int {
	for i := range v.entries {
		if v.entries[i].key == key {
			return i
		}
	}
	return -1
}

// meant says how a pattern is written that was taken for an alias.
func meant(alias string) string {
	if strings.ContainsAny(alias, "./") {
		return fmt.Sprintf("; a pattern that begins with * stands in quotation marks: \"*%s\"", alias)
	}
	return ""
}
