package outlet

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// Pages is a folder of Markdown files, one a page, each with what is known of the page at its head.
type Pages struct{ Dir string }

// Encode writes a page.
func (p *Pages) Encode(r *sink.Record) error {
	var head strings.Builder
	head.WriteString("---\n")
	put := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&head, "%s: %s\n", key, value)
		}
	}
	quoted := func(s string) string {
		if s = strings.Join(strings.Fields(sink.Plain(s)), " "); s == "" {
			return ""
		}
		return strconv.Quote(s)
	}
	put("title", quoted(r.Title))
	put("url", quoted(r.FinalURL))
	put("author", quoted(r.Author))
	put("date", quoted(r.Date))
	if !r.Time.IsZero() {
		put("fetched", r.Time.UTC().Format(time.RFC3339))
	}
	put("language", quoted(r.Language))
	if x := r.Relevant(); x == x {
		put("relevance", strconv.FormatFloat(x, 'f', 4, 64))
	}
	put("cluster", strconv.FormatUint(r.Cluster, 10))
	put("digest", quoted(r.Digest))
	put("gone", r.Gone)
	head.WriteString("---\n\n")
	body := r.Markdown
	if strings.TrimSpace(body) == "" {
		body = r.Text
	}
	return os.WriteFile(filepath.Join(p.Dir, name(r)), []byte(head.String()+sink.Plain(body)+"\n"), 0o666)
}

// mostSlug is how many characters of a title a name has.
const mostSlug = 48

// name is the name of a page's file: its number, and its title as far as that makes a name everywhere.
func name(r *sink.Record) string {
	var slug []rune
	for _, c := range strings.ToLower(r.Title) {
		if len(slug) == mostSlug {
			break
		}
		switch {
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			slug = append(slug, c)
		case len(slug) > 0 && slug[len(slug)-1] != '-':
			slug = append(slug, '-')
		}
	}
	title := strings.Trim(string(slug), "-")
	if title != "" {
		title = "-" + title
	}
	return fmt.Sprintf("%06d%s.md", r.ID, title)
}
