package seek

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html/charset"
)

// description is an OpenSearch description document, as far as it tells how to ask.
type description struct {
	XMLName   xml.Name `xml:"OpenSearchDescription"`
	ShortName string   `xml:"ShortName"`
	URLs      []struct {
		Type        string `xml:"type,attr"`
		Template    string `xml:"template,attr"`
		Rel         string `xml:"rel,attr"`
		Method      string `xml:"method,attr"`
		IndexOffset *int   `xml:"indexOffset,attr"`
		PageOffset  *int   `xml:"pageOffset,attr"`
	} `xml:"Url"`
}

// forms are the kinds of answers that can be read, the best first: a feed says which of its links are results.
var forms = []string{"application/rss+xml", "application/atom+xml", "text/html", "application/xhtml+xml"}

// openSearch makes an engine of an OpenSearch description document, found at an address. A site that publishes one
// invites programs to ask by its template, so robots.txt is not asked for it.
func openSearch(body []byte, at string) (*Engine, error) {
	var d description
	decoder := xml.NewDecoder(bytes.NewReader(body))
	decoder.CharsetReader = charset.NewReaderLabel
	if err := decoder.Decode(&d); err != nil {
		return nil, fmt.Errorf("is no OpenSearch description: %w", err)
	}
	base, err := url.Parse(at)
	if err != nil {
		return nil, err
	}
	for _, form := range forms {
		for _, u := range d.URLs {
			if !strings.EqualFold(strings.TrimSpace(u.Type), form) || u.Rel != "" && u.Rel != "results" || u.Method != "" && !strings.EqualFold(u.Method, "get") {
				continue
			}
			index, number := 1, 1
			if u.IndexOffset != nil {
				index = *u.IndexOffset
			}
			if u.PageOffset != nil {
				number = *u.PageOffset
			}
			return fromTemplate(d.ShortName, base, u.Template, strings.Contains(form, "xml") && !strings.Contains(form, "xhtml"), index, number)
		}
	}
	return nil, errors.New("offers no answers that can be read: want a template of type " + strings.Join(forms, ", ") + ", asked with GET")
}

// parameter is one of a template's: {searchTerms}, or {startPage?}, which may be left out.
var parameter = regexp.MustCompile(`\{([A-Za-z:]+)(\??)\}`)

// fromTemplate makes an engine of a template.
func fromTemplate(name string, base *url.URL, template string, feed bool, index, number int) (*Engine, error) {
	e := &Engine{Name: strings.TrimSpace(name), source: base.String(), PerPage: 10, Pages: 1, Robots: "ignore", Feed: feed}
	e.Name = cmp.Or(e.Name, base.Host)
	if !feed {
		e.HTML = &HTML{Attribute: "href"}
	}
	var unknown []string
	e.Address = parameter.ReplaceAllStringFunc(template, func(p string) string {
		m := parameter.FindStringSubmatch(p)
		switch m[1] {
		case "searchTerms":
			return "{query}"
		case "startPage":
			e.First, e.Pages = number, 5
			return "{page}"
		case "startIndex":
			e.First, e.Pages = index, 5
			return "{start}"
		case "count":
			return "10"
		case "inputEncoding", "outputEncoding":
			return "UTF-8"
		case "language":
			return "*"
		}
		if m[2] == "" {
			unknown = append(unknown, m[1])
		}
		return ""
	})
	if strings.Contains(e.Address, "{start}") && strings.Contains(e.Address, "{page}") {
		return nil, errors.New("its template asks for a page and an index at once")
	}
	if len(unknown) > 0 {
		return nil, fmt.Errorf("its template wants %s, which nobody here knows", strings.Join(unknown, ", "))
	}
	if to, err := base.Parse(strings.NewReplacer("{", "%7B", "}", "%7D").Replace(e.Address)); err == nil {
		e.Address = strings.NewReplacer("%7B", "{", "%7D", "}").Replace(to.String())
	}
	var wrong error
	e.Check(func(key, want string) {
		if wrong == nil {
			wrong = fmt.Errorf("its template %q %s", template, want)
		}
	})
	return e, wrong
}
