package crawlfile

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/configs"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// StrategyConfig is a strategy as a crawl file gives it: by name, by the path of its file, or in place. What is written
// in place may say `from: NAME`, or a path, and change parts of that strategy only:
//
//	strategy: {from: shark, select: fifo}
type StrategyConfig struct {
	Name string      // a name or a path; empty for a strategy in place
	Here strict.Node // the strategy in place
}

// DecodeNode reads a name, a path, or the strategy itself.
func (s *StrategyConfig) DecodeNode(n strict.Node) []strict.Problem {
	*s = StrategyConfig{}
	switch n.Kind() {
	case strict.Map:
		s.Here = n
		return nil
	case strict.List:
		return []strict.Problem{n.Problem("is a list, want a strategy's name, the path of its file, or the strategy itself")}
	}
	return n.Decode(&s.Name)
}

// EncodeNode is what is written for it.
func (s StrategyConfig) EncodeNode() any {
	if s.Here.Kind() == strict.Map {
		return s.Here
	}
	return s.Name
}

// named is the name or path it has, or is made from; empty where it stands alone.
func (s *StrategyConfig) named() string {
	from, _ := s.Here.Get("from")
	return s.Name + from.Text()
}

// rename gives it another name or path.
func (s *StrategyConfig) rename(to string) {
	if s.Here.Kind() == strict.Map {
		s.Here = s.Here.With("from", to)
		return
	}
	s.Name = to
}

// isPath tells a path from a name.
func isPath(strategy string) bool {
	return strings.ContainsAny(strategy, `/\`) || strings.HasSuffix(strategy, ".yaml") || strings.HasSuffix(strategy, ".yml")
}

// LoadStrategy reads the strategy of the crawl. A nil registry is rank.Factors. A name is looked up beside the crawl
// file, then in ./configs/strategies, then among the strategies the program brings along; Strategy.Source says where it
// was found.
func (c *Config) LoadStrategy(r *rank.Registry) (*rank.Strategy, error) {
	s, problems := c.strategy(r)
	if err := strict.Err(problems); err != nil {
		return nil, err
	}
	return s, nil
}

func (c *Config) strategy(r *rank.Registry) (*rank.Strategy, []strict.Problem) {
	r = c.factors(r)
	here := c.Strategy.Here
	if here.Kind() != strict.Map {
		n, problems := c.strategyFile(c.Strategy.Name, nil, func(want string) strict.Problem { return c.At("strategy", "%s", want) })
		if len(problems) > 0 {
			return nil, problems
		}
		return rank.Read(n, r)
	}
	if from, ok := here.Get("from"); ok {
		base, problems := c.strategyFile(from.Text(), nil, func(want string) strict.Problem { return from.Problem("%s", want) })
		if len(problems) > 0 {
			return nil, problems
		}
		here = here.Without("from").Over(base)
	}
	s, problems := rank.Read(here, r)
	if _, named := here.Get("name"); s != nil && !named && here.File() != c.File && c.Name != "" {
		s.Name = c.Name // what a flag says has no file that it could be called after
	}
	return s, problems
}

// strategyFile finds and parses a strategy's file, and lays it over the one it is made from. at makes a problem at the place where it was
// asked for; asked are the files that led here.
func (c *Config) strategyFile(name string, asked []string, at func(want string) strict.Problem) (strict.Node, []strict.Problem) {
	wrong := func(format string, args ...any) (strict.Node, []strict.Problem) {
		return strict.Node{}, []strict.Problem{at(fmt.Sprintf(format, args...))}
	}
	if name == "" {
		return wrong("is empty; known are %s", strings.Join(c.Strategies(), ", "))
	}
	file, text, err := c.findStrategy(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isPath(name):
		return wrong("no such file: %s", name)
	case errors.Is(err, fs.ErrNotExist):
		known := c.Strategies()
		if near := strict.Nearest(name, known); near != "" {
			return wrong("unknown strategy %q; did you mean %q? Known are %s", name, near, strings.Join(known, ", "))
		}
		return wrong("unknown strategy %q; known are %s", name, strings.Join(known, ", "))
	case errors.Is(err, errFolder):
		return wrong("%s %v", file, errFolder)
	case err != nil:
		return wrong("%v", err)
	case slices.Contains(asked, file):
		return wrong("%s is made from itself; name another strategy here, or give this file another name", file)
	}
	var n strict.Node
	if known, ok := builtIn.Load(file); ok && file == embedded(name) {
		n = known.(strict.Node)
	} else if n, err = strict.Parse(file, text); err == nil && file == embedded(name) {
		builtIn.Store(file, n)
	}
	if problems, ok := strict.Problems(err); ok {
		return strict.Node{}, problems
	}
	return madeFrom(n.Rename("strategy"), append(asked, file))
}

// madeFrom lays what a strategy's file says over the strategy that it is made from, where it names one, by name or by a path beside it.
// What that one is called and claims is not said of this one. Whoever asks for the file, a name is looked up beside it.
func madeFrom(n strict.Node, asked []string) (strict.Node, []strict.Problem) {
	from, ok := n.Get("from")
	if !ok {
		return n, nil
	}
	name := from.Text()
	if isPath(name) && !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(n.File()), name)
	}
	beside := Config{File: n.File()}
	base, problems := beside.strategyFile(name, asked, func(want string) strict.Problem { return from.Problem("%s", want) })
	if len(problems) > 0 {
		return n, problems
	}
	return n.Without("from").Over(base.Without("name").Without("claim")), nil
}

// builtIn are the strategies that the program brings along, by their files, parsed when they were first asked for: a crawl
// asks for its own several times, and compare for all of them.
var builtIn sync.Map

// strategyFolder is where a strategy is looked for when there is none beside the crawl file.
var strategyFolder = filepath.Join("configs", "strategies")

// embedded is how the file of a strategy that the program brings along is called.
func embedded(name string) string { return "built in: " + name + ".yaml" }

// findStrategy reads the file of a strategy.
func (c *Config) findStrategy(name string) (file string, text []byte, err error) {
	if isPath(name) {
		text, err = ReadText(name)
		return name, text, err
	}
	for _, file := range []string{filepath.Join(filepath.Dir(c.File), name+".yaml"), filepath.Join(strategyFolder, name+".yaml")} {
		text, err := ReadText(file)
		if err == nil && noCrawl(file, text) {
			return file, text, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return file, nil, err
		}
	}
	text, err = configs.Strategies.ReadFile(path.Join("strategies", name+".yaml"))
	return embedded(name), text, err
}

// noCrawl tells a strategy's file from a crawl file that happens to have the name. What cannot be read counts as one,
// so that its mistake is seen.
func noCrawl(file string, text []byte) bool {
	n, err := strict.Parse(file, text)
	if err != nil {
		return true
	}
	for _, key := range []string{"topic", "seeds", "strategy"} {
		if _, crawl := n.Get(key); crawl {
			return false
		}
	}
	return true
}

// Strategies are the names that can be given as a strategy, sorted.
func (c *Config) Strategies() []string {
	known := map[string]bool{}
	entries, _ := configs.Strategies.ReadDir("strategies")
	for _, e := range entries {
		known[strings.TrimSuffix(e.Name(), ".yaml")] = true
	}
	beside := filepath.Dir(c.File)
	for _, folder := range []string{beside, strategyFolder} {
		files, err := os.ReadDir(folder)
		if err != nil {
			continue // a folder that is not there has no strategies
		}
		for _, f := range files {
			name, isYAML := strings.CutSuffix(f.Name(), ".yaml")
			if !isYAML || known[name] {
				continue
			}
			if text, err := ReadText(filepath.Join(folder, f.Name())); err == nil && IsStrategy(f.Name(), text) {
				known[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(known))
}

// IsStrategy tells a file that is a strategy from all others: it has a tree, or is made from one that has.
func IsStrategy(file string, text []byte) bool {
	n, err := strict.Parse(file, text)
	if err != nil {
		return false
	}
	_, tree := n.Get("rank")
	_, made := n.Get("from")
	return tree || made && noCrawl(file, text)
}

// settled is the strategy as it is written when the crawl file is put elsewhere: the name of one that is built in, or
// the path of the file it was found in. One that stands in place keeps the name it has, and is not called after the other file.
func (c *Config) settled(name string) StrategyConfig {
	s := c.Strategy
	file, _, err := c.findStrategy(s.named())
	if err == nil && file != embedded(s.named()) {
		s.rename(absolute(file))
	}
	if s.Here.Kind() == strict.Map {
		s.Here = modelsFromHere(s.Here)
		if name != "" {
			called, _ := strict.Parse("", strict.Encode(struct {
				Name string `yaml:"name"`
			}{name}))
			s.Here = s.Here.Over(called)
		}
	}
	return s
}
