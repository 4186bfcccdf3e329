package crawlfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Load reads a crawl file. What counts is, from the least to the most: the defaults, the file, the environment
// (THRESHER_BUDGET_PAGES=100), the overrides. All mistakes are told at once, in an error that strict.Problems takes apart.
func Load(file string, overrides ...Override) (Config, error) {
	text, err := ReadText(file)
	if err != nil {
		return Config{}, Unreadable(file, err)
	}
	return read(file, text, overrides)
}

// ReadText reads a file that a person wrote, as far as package strict will read it: what is named by mistake may be a
// device, or a film.
func ReadText(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: file, Err: errFolder}
	}
	return io.ReadAll(io.LimitReader(f, strict.MaxBytes+1))
}

// errFolder is what is wrong with a folder in the place of a file.
var errFolder = errors.New("is a folder, want a file")

// Unreadable is the error of a crawl file that cannot be read, as Load has it.
func Unreadable(file string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	want := err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		want = "there is no such file; start from one of those in configs/"
	}
	if in := filepath.Join(file, "crawl.yaml"); errors.Is(err, errFolder) && isFile(in) { // the folder of a run
		want += ", such as " + in
	}
	return strict.Err([]strict.Problem{{File: file, Want: want}})
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

func read(file string, text []byte, overrides []Override) (Config, error) {
	c := Default()
	c.File = file
	n, err := strict.Parse(file, text)
	if err != nil {
		return Config{}, err
	}
	if k := n.Kind(); k != strict.Map && k != strict.Null {
		return Config{}, strict.Err(n.Decode(&c))
	}
	c.source = n
	problems := n.Decode(&c)
	c.fromHere()
	problems = append(problems, c.lay(overrides)...)
	if c.Name == "" {
		c.Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	problems = append(problems, c.fromWeb()...)
	problems = append(problems, c.secrets()...)
	if c.Store == "" {
		c.Store = filepath.Join("runs", c.Name)
	}
	strategy, wrong := c.strategy(c.Factors)
	wrong = append(wrong, c.selects(strategy)...)
	problems = append(problems, untold(problems, append(c.check(strategy), wrong...))...)
	if err := strict.Err(problems); err != nil {
		return Config{}, err
	}
	return c, nil
}

// untold are the problems at places where, or below which, nothing was found wrong before.
func untold(before, problems []strict.Problem) []strict.Problem {
	return slices.DeleteFunc(problems, func(p strict.Problem) bool {
		return slices.ContainsFunc(before, func(b strict.Problem) bool {
			rest, below := strings.CutPrefix(b.Path, p.Path)
			return below && p.Path != "" && (rest == "" || rest[0] == '.' || rest[0] == '[')
		})
	})
}

// fromHere makes the paths that stand in the file relative to where the program runs.
func (c *Config) fromHere() {
	for _, p := range c.paths() {
		if *p != "" && !filepath.IsAbs(*p) {
			*p = filepath.Join(filepath.Dir(c.File), *p)
		}
	}
	if p := c.Strategy.named(); isPath(p) && !filepath.IsAbs(p) {
		if p = filepath.Join(filepath.Dir(c.File), p); !isPath(p) {
			p = "./" + p // still a path
		}
		c.Strategy.rename(p)
	}
}

// paths are the paths a crawl file may hold. The run folder is none of them: it is relative to where the program runs.
func (c *Config) paths() []*string {
	paths := []*string{&c.Web, &c.Fetch.Since, &c.Topic.Model, &c.Topic.Corpus.Relevant, &c.Topic.Corpus.Other, &c.Text.UserDict}
	paths = append(paths, c.Fetch.AccessConfig.paths()...)
	if c.Learn.From != ColdStart {
		paths = append(paths, &c.Learn.From)
	}
	for i := range c.Topic.Examples {
		if !IsAddress(c.Topic.Examples[i]) {
			paths = append(paths, &c.Topic.Examples[i])
		}
	}
	for i, e := range c.Engines {
		if isPath(e) && !strings.Contains(e, "=") && !IsAddress(e) {
			paths = append(paths, &c.Engines[i])
		}
	}
	return paths
}

// fromWeb takes start pages, terms and language from a topic of the recorded web.
func (c *Config) fromWeb() []strict.Problem {
	switch {
	case c.WebTopic == "":
		return nil
	case c.Web == "":
		return []strict.Problem{c.At("web_topic", "is a topic of a recorded web, and web is not given")}
	case c.missing(c.Web) != "":
		return nil // told by check
	}
	w, err := replay.Describes(c.Web) // its pages are read once, by the crawl
	if err != nil {
		return []strict.Problem{c.At("web", "%v", err)}
	}
	t, ok := w.Topic(c.WebTopic)
	if !ok {
		return []strict.Problem{c.At("web_topic", "%s", UnknownTopic(w.Topics, c.WebTopic))}
	}
	said := *c
	c.Seeds = t.Seeds
	c.Topic.Language = "auto"
	if l := w.Language; l == "zh" || l == "en" {
		c.Topic.Language = topic.Language(l)
	}
	c.Topic.About, c.Topic.Examples, c.Topic.Terms = "", nil, nil
	for _, word := range t.Terms {
		c.Topic.Terms = append(c.Topic.Terms, TermConfig{Term: word, Weight: 1})
	}
	if _, instead := c.given["web_topic"]; !instead {
		c.unheard = slices.DeleteFunc([]string{"seeds", "topic.language", "topic.about", "topic.terms", "topic.examples"}, func(key string) bool {
			own := strict.Value(said, key)
			return own == strict.Value(Default(), key) || own == strict.Value(*c, key)
		})
	}
	return nil
}

// UnknownTopic says that a web has no topic of that name, and which it has.
func UnknownTopic(topics []replay.Topic, name string) string {
	var known []string
	for _, t := range topics {
		known = append(known, t.Name)
	}
	if len(known) == 0 {
		return fmt.Sprintf("is %q, and the web has no topics (web.yaml)", name)
	}
	if near := strict.Nearest(name, known); near != "" {
		return fmt.Sprintf("unknown topic %q; did you mean %q? The web has %s", name, near, strings.Join(known, ", "))
	}
	return fmt.Sprintf("unknown topic %q; the web has %s", name, strings.Join(known, ", "))
}

// At is a problem at a key: at its place in the crawl file, or at what gave it instead.
func (c *Config) At(path, format string, args ...any) strict.Problem {
	for key, _, _ := strings.Cut(path, "["); key != ""; key = key[:max(strings.LastIndexByte(key, '.'), 0)] {
		if from, ok := c.given[key]; ok { // the key, or all that it is a part of
			return strict.Problem{File: from, Path: path, Want: fmt.Sprintf(format, args...)}
		}
	}
	p := c.source.Below(path, fmt.Sprintf(format, args...))
	p.File = c.File
	return p
}

// YAML is the crawl file as it counts: every key, with defaults, environment and overrides in it. It is a crawl file
// again that says the same, wherever it is put: paths are absolute in it, but for the run folder's. It is put into run folders,
// on Redis and on screens, so that of a Redis and of a rendering service it does not say how one gets in.
func (c Config) YAML() []byte {
	c.Store, c.Fetch.Render = withoutPasswords(c.Store), withoutPasswords(c.Fetch.Render)
	name := ""
	if s, err := c.LoadStrategy(c.Factors); err == nil {
		name, c = s.Name, c.Judged(s)
	}
	c.Topic.Examples, c.Engines, c.Fetch.Logins = slices.Clone(c.Topic.Examples), slices.Clone(c.Engines), slices.Clone(c.Fetch.Logins)
	for _, p := range c.paths() {
		*p = absolute(*p)
	}
	c.Strategy = c.settled(name)
	return strict.Encode(c)
}

// withoutPasswords is the address of a service, such as a Redis, without name, passwords and tokens. All else stays as it is.
func withoutPasswords(store string) string {
	plain, _, _, _ := page.Login(store)
	address, parameters, any := strings.Cut(plain, "?")
	if !any || !strings.Contains(address, "://") {
		return plain
	}
	kept := slices.DeleteFunc(strings.Split(parameters, "&"), func(p string) bool {
		key, _, _ := strings.Cut(p, "=")
		return secretParameter.MatchString(key)
	})
	return strings.TrimSuffix(address+"?"+strings.Join(kept, "&"), "?")
}

var secretParameter = regexp.MustCompile(`(?i)(?:password|token|secret|api-?_?key)$`)

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil && path != "" {
		return abs
	}
	return path
}
