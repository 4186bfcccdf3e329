package extract

import (
	"maps"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Where pages speak to machines of things: objects with a type and properties. Both sources are read into what JSON would be
// read into, so that one path finds a property in either.
const (
	jsonLD    = "jsonld"
	microdata = "microdata"
)

// deepest bounds how deep things stand in each other, and most how many of a page are looked at.
const (
	deepest    = 12
	mostThings = 2000
)

// of are the things of a page from one source, in the order of the page.
func (p *paper) of(source string) []any {
	things, known := p.things[source]
	if !known {
		if source == jsonLD {
			things = p.scripts()
		} else {
			things = p.items()
		}
		p.things[source] = things
	}
	return things
}

// scripts are the things of the page's JSON-LD. A script that is no JSON says nothing.
func (p *paper) scripts() (things []any) {
	p.doc.Find(`script[type]`).Each(func(_ int, s *goquery.Selection) {
		kind, _, _ := strings.Cut(s.AttrOr("type", ""), ";")
		if !strings.EqualFold(strings.TrimSpace(kind), "application/ld+json") || len(things) >= mostThings {
			return
		}
		for _, v := range page.LinkedValues([]byte(s.Text())) {
			things = append(things, graph(v)...)
		}
	})
	return things
}

// graph are the things that stand in a value of JSON-LD.
func graph(v any) (things []any) {
	for _, thing := range listed(v) {
		if m, ok := thing.(map[string]any); ok && m["@graph"] != nil { // the things are in it
			things = append(things, listed(m["@graph"])...)
			continue
		}
		things = append(things, thing)
	}
	return things
}

// listed is a value as the list that it is, or stands for.
func listed(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

// items are the things of the page's microdata: elements with itemscope that are no property of another.
func (p *paper) items() (things []any) {
	p.doc.Find("[itemscope]:not([itemprop])").EachWithBreak(func(_ int, s *goquery.Selection) bool {
		things = append(things, p.item(s.Nodes[0], 0))
		return len(things) < mostThings
	})
	return things
}

// item is one thing of microdata.
func (p *paper) item(n *html.Node, depth int) map[string]any {
	thing := map[string]any{}
	if types := strings.Fields(attribute(n, "itemtype")); len(types) > 0 {
		thing["@type"] = types[0][strings.LastIndexAny(types[0], "/#")+1:]
	}
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type != html.ElementNode {
				continue
			}
			names, scope := strings.Fields(attribute(c, "itemprop")), has(c, "itemscope")
			var value any
			switch {
			case len(names) == 0:
			case scope && depth < deepest:
				value = p.item(c, depth+1)
			default:
				value = p.propertyOf(c)
			}
			for _, name := range names {
				if before, twice := thing[name]; twice {
					thing[name] = append(listed(before), value)
				} else {
					thing[name] = value
				}
			}
			if !scope {
				walk(c)
			}
		}
	}
	walk(n)
	return thing
}

// propertyOf is what an element says as a property, as microdata has it.
func (p *paper) propertyOf(n *html.Node) string {
	for _, name := range map[string][]string{"meta": {"content"}, "a": {"href"}, "link": {"href"}, "area": {"href"}, "img": {"src"}, "audio": {"src"}, "video": {"src"},
		"iframe": {"src"}, "source": {"src"}, "object": {"data"}, "data": {"value"}, "meter": {"value"}, "time": {"datetime"}}[n.Data] {
		if has(n, name) {
			return attribute(n, name)
		}
	}
	if has(n, "content") { // not of microdata, but many write it
		return attribute(n, "content")
	}
	return p.textOf(n)
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// within visits what stands at a path in things. A path may begin with a type, which is looked for in all of them, however deep
// it stands: Product.offers.price; the type alone is the thing as a whole.
func within(things []any, path string, yield func(any) bool) {
	steps := strings.Split(path, ".")
	if first := steps[0]; first != "" && first[0] >= 'A' && first[0] <= 'Z' {
		var typed []any
		each(things, 0, func(thing map[string]any) bool {
			if slices.ContainsFunc(listed(thing["@type"]), func(t any) bool {
				s, _ := t.(string)
				return s[strings.LastIndexAny(s, "/#:")+1:] == first
			}) {
				typed = append(typed, thing)
			}
			return len(typed) < mostThings
		})
		things, steps = typed, steps[1:]
	}
	for _, thing := range things {
		if !descend(thing, steps, yield) {
			return
		}
	}
}

func descend(v any, steps []string, yield func(any) bool) bool {
	if list, ok := v.([]any); ok {
		for _, element := range list {
			if !descend(element, steps, yield) {
				return false
			}
		}
		return true
	}
	if len(steps) == 0 {
		return v == nil || yield(v)
	}
	thing, ok := v.(map[string]any)
	if !ok {
		return true
	}
	return descend(thing[steps[0]], steps[1:], yield)
}

// anywhere visits the properties of a name, those of outer things before those of the things that stand in them.
func anywhere(things []any, name string, yield func(any) bool) {
	for level, depth := things, 0; len(level) > 0 && depth < deepest; depth++ {
		var deeper []any
		for _, v := range level {
			for _, element := range listed(v) {
				thing, ok := element.(map[string]any)
				if !ok {
					continue
				}
				if said, has := thing[name]; has && !descend(said, nil, yield) {
					return
				}
				for _, key := range slices.Sorted(maps.Keys(thing)) {
					deeper = append(deeper, thing[key])
				}
			}
		}
		level = deeper[:min(len(deeper), mostThings)]
	}
}

// each visits things and those that stand in them.
func each(things []any, depth int, visit func(map[string]any) bool) bool {
	for _, v := range things {
		for _, element := range listed(v) {
			thing, ok := element.(map[string]any)
			if !ok || depth > deepest {
				continue
			}
			if !visit(thing) {
				return false
			}
			for _, key := range slices.Sorted(maps.Keys(thing)) {
				if !each([]any{thing[key]}, depth+1, visit) {
					return false
				}
			}
		}
	}
	return true
}
