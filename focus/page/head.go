package page

import (
	"bytes"
	"encoding/json"
	"strings"
)

// said is what the page says of itself, from each of the places it may say it in.
type said struct {
	title           string
	meta, og, ld    Facts
	ogTitle, ldName string
	time            string
	language        string
	metas           []string
	linked          bool // the script that was opened is JSON-LD
}

// maxLinkedData bounds the JSON-LD read of a page.
const maxLinkedData = 256 << 10

// headStart acts on the elements that may stand in a head, wherever they stand; it answers false for all others.
func (r *reading) headStart(t tag) bool {
	switch t {
	case tagHtml:
		if r.page.Language == "" {
			r.page.Language = strings.ToLower(r.value("lang"))
		}
	case tagBody:
		r.framesetOK = false
		if !r.hasBody {
			r.openBody(false)
		}
	case tagFrameset:
		r.openFrameset()
	case tagMeta:
		if r.inert == 0 {
			r.meta()
		}
	case tagLink:
		if r.inert == 0 {
			r.linkElement()
		}
	case tagBase:
		if href := r.value("href"); r.base == "" && r.inert == 0 {
			r.base = href
		}
	case tagTemplate:
		r.framesetOK = false
		if r.push(t, false) {
			r.mark()
		}
	case tagNoscript, tagHead:
		return !r.hasBody
	case tagNoframes:
		if r.hidden {
			r.push(t, false)
		}
	case tagTitle, tagScript, tagStyle, tagBasefont, tagBgsound:
		if t == tagScript {
			kind, _ := r.attribute("type")
			r.said.linked = foldEqual(bytes.TrimSpace(kind), "application/ld+json")
		}
	default:
		return false
	}
	return true
}

// needBody opens the body if nothing has opened it.
func (r *reading) needBody() {
	if !r.hasBody && r.inert == 0 {
		r.framesetOK = true
		r.openBody(true)
	}
}

func (r *reading) openBody(implied bool) {
	r.hasBody = true
	r.push(tagBody, implied)
	r.regions[0].class = r.top().class
}

// meta reads a meta element.
func (r *reading) meta() {
	content := r.value("content")
	if content == "" {
		return
	}
	if equiv, ok := r.attribute("http-equiv"); ok {
		switch {
		case foldEqual(equiv, "refresh"):
			r.refresh(content)
		case foldEqual(equiv, "content-language") && r.said.language == "":
			r.said.language = strings.ToLower(content)
		}
		return
	}
	key, ok := r.attribute("name")
	if !ok {
		if key, ok = r.attribute("property"); !ok {
			key, _ = r.attribute("itemprop")
		}
	}
	r.fact(strings.ToLower(string(bytes.TrimSpace(key))), content)
}

// fact files one meta element.
func (r *reading) fact(key, content string) {
	s := &r.said
	switch key {
	case "description":
		r.metaText(&s.meta.Description, content)
	case "keywords":
		r.metaText(&s.meta.Keywords, content)
	case "author", "article:author", "dc.creator", "byl":
		set(&s.meta.Author, content)
	case "article:published_time", "pubdate", "publishdate", "publish_date", "date", "dc.date", "datepublished", "weibo: article:create_at":
		set(&s.meta.Date, content)
	case "robots":
		r.robots(content)
	case "og:title":
		set(&s.ogTitle, content)
	case "og:description", "twitter:description":
		set(&s.og.Description, content)
	case "og:site_name", "application-name":
		set(&s.og.SiteName, content)
	case "og:article:author":
		set(&s.og.Author, content)
	case "og:release_date":
		set(&s.og.Date, content)
	}
}

// metaText files text that counts as text of the page.
func (r *reading) metaText(to *string, content string) {
	if *to == "" {
		*to = tidy(content)
		r.said.metas = append(r.said.metas, *to)
	}
}

// set keeps the first of several values.
func set(to *string, value string) {
	if *to == "" {
		*to = tidy(value)
	}
}

func (r *reading) robots(content string) {
	for _, word := range strings.FieldsFunc(strings.ToLower(content), func(c rune) bool { return c == ',' || c == ' ' }) {
		none := word == "none"
		r.page.Facts.NoIndex = r.page.Facts.NoIndex || none || word == "noindex"
		r.page.Facts.NoFollow = r.page.Facts.NoFollow || none || word == "nofollow"
	}
}

// refresh reads "5; url=…".
func (r *reading) refresh(content string) {
	i := strings.IndexAny(content, ";,")
	if i < 0 {
		return
	}
	rest := strings.TrimLeft(content[i+1:], " \t\r\n\f;,")
	if len(rest) >= 3 && strings.EqualFold(rest[:3], "url") {
		if after := strings.TrimLeft(rest[3:], " \t\r\n\f"); strings.HasPrefix(after, "=") {
			rest = strings.TrimLeft(after[1:], " \t\r\n\f")
		}
	}
	if rest == "" {
		return
	}
	if quote := rest[0]; quote == '"' || quote == '\'' {
		rest = rest[1:]
		if end := strings.IndexByte(rest, quote); end >= 0 {
			rest = rest[:end]
		}
	}
	r.linkTo(strings.TrimSpace(rest), Refresh, "")
}

// linkElement reads a link element.
func (r *reading) linkElement() {
	rel, _ := r.attribute("rel")
	if len(rel) == 0 || len(r.attrs) < 2 {
		return
	}
	kinds := strings.Fields(strings.ToLower(string(rel)))
	has := func(kind string) bool {
		for _, k := range kinds {
			if k == kind {
				return true
			}
		}
		return false
	}
	href := r.value("href")
	if href == "" {
		return
	}
	switch {
	case has("canonical"):
		set(&r.page.Facts.Canonical, href)
	case has("next"):
		r.linkTo(href, Next, r.value("title"))
	case has("sitemap"):
		r.linkTo(href, Sitemap, r.value("title"))
	case has("alternate") && !has("stylesheet"):
		r.linkTo(href, alternate(r.value("type")), r.value("title"))
	}
}

// alternate tells feeds from pages.
func alternate(kind string) Source {
	kind = strings.ToLower(kind)
	for _, feed := range []string{"rss", "atom", "feed+json", "application/rdf", "text/xml", "application/xml"} {
		if strings.Contains(kind, feed) {
			return Feed
		}
	}
	return Alternate
}

// script reads a script that is data: JSON-LD.
func (r *reading) script(raw []byte) {
	if !r.said.linked || len(raw) > maxLinkedData {
		return
	}
	r.said.linked = false
	var v any
	if json.Unmarshal(bytes.TrimSpace(raw), &v) == nil {
		r.said.linkedData(v, 0)
	}
}

// linkedData files the first article, or whatever has a headline, that it finds.
func (s *said) linkedData(v any, depth int) {
	if depth > 4 {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			s.linkedData(e, depth+1)
		}
	case map[string]any:
		if _, ok := v["headline"]; ok || v["datePublished"] != nil {
			set(&s.ldName, words(v["headline"]))
			set(&s.ld.Author, words(v["author"]))
			set(&s.ld.Date, words(v["datePublished"]))
			set(&s.ld.Description, words(v["description"]))
			set(&s.ld.SiteName, words(v["publisher"]))
			set(&s.ld.Keywords, words(v["keywords"]))
		}
		s.linkedData(v["@graph"], depth+1)
	}
}

// words is the text of a JSON-LD value: a string, something with a name, or several of these.
func words(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		name, _ := v["name"].(string)
		return name
	case []any:
		all := make([]string, 0, len(v))
		for _, e := range v {
			if w := words(e); w != "" {
				all = append(all, w)
			}
		}
		return strings.Join(all, ", ")
	}
	return ""
}
