package seek

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/cascadia"

	"github.com/thresher-crawler/thresher/configs"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// Engine is a search engine as its description tells of it: how it is asked, and where in its answers the results stand.
type Engine struct {
	Name    string            `yaml:"name" doc:"what it is called; the file's name where it is left out"`
	About   string            `yaml:"about,omitempty" doc:"what it is"`
	Address string            `yaml:"address" doc:"where it is asked: {query}, and {page} or {start} for further pages; ${NAME} is taken from the environment"`
	First   int               `yaml:"first" doc:"the number of the first page, or of the first result" check:"0..1"`
	PerPage int               `yaml:"per_page" doc:"results on a page, by which {start} counts" check:"1..1000"`
	Pages   int               `yaml:"pages" doc:"pages of results that are read for one query at most" check:"1..20"`
	Robots  string            `yaml:"robots" doc:"obey: its robots.txt is asked, as for any page; ignore: it is an interface for programs, or you have leave" check:"obey|ignore"`
	Headers map[string]string `yaml:"headers,omitempty" doc:"sent along; ${NAME} is taken from the environment"`
	HTML    *HTML             `yaml:"html,omitempty" doc:"the answer is a page: where the results stand on it"`
	JSON    *JSON             `yaml:"json,omitempty" doc:"the answer is JSON: where the results stand in it"`
	Feed    bool              `yaml:"feed,omitempty" doc:"the answer is a feed: its items are the results"`
	Blocked []string          `yaml:"blocked,omitempty" doc:"words in an answer, or in the address it leads to, that tell a captcha"`
	None    []string          `yaml:"none,omitempty" doc:"words in an answer that tell that nothing was found"`

	source string // where the description stands
}

// HTML says where results stand on a page. Selectors are those of CSS.
type HTML struct {
	Result    string   `yaml:"result" doc:"the selector of one result; without it all links that lead elsewhere are results"`
	Link      string   `yaml:"link" doc:"the selector of the link in a result; the result itself where it is left out"`
	Attribute string   `yaml:"attribute" doc:"the attribute that holds the address; href where it is left out"`
	Title     string   `yaml:"title" doc:"the selector of the title in a result; the link where it is left out"`
	Text      string   `yaml:"text" doc:"the selector of the text in a result"`
	Unwrap    []string `yaml:"unwrap" doc:"parameters of the address that hold the real one, where links lead through the engine"`
}

// JSON says where results stand in an object: keys, with dots between them.
type JSON struct {
	Results string `yaml:"results" doc:"the list of results, such as web.results; the whole answer where it is left out"`
	Link    string `yaml:"link" doc:"the address in a result; url where it is left out"`
	Title   string `yaml:"title" doc:"the title in a result; title where it is left out"`
	Text    string `yaml:"text" doc:"the text in a result"`
}

// SetDefaults is what counts where a description says nothing.
func (e *Engine) SetDefaults() { e.PerPage, e.Pages, e.Robots = 10, 1, "obey" }

// settle fills in what a part of the description does not say.
func (e *Engine) settle() {
	if e.HTML != nil && e.HTML.Attribute == "" {
		e.HTML.Attribute = "href"
	}
	if e.JSON != nil {
		e.JSON.Link, e.JSON.Title = cmp.Or(e.JSON.Link, "url"), cmp.Or(e.JSON.Title, "title")
	}
}

// Check tells what no tag can say.
func (e *Engine) Check(wrong func(key, want string)) {
	u, err := url.Parse(placeholders.Replace(e.Address))
	switch {
	case e.Address == "":
		wrong("address", "is not given; want an address such as https://search.example.org/?q={query}")
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		wrong("address", fmt.Sprintf("is %q, want a whole address that begins with http:// or https://", e.Address))
	case !strings.Contains(e.Address, "{query}"):
		wrong("address", "has no {query}: the place where the words go")
	}
	for _, unknown := range braces.FindAllString(variables.ReplaceAllString(e.Address, ""), -1) {
		if !slices.Contains([]string{"{query}", "{page}", "{start}"}, unknown) {
			wrong("address", fmt.Sprintf("has %s; known are {query}, {page} and {start}", unknown))
		}
	}
	ways := 0
	for _, given := range []bool{e.HTML != nil, e.JSON != nil, e.Feed} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		wrong("", "says in "+strconv.Itoa(ways)+" ways what its answers are; want one of html, json and feed")
	}
}

// Check tells selectors that cannot be read.
func (h *HTML) Check(wrong func(key, want string)) {
	for _, s := range []struct{ key, selector string }{{"result", h.Result}, {"link", h.Link}, {"title", h.Title}, {"text", h.Text}} {
		if s.selector == "" {
			continue
		}
		if _, err := cascadia.ParseGroup(s.selector); err != nil {
			wrong(s.key, fmt.Sprintf("is %q, which is no CSS selector: %v", s.selector, err))
		}
	}
}

var (
	placeholders = strings.NewReplacer("{query}", "q", "{page}", "1", "{start}", "1")
	braces       = regexp.MustCompile(`\{[^}]*\}`)
	variables    = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)
)

// expand puts variables of the environment into a text.
func expand(s string) (string, error) {
	var missing []string
	s = variables.ReplaceAllStringFunc(s, func(v string) string {
		name := v[2 : len(v)-1]
		value, ok := os.LookupEnv(name)
		if !ok {
			missing = append(missing, name)
		}
		return value
	})
	if len(missing) > 0 {
		return "", fmt.Errorf("the environment has no %s; set it: export %s=VALUE", strings.Join(missing, ", "), missing[0])
	}
	return s, nil
}

// ask is the request of one page of results, counted from 0.
func (e *Engine) ask(query string, number int) (probe.Request, error) {
	filled := strings.NewReplacer("{query}", url.QueryEscape(query), "{page}", strconv.Itoa(e.First+number),
		"{start}", strconv.Itoa(e.First+number*e.PerPage))
	parts := variables.FindAllStringIndex(e.Address, -1)
	var address strings.Builder
	at := 0
	for _, p := range append(parts, []int{len(e.Address), len(e.Address)}) {
		address.WriteString(filled.Replace(e.Address[at:p[0]]))
		value, err := expand(e.Address[p[0]:p[1]])
		if err != nil {
			return probe.Request{}, err
		}
		address.WriteString(url.QueryEscape(value))
		at = p[1]
	}
	request := probe.Request{URL: address.String(), Outside: true, Open: e.Robots == "ignore", Promise: -float64(number)}
	for name, value := range e.Headers {
		value, err := expand(value)
		if err != nil {
			return probe.Request{}, err
		}
		if request.Header == nil {
			request.Header = http.Header{}
		}
		request.Header.Set(name, value)
	}
	return request, nil
}

// readEngine reads a description.
func readEngine(file string, text []byte) (*Engine, error) {
	e := &Engine{source: file}
	e.SetDefaults()
	if err := strict.Decode(file, text, e); err != nil {
		return nil, err
	}
	e.settle()
	e.Name = cmp.Or(e.Name, strings.TrimSuffix(path.Base(filepath.ToSlash(file)), path.Ext(file)))
	return e, nil
}

// searxng is an instance of SearXNG. Its JSON is an interface for programs, which is off until its operator turns it on;
// its robots.txt speaks of the pages that people see.
func searxng(address string) (*Engine, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address of a SearXNG instance; write searxng=https://search.example.org", address)
	}
	if !strings.HasSuffix(u.Path, "/search") {
		u.Path = strings.TrimSuffix(u.Path, "/") + "/search"
	}
	return &Engine{Name: "searxng " + u.Host, Address: u.Scheme + "://" + u.Host + u.EscapedPath() + "?q={query}&format=json&pageno={page}",
		First: 1, PerPage: 10, Pages: 5, Robots: "ignore", JSON: &JSON{Results: "results", Link: "url", Title: "title", Text: "content"}}, nil
}

// open finds an engine by the way a crawl file names it. An address is that of an OpenSearch description, which has yet
// to be fetched: the engine is then nil.
func open(name, beside string) (*Engine, error) {
	if address, ok := strings.CutPrefix(name, "searxng="); ok {
		return searxng(address)
	}
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return nil, nil
	}
	var tried []string
	if strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
		tried = []string{name}
	} else {
		tried = []string{filepath.Join(beside, name+".yaml"), filepath.Join("configs", "engines", name+".yaml")}
	}
	for _, file := range tried {
		text, err := os.ReadFile(file)
		if err == nil && describes(file, text) {
			return readEngine(file, text)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	text, err := configs.Engines.ReadFile("engines/" + name + ".yaml")
	if err != nil {
		return nil, unknown(name, len(tried) == 1)
	}
	return readEngine("built in: "+name+".yaml", text)
}

// describes tells the description of an engine from a crawl file or a strategy that happens to have its name. What cannot
// be read counts as one, so that its mistake is seen.
func describes(file string, text []byte) bool {
	n, err := strict.Parse(file, text)
	if err != nil {
		return true
	}
	_, ok := n.Get("address")
	return ok || len(n.Keys()) == 0
}

// NoEngine says which search engine is not there, by its name or as a file.
type NoEngine string

func (e NoEngine) Error() string { return string(e) }

func unknown(name string, isFile bool) error {
	if isFile {
		return NoEngine("there is no such description: " + name)
	}
	message := fmt.Sprintf("unknown search engine %q", name)
	if near := strict.Nearest(name, append(Builtin(), "searxng")); near != "" {
		if near == "searxng" {
			near += "=https://search.example.org" // it has no address of its own
		}
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return NoEngine(message + "; known are " + strings.Join(Builtin(), ", ") + ", searxng=ADDRESS, the path of a description, and the address of an OpenSearch description")
}

// Builtin are the engines whose descriptions the program brings along.
func Builtin() []string {
	entries, _ := configs.Engines.ReadDir("engines") // embedded: it is there
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// CheckEngines tells what is wrong with the engines that a crawl file names, as far as that can be told without asking.
func CheckEngines(config *crawlfile.Config) error {
	var problems []strict.Problem
	for i, name := range config.Engines {
		_, err := open(name, filepath.Dir(config.File))
		if wrong, ok := strict.Problems(err); ok {
			problems = append(problems, wrong...)
		} else if err != nil {
			problems = append(problems, strict.Problem{File: config.File, Path: fmt.Sprintf("engines[%d]", i), Want: err.Error()})
		}
	}
	return strict.Err(problems)
}
