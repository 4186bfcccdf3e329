// Package extract answers one question: which values stand on a page?
//
// A crawl file names them, and says where each stands: what a CSS selector finds, what a meta element says, or what the page
// says of itself for machines, as JSON-LD, microdata or OpenGraph. A value that is named and nothing more is looked up there
// by its name. Only pages that are kept are read so, because it takes a tree of the whole page, which nothing else needs.
package extract

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
)

// Rules are the values that are wanted of a page, by name. Reading a crawl file makes them ready, and Config.Sound those of a program.
type Rules map[string]Field

// Field is how one value is found: by the first rule that holds for the page and finds something.
type Field []Rule

// Rule is one way to find a value. One of css, meta, jsonld, microdata and og says where it stands; without any of them it is
// looked up by its own name in JSON-LD, microdata, OpenGraph and meta elements, in this order.
type Rule struct {
	CSS       string   `yaml:"css,omitempty" doc:"a CSS selector: the text of what it finds first is the value"`
	Attr      string   `yaml:"attr,omitempty" doc:"with css: the value is this attribute, not the text; of a url it is href, src or content where it is left out"`
	Meta      string   `yaml:"meta,omitempty" doc:"the name or property of a meta element, such as article:published_time"`
	JSONLD    string   `yaml:"jsonld,omitempty" doc:"a path in the page's JSON-LD, such as offers.price, or Product.offers.price within things of a type"`
	Microdata string   `yaml:"microdata,omitempty" doc:"a path in the page's microdata, as of jsonld"`
	OG        string   `yaml:"og,omitempty" doc:"an OpenGraph property, such as title for og:title, or product:price:amount"`
	As        string   `yaml:"as,omitempty" doc:"what it is read as; text where it is left out: date is written 2026-11-23, or with the time where there is one; json is a thing of JSON-LD or microdata as a whole" check:"text|number|integer|date|url|bool|json"`
	List      bool     `yaml:"list,omitempty" doc:"all that are found, as a list, not the first alone"`
	Match     string   `yaml:"match,omitempty" doc:"a regular expression: the value is what its first group finds in the text, or all of it where it has none; of a list each place where it matches"`
	Required  string   `yaml:"required,omitempty" doc:"drop: a page without the value is not kept; null: its record says null; where it is left out its record does not name the value" check:"drop|null"`
	Hosts     []string `yaml:"hosts,omitempty" doc:"patterns of the hosts whose pages the rule is for, as in scope.hosts"`
	Paths     []string `yaml:"paths,omitempty" doc:"patterns of the paths of the pages that the rule is for, as in scope.paths"`

	css selector
	use *reading
	of  *admit.Scope // nil holds for every page
}

// What is taken of a page at the most: more is no value but a document.
const (
	mostValue = 20 << 10 // bytes of a text
	mostItems = 500      // of a list
	mostJSON  = 64 << 10 // bytes of a thing as a whole,
	mostDepth = 64       // and levels: what reads lines stops at 128, or sooner
	mostNodes = 1 << 20  // that are looked at for their text, some of them many times: one in the other, each of them asked for
	asLongAs  = 32       // bytes of a text take as long as a node,
	asSlowAs  = 2        // and these where a date or a number is looked for in them
)

// Names are the names of the values, sorted.
func (r Rules) Names() []string { return slices.Sorted(maps.Keys(r)) }

// Numbers are the names of the values that are a number each wherever they are found.
func (r Rules) Numbers() []string {
	return slices.DeleteFunc(r.Names(), func(name string) bool {
		return r.kind(name) != "number" || slices.ContainsFunc(r[name], func(rule Rule) bool { return rule.List })
	})
}

// Kinds are what values are read as, by name. A value that rules read as several things is json where one of these is a thing as a
// whole, for that is no text, else text; an integer is a number.
func (r Rules) Kinds() map[string]string {
	kinds := map[string]string{}
	for name := range r {
		kinds[name] = r.kind(name)
	}
	return kinds
}

func (r Rules) kind(name string) (kind string) {
	for _, rule := range r[name] {
		as := cmp.Or(rule.As, "text")
		switch {
		case as == "json":
			return as
		case as == "integer":
			as = "number"
		}
		kind = cmp.Or(kind, as)
		if kind != as {
			kind = "text"
		}
	}
	return kind
}

// Wants tells whether some rule holds for a page.
func (r Rules) Wants(address string) bool {
	for _, field := range r {
		if len(field.at(address)) > 0 {
			return true
		}
	}
	return false
}

// at are the rules of a field that hold for a page.
func (f Field) at(address string) []*Rule {
	var hold []*Rule
	l := page.LinkTo(address)
	for i := range f {
		if r := &f[i]; r.of == nil || r.of.Admit(&l, 0) == "" {
			hold = append(hold, r)
		}
	}
	return hold
}

// Values are the values of a page whose body is in UTF-8, each as JSON has it. lacks names the values that the page must have
// and has not; such a page is not to be kept.
func (r Rules) Values(body []byte, address string) (values map[string]json.RawMessage, lacks []string) {
	var p *paper
	for _, name := range r.Names() {
		hold := r[name].at(address)
		if len(hold) == 0 {
			continue
		}
		if p == nil {
			p = open(body, address)
			values = map[string]json.RawMessage{}
		}
		required := ""
		for _, rule := range hold {
			if required == "" || rule.Required == "drop" {
				required = rule.Required
			}
			if v := rule.value(p, name); v != nil {
				values[name] = v
				break
			}
		}
		if values[name] != nil {
			continue
		}
		switch required {
		case "drop":
			lacks = append(lacks, name)
		case "null":
			values[name] = json.RawMessage("null")
		}
	}
	return values, lacks
}

// value is what a rule finds on a page, as JSON; nil where it finds nothing.
func (r *Rule) value(p *paper, name string) json.RawMessage {
	var found []any
	for raw := range r.candidates(p, name) {
		found = append(found, r.read(p, raw)...)
		if len(found) > 0 && !r.List || len(found) >= mostItems {
			break
		}
	}
	if len(found) == 0 {
		return nil
	}
	found = found[:min(len(found), mostItems)]
	var one any = found
	if !r.List {
		one = found[0]
	}
	text, err := json.Marshal(one)
	if err != nil {
		return nil // a number that JSON has not
	}
	return text
}

// paper is a page as the rules read it. What stands on it for machines is read when the first rule asks for it.
type paper struct {
	doc    *goquery.Document
	things map[string][]any // by source
	nodes  int              // how many were looked at for their text

	address, base string // of the page, and what its base element says
}

// open reads a page. What cannot be read is an empty one.
func open(body []byte, address string) *paper {
	p := &paper{things: map[string][]any{}, address: address}
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(body))
	if err != nil { // too deep to be meant
		doc, _ = goquery.NewDocumentFromReader(strings.NewReader("")) // which cannot fail
	}
	p.doc, p.base = doc, doc.Find("base[href]").First().AttrOr("href", "")
	return p
}
