package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
)

// said is what the page says of itself, from each of the places it may say it in.
type said struct {
	title           string
	meta, og, ld    Facts
	ogTitle, ldName string
	cited           string // what those who cite it call it
	language        string
	authors         authors  // in meta elements
	writers         []string // in JSON-LD, by their names or what stands for them
	ldAuthors       authors
	beside          string // in the heading behind the title
	metas           []string
	articles        []string // what the articles in JSON-LD are called, of several two
	bodies          []string // and their texts
	day             string   // on which it was published, as its head has it
	kept            string   // the day in a script's variable for when it was published
	linked          bool     // the script that was opened is JSON-LD
	goods, article  bool     // it is a page of what a shop sells; an article
	onward          int32    // the link by which it leads on by itself at once, plus one; 0 for none
}

// whole is the title with all that stands in it, the site's name included.
func (s *said) whole() string { return cmp.Or(s.title, s.ogTitle, s.ldName) }

const (
	// maxLinkedData bounds the JSON-LD read of a page.
	maxLinkedData = 256 << 10
	// maxSaid bounds its title, and each of the other things that it says of itself: all of them are cut into words.
	maxSaid = 8 << 10
)

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
		if !r.inShadow() && r.push(t, false) {
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
			r.texScript = bytes.HasPrefix(kind, []byte("math/tex"))
			r.island = foldEqual(kind, "text/xml")
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
			r.nameOfAuthor(key, content)
		}
	}
	r.fact(strings.ToLower(string(bytes.TrimSpace(key))), content)
}

// anyTag is a tag in what should be text.
var anyTag = regexp.MustCompile(`</?[A-Za-z][^<>]*>`)

// fact files one meta element.
func (r *reading) fact(key, content string) {
	s := &r.said
	switch key {
	case "description":
		r.metaText(&s.meta.Description, content)
	case "keywords":
		r.metaText(&s.meta.Keywords, content)
	case "author", "article:author", "dc.creator", "dcterms.creator", "byl", "parsely-author", "sailthru.author", "citation_author":
		if s.authors.asks(key) {
			s.authors.add(key, name(brief(content)))
		}
	case "article:published_time", "og:article:published_time", "og:published_time", "pubdate", "publication_date", "sailthru.date", "parsely-pub-date", "dcterms.created", "dcterms.date", "dc.date.issued", "dc.date.created", "dcterms.issued", "citation_publication_date", "citation_online_date", "citation_date", "publishdate", "publish_date", "date", "dc.date", "datepublished", "datecreated", "weibo: article:create_at":
		if asDate(s.meta.Date) == "" { // which may have been a month
			s.meta.Date = tidy(brief(content))
		}
	case "robots":
		r.robots(content)
	case "citation_title":
		set(&s.cited, content)
	case "og:title":
		set(&s.ogTitle, content)
	case "articletitle": // that of Chinese authorities, with the tags that part its lines
		set(&s.ogTitle, anyTag.ReplaceAllString(content, ""))
	case "og:type":
		s.goods = s.goods || strings.Contains(content, "product")
		s.article = s.article || content == "article"
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
		*to = tidy(brief(content))
		r.said.metas = append(r.said.metas, *to)
	}
}

// brief is as much as is taken of what a page says of itself, in memory of its own.
func brief(said string) string {
	if len(said) <= maxSaid {
		return said
	}
	return strings.Clone(Cut(said, maxSaid))
}

// set keeps the first of several values.
func set(to *string, value string) {
	if *to == "" {
		*to = tidy(brief(value))
	}
}

func (r *reading) robots(content string) {
	for _, word := range strings.FieldsFunc(strings.ToLower(content), func(c rune) bool { return c == ',' || c == ' ' }) {
		none := word == "none"
		r.page.Facts.NoIndex = r.page.Facts.NoIndex || none || word == "noindex"
		r.page.Facts.NoFollow = r.page.Facts.NoFollow || none || word == "nofollow"
	}
}

// linkElement reads a link element.
func (r *reading) linkElement() {
	rel, _ := r.attribute("rel")
	if len(rel) == 0 || len(r.attrs) < 2 {
		return
	}
	if kinds := string(rel); r.value("href") != "" {
		r.headLink(headLink{kinds, r.value("href"), r.value("type"), r.value("title"), r.value("hreflang")})
	}
}

// script reads a script that is data: JSON-LD.
func (r *reading) script(raw []byte) {
	if !r.said.linked || len(raw) > maxLinkedData {
		return
	}
	r.said.linked = false
	people, known := map[string]string{}, r.said.writers != nil
	for _, v := range LinkedValues(raw) {
		r.said.linkedData(v, people, 0)
	}
	for _, who := range r.said.writers {
		if (!known || people[who] != "") && r.said.ldAuthors.asks("") {
			r.said.ldAuthors.add("", name(brief(cmp.Or(people[who], who))))
		}
	}
}

// LinkedValues are the values of a script of JSON-LD: several may follow one another, and many are not quite JSON. Numbers are as they
// are written.
func LinkedValues(raw []byte) (all []any) {
	for _, text := range [][]byte{raw, mended(raw)} {
		in := json.NewDecoder(bytes.NewReader(text))
		in.UseNumber()
		for {
			var v any
			err := in.Decode(&v)
			if err == io.EOF {
				return all
			}
			if err != nil {
				break
			}
			all = append(all, v)
		}
		all = all[:0]
	}
	return nil
}

// mended is nearly JSON made JSON: without comments, commas before a closing bracket, semicolons after the end and the signs around
// a script, and with blanks in the place of control characters in strings, and null in that of NaN and what else only a program has.
func mended(raw []byte) []byte {
	raw = bytes.TrimSpace(raw)
	for _, around := range []string{"<!--", "//<![CDATA[", "<![CDATA[", "/*<![CDATA[*/"} {
		raw = bytes.TrimPrefix(raw, []byte(around))
	}
	for _, around := range []string{"-->", "/*]]>*/", "]]>", "//", ";"} {
		raw = bytes.TrimSuffix(bytes.TrimSpace(raw), []byte(around))
	}
	out := make([]byte, 0, len(raw))
	for i, quoted := 0, false; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\' && i+1 < len(raw):
			if i++; strings.IndexByte(`"\/bfnrtu`, raw[i]) < 0 {
				out = append(out, raw[i])
				continue
			}
			out = append(out, c, raw[i])
		case quoted && c < ' ':
			out = append(out, ' ')
		case c == '"':
			quoted = !quoted
			out = append(out, c)
		case quoted:
			out = append(out, c)
		case c == '/' && bytes.HasPrefix(raw[i:], []byte("/*")):
			end := bytes.Index(raw[i:], []byte("*/"))
			if end < 0 {
				return out
			}
			i += end + 1
		case c == '/' && bytes.HasPrefix(raw[i:], []byte("//")):
			end := bytes.IndexByte(raw[i:], '\n')
			if end < 0 {
				return out
			}
			i += end
		case beginsWord(raw, i):
			n := 1
			for i+n < len(raw) && isLetter(raw[i+n]) {
				n++
			}
			word := raw[i : i+n]
			if i += n - 1; !slices.Contains([]string{"true", "false", "null"}, string(word)) {
				out, word = bytes.TrimSuffix(out, []byte("-")), []byte("null")
			}
			out = append(out, word...)
		case c == '}' || c == ']':
			out = append(bytes.TrimRight(out, ", \t\r\n"), c)
		default:
			out = append(out, c)
		}
	}
	return out
}

// beginsWord tells of a byte that a word begins with it, which the e of a number is none.
func beginsWord(b []byte, i int) bool {
	return isLetter(b[i]) && (i == 0 || !isLetter(b[i-1]) && b[i-1] != '.' && (b[i-1] < '0' || b[i-1] > '9'))
}

// linkedData files the first article, or whatever has a headline, that it finds, and who is who.
func (s *said) linkedData(v any, people map[string]string, depth int) {
	if depth > 4 {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			s.linkedData(e, people, depth+1)
		}
	case map[string]any:
		id, _ := v["@id"].(string)
		if name, _ := v["name"].(string); id != "" && name != "" {
			people[id] = referred(name)
		}
		set(&s.ld.Date, words(v["pubDate"])) // so a search engine of China has it
		if _, ok := v["headline"]; ok || v["datePublished"] != nil {
			set(&s.ldName, words(v["headline"]))
			s.article = s.article || v["headline"] != nil
			s.body(v)
			if s.writers == nil {
				s.writers = each(v["author"])
			}
			set(&s.ld.Date, words(v["datePublished"]))
			set(&s.ld.Description, words(v["description"]))
			set(&s.ld.SiteName, words(v["publisher"]))
			set(&s.ld.Keywords, words(v["keywords"]))
		}
		s.goods = s.goods || slices.Contains(each(v["@type"]), "Product")
		s.linkedData(v["@graph"], people, depth+1)
		s.linkedData(v["mainEntity"], people, depth+1)
	}
}

// each are the texts of a JSON-LD value that may be several.
func each(v any) (all []string) {
	several, ok := v.([]any)
	if !ok {
		several = []any{v}
	}
	for _, e := range several {
		if w := words(e); w != "" {
			all = append(all, w)
		}
	}
	return all
}

// words is the text of a JSON-LD value: a string, something with a name, or several of these.
func words(v any) string {
	switch v := v.(type) {
	case string:
		return referred(v)
	case map[string]any:
		name, _ := v["name"].(string)
		id, _ := v["@id"].(string)
		return cmp.Or(referred(name), id)
	case []any:
		return strings.Join(each(v), ", ")
	}
	return ""
}
