package extract

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// DecodeNode reads how a value is found: a selector, {css: …}, or a list of such rules.
func (f *Field) DecodeNode(n strict.Node) []strict.Problem {
	nodes := []strict.Node{n}
	if n.Kind() == strict.List {
		nodes = n.Items()
	}
	if len(nodes) == 0 {
		return []strict.Problem{n.Problem("has no rule, want a CSS selector, or a mapping such as {css: .price, as: number}")}
	}
	var problems []strict.Problem
	*f = make(Field, len(nodes))
	for i, node := range nodes {
		r := &(*f)[i]
		if required, given := node.Get("required"); given && required.Kind() == strict.Null {
			node = node.With("required", "null") // which YAML takes for no value
		}
		if node.Kind() != strict.Map {
			problems = append(problems, node.Decode(&r.CSS)...)
		} else {
			problems = append(problems, node.Decode(r)...)
		}
		if len(problems) == 0 {
			r.compile(func(key, want string) { problems = append(problems, node.Below(key, want)) })
		}
	}
	return problems
}

// EncodeNode is what is written for it.
func (f Field) EncodeNode() any {
	if len(f) == 1 {
		return f[0]
	}
	return []Rule(f)
}

// Check finds names that no column and no query could have.
func (r Rules) Check(wrong func(key, want string)) {
	for _, name := range r.Names() {
		if name == "" || len(name) > 100 || strings.ContainsAny(name, " \t\r\n.,:\"'[]{}<>") {
			wrong(name, fmt.Sprintf("%q cannot be the name of a value: want one word without dots and colons, such as price", name))
		}
	}
}

// compile makes a rule ready, or says what is wrong with it.
func (r *Rule) compile(wrong func(key, want string)) {
	var given []string
	for _, s := range []struct{ key, value string }{{"css", r.CSS}, {"meta", r.Meta}, {"jsonld", r.JSONLD}, {"microdata", r.Microdata}, {"og", r.OG}} {
		if s.value != "" {
			given = append(given, s.key)
		}
	}
	if len(given) > 1 {
		wrong(given[1], fmt.Sprintf("says where the value stands, and so does %s: keep one of the two, or make two rules of them, in a list", given[0]))
	}
	if r.CSS != "" {
		var err error
		if r.css, err = compile(r.CSS); err != nil {
			wrong("css", fmt.Sprintf("is %q, which is no CSS selector: %v", r.CSS, err))
		}
	}
	if r.Attr != "" && r.CSS == "" {
		wrong("attr", "is an attribute of what css finds, and css is not given")
	}
	if r.As == "json" && (r.CSS != "" || r.Meta != "" || r.OG != "") {
		wrong("as", "json is a thing of jsonld or microdata as a whole; want text, number, integer, date, url or bool of "+given[0])
	}
	if r.As == "json" && r.Match != "" {
		wrong("match", "finds something in a text, and as: json is no text")
	}
	r.use = &reading{}
	if r.Match != "" {
		e, err := regexp.Compile(r.Match)
		if err != nil {
			wrong("match", fmt.Sprintf("is %q, which is no regular expression: %v", r.Match, err))
		}
		r.use.match = e
	}
	if len(r.Hosts)+len(r.Paths) > 0 {
		r.of = &admit.Scope{Hosts: r.Hosts, Paths: r.Paths, AllTypes: true, MaxAddress: 1 << 30}
		if err := r.of.Compile(); err != nil {
			key, want, _ := strings.Cut(strings.TrimPrefix(err.Error(), "scope."), ": ")
			wrong(key, want)
		}
	}
}
