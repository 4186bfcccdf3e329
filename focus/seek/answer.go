package seek

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/sitemap"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// Result is one line of an engine's answer.
type Result struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Text  string `json:"text,omitempty"`
}

// Refusal is why an engine gave no answer, and what can be done about it. Nobody asks it again in the same search.
type Refusal struct{ Engine, Why, Cure string }

func (r *Refusal) Error() string {
	if r.Cure == "" {
		return r.Engine + ": " + r.Why
	}
	return r.Engine + ": " + r.Why + "; " + r.Cure
}

// captchas are words by which answers are known that want to see a person, whatever the engine.
var captchas = []string{"captcha", "unusual traffic", "are you a robot", "not a robot", "验证码", "安全验证", "异常流量"}

// errNothing: the answer was read, and no result stands where the description looks for them.
var errNothing = errors.New("nothing stands where its description looks for results")

// read takes the results out of an answer. An answer without any is errNothing, unless it says that nothing was found.
func (e *Engine) read(v *probe.Answer) ([]Result, error) {
	if err := e.refusal(v); err != nil {
		return nil, err
	}
	var found []Result
	var err error
	switch {
	case e.JSON != nil:
		found, err = e.fromJSON(v.Body)
	case e.Feed:
		found, err = e.fromFeed(v)
	case e.HTML.Result == "":
		found = e.fromLinks(v)
	default:
		found, err = e.fromHTML(v)
	}
	if err != nil || len(found) > 0 {
		return found, err
	}
	if e.says(v, e.None) != "" || e.JSON != nil {
		return nil, nil
	}
	if word := e.says(v, append(e.Blocked, captchas...)); word != "" {
		return nil, e.captcha(word)
	}
	return nil, errNothing
}

// says answers the first of some words that stands in an answer, or in the address it came from.
func (e *Engine) says(v *probe.Answer, words []string) string {
	body := bytes.ToLower(v.Body[:min(len(v.Body), 256<<10)])
	for _, w := range words {
		if bytes.Contains(body, []byte(strings.ToLower(w))) || strings.Contains(v.FinalURL, w) {
			return w
		}
	}
	return ""
}

func (e *Engine) captcha(word string) error {
	return &Refusal{e.Name, fmt.Sprintf("it wants to see a person (its answer says %q)", word),
		"ask less, wait a day, or use an engine with an interface for programs such as SearXNG"}
}

// refusal tells an answer that is none.
func (e *Engine) refusal(v *probe.Answer) error {
	cure := "look at it in a browser"
	switch {
	case errors.Is(v.Err, probe.ErrRobots):
		return &Refusal{e.Name, "its robots.txt keeps programs out of its results",
			"use an engine with an interface for programs such as SearXNG; with the engine's leave, a copy of its description with robots: ignore"}
	case errors.Is(v.Err, probe.ErrWall):
		return e.captcha(strings.TrimPrefix(v.Err.Error(), probe.ErrWall.Error()+": "))
	case v.Status == http.StatusTooManyRequests:
		return &Refusal{e.Name, "it has had too many questions (429)" + later(v), "wait, and ask less with --queries"}
	case v.Status == http.StatusForbidden && e.JSON != nil:
		return &Refusal{e.Name, "it refuses (403)", "an instance of SearXNG answers programs only where its settings.yml says search: formats: [html, json]; others want a key in headers"}
	case v.Status == http.StatusForbidden || v.Status == http.StatusUnauthorized:
		return &Refusal{e.Name, "it refuses (" + strconv.Itoa(v.Status) + ")", "it may want a key, or people only: " + cure}
	case v.Err != nil && e.says(v, e.Blocked) != "":
		return e.captcha(e.says(v, e.Blocked))
	case errors.Is(v.Err, wire.ErrPrivate):
		return &Refusal{e.Name, "not a public address", "where it is one of yours, name its host in the crawl file: fetch: {private: [127.0.0.1]}"}
	case v.Err != nil:
		cure := ""
		if page.Later(v.Status) {
			cure = "ask again later"
		}
		return &Refusal{e.Name, "it cannot be asked: " + bare(v.Err).Error() + later(v), cure}
	case len(bytes.TrimSpace(v.Body)) == 0:
		return &Refusal{e.Name, "its answer is empty", cure + ", and compare address in its description"}
	case e.redirectedAway(v) && e.says(v, append(e.Blocked, captchas...)) != "":
		return e.captcha(e.says(v, append(e.Blocked, captchas...)))
	}
	return nil
}

// later is when an answer says to come again, for a message.
func later(v *probe.Answer) string {
	if after := v.Header.Get("Retry-After"); after != "" {
		return fmt.Sprintf(", and says Retry-After: %.40s", after)
	}
	return ""
}

// bare is an error without the address, which may hold a key.
func bare(err error) error {
	var with *url.Error
	if errors.As(err, &with) {
		return with.Err
	}
	return err
}

// shown is an address of an answer as a message may show it: as the description has it, where that holds a key.
func (e *Engine) shown(address string) string {
	if variables.MatchString(e.Address) {
		return e.Address
	}
	return address
}

// redirectedAway tells that the answer came from elsewhere.
func (e *Engine) redirectedAway(v *probe.Answer) bool { return v.FinalURL != v.Request.URL }

// fromHTML reads a page of results by its selectors.
func (e *Engine) fromHTML(v *probe.Answer) ([]Result, error) {
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(v.Body))
	if err != nil {
		return nil, &Refusal{e.Name, "its answer cannot be read: " + err.Error(), ""}
	}
	base, err := url.Parse(v.FinalURL)
	if err != nil {
		return nil, err
	}
	var found []Result
	matched := 0
	doc.Find(e.HTML.Result).Each(func(_ int, s *goquery.Selection) {
		matched++
		link := s
		if e.HTML.Link != "" {
			link = s.Find(e.HTML.Link).First()
		}
		written, ok := link.Attr(e.HTML.Attribute)
		if to := e.resolve(base, written); ok && to != "" {
			title := link
			if e.HTML.Title != "" {
				title = s.Find(e.HTML.Title).First()
			}
			r := Result{URL: to, Title: page.OneLine(title.Text())}
			if e.HTML.Text != "" {
				r.Text = page.OneLine(s.Find(e.HTML.Text).First().Text())
			}
			found = append(found, r)
		}
	})
	if matched > 0 && len(found) == 0 {
		return nil, &Refusal{e.Name, fmt.Sprintf("%d results were found by %q, and none has an address in %q (attribute %s)", matched, e.HTML.Result, e.HTML.Link, e.HTML.Attribute),
			"its page has changed: compare link and attribute in " + e.place()}
	}
	return found, nil
}

// place is where the description can be changed.
func (e *Engine) place() string {
	if e.source == "" || strings.HasPrefix(e.source, "built in: ") {
		return "a copy of configs/engines/" + e.Name + ".yaml"
	}
	return e.source
}

// resolve is the address of a result: whole, and not the one that leads through the engine.
func (e *Engine) resolve(base *url.URL, written string) string {
	u, err := base.Parse(strings.TrimSpace(written))
	if err != nil {
		return ""
	}
	for _, name := range e.HTML.Unwrap {
		inner, err := url.Parse(u.Query().Get(name))
		if err == nil && inner.Host != "" && strings.EqualFold(u.Host, base.Host) {
			u = inner
		}
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	u.Fragment = ""
	return u.String()
}

// fromLinks takes every link that leads elsewhere as a result, menus and advertisements left out.
func (e *Engine) fromLinks(v *probe.Answer) []Result {
	if v.Page == nil {
		return nil
	}
	var found []Result
	own := family(page.Host(v.FinalURL))
	for i := range v.Page.Links {
		l := &v.Page.Links[i]
		kind := v.Page.Blocks[l.Block].Kind
		if family(l.Host) == own || l.Source != page.A || kind == page.Navigation || kind == page.Advertisement || l.Rel&page.Sponsored != 0 {
			continue
		}
		found = append(found, Result{URL: l.URL, Title: l.Anchor, Text: l.After})
	}
	return found
}

// fromFeed takes the items of a feed.
func (e *Engine) fromFeed(v *probe.Answer) ([]Result, error) {
	at, err := url.Parse(v.FinalURL)
	if err != nil {
		return nil, err
	}
	items, err := sitemap.ParseFeed(v.Body, at)
	if err != nil && len(items) == 0 {
		return nil, &Refusal{e.Name, "its answer is no feed: " + err.Error(), "its description says type=\"application/rss+xml\" or atom: look at it in a browser"}
	}
	var found []Result
	for _, f := range items {
		found = append(found, Result{URL: f.URL, Title: f.Anchor, Text: f.After})
	}
	return found, nil
}

// fromJSON takes the results out of an object.
func (e *Engine) fromJSON(body []byte) ([]Result, error) {
	var whole any
	if err := json.Unmarshal(body, &whole); err != nil {
		begins := page.OneLine(string(body[:min(len(body), 40)]))
		return nil, &Refusal{e.Name, fmt.Sprintf("its answer is no JSON (%v): it begins with %q", err, begins),
			"an instance of SearXNG answers in JSON only where its settings.yml says search: formats: [html, json]"}
	}
	list, ok := under(whole, e.JSON.Results).([]any)
	if !ok {
		return nil, &Refusal{e.Name, fmt.Sprintf("its answer has no list at %q%s", e.JSON.Results, keysOf(whole)), "compare json: results in " + e.place()}
	}
	var found []Result
	for _, item := range list {
		link, _ := under(item, e.JSON.Link).(string)
		u, err := url.Parse(link)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			continue
		}
		title, _ := under(item, e.JSON.Title).(string)
		text, _ := under(item, e.JSON.Text).(string)
		found = append(found, Result{link, page.OneLine(title), page.OneLine(text)})
	}
	if len(list) > 0 && len(found) == 0 {
		return nil, &Refusal{e.Name, fmt.Sprintf("its answer has %d results, and none has an address at %q", len(list), e.JSON.Link), "compare json: link in " + e.place()}
	}
	return found, nil
}

// under is what stands in an object below some keys with dots between them; a number counts into a list.
func under(v any, path string) any {
	if path == "" {
		return v
	}
	for _, key := range strings.Split(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

// keysOf names the keys of an object, to compare with.
func keysOf(v any) string {
	object, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	names := slices.Sorted(maps.Keys(object))
	return "; its keys are " + strings.Join(names[:min(len(names), 12)], ", ")
}
