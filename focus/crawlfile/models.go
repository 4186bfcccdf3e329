package crawlfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// maxModelFile bounds how much of a model's file is read: what is named by mistake may be a film.
const maxModelFile = 256 << 20

// openModel opens the model of a factor: the file that its parameters name, relative to the file they stand in, or else
// the one the program gave for the factor.
func (c *Config) openModel(factor, file, in string) (path string, content []byte, err error) {
	switch {
	case file == "" && c.Models[factor] == "":
		return "", nil, nil
	case file == "":
		file = c.Models[factor]
	case !filepath.IsAbs(file):
		file = filepath.Join(filepath.Dir(in), file)
	}
	content, err = readModel(file)
	return absolute(file), content, err
}

func readModel(file string) ([]byte, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such file; thresher train makes one, and its path is relative to the file it is named in", file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, errors.Unwrap(err))
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: %w", file, errFolder)
	}
	content, err := io.ReadAll(io.LimitReader(f, maxModelFile+1))
	if err == nil && len(content) > maxModelFile {
		err = fmt.Errorf("%s: is larger than %d MB; no model is", file, maxModelFile>>20)
	}
	return content, err
}

// factors are what a strategy of the crawl may use, with the means to open models.
func (c *Config) factors(r *rank.Registry) *rank.Registry {
	if r == nil {
		r = rank.Factors
	}
	return r.Opening(c.openModel)
}

// ReadStrategy reads a strategy file that no crawl file names; its models, and what it is made from, are looked for relative to it.
func ReadStrategy(file string, text []byte) (*rank.Strategy, error) {
	n, err := strict.Parse(file, text)
	if err != nil {
		return nil, err
	}
	n, problems := madeFrom(n.Rename("strategy"), []string{file})
	if err := strict.Err(problems); err != nil {
		return nil, err
	}
	s, problems := rank.Read(n, (&Config{}).factors(nil))
	return s, strict.Err(problems)
}

// untrained warns of a strategy without the model it needs: the crawl will be refused.
func (k *checker) untrained(s *rank.Strategy) {
	if s != nil && len(s.Untrained()) > 0 {
		k.Wrong("strategy", "%s", Untrained(s))
	}
}

// Untrained says what a strategy lacks that needs a model and has none, and how to get it; it is empty where nothing is
// missing.
func Untrained(s *rank.Strategy) string {
	names := s.Untrained()
	if len(names) == 0 {
		return ""
	}
	how := map[string]string{"layers": "layers", "context-graph": "context"}[names[0]]
	return fmt.Sprintf("%s has no model for %s; make one with `thresher train %s --web DIR:TOPIC --out FILE` and name it: strategy: {from: %s, rank: {use: %s, with: {model: FILE}}}",
		s.Name, strings.Join(names, ", "), how, s.Name, names[0])
}

// TrainedStrategy reads the strategy of the crawl, and refuses one that lacks a model: no crawl can begin with it.
func (c *Config) TrainedStrategy() (*rank.Strategy, error) {
	s, err := c.LoadStrategy(c.Factors)
	if err != nil {
		return nil, err
	}
	if lacks := Untrained(s); lacks != "" {
		return nil, strict.Err([]strict.Problem{c.At("strategy", "%s", lacks)})
	}
	return s, nil
}

// modelsFromHere makes the models that a strategy in place names independent of where the crawl file stands.
func modelsFromHere(n strict.Node) strict.Node {
	return n.Rewrite(func(key string, v strict.Node) string {
		if key != "model" || v.Text() == "" || filepath.IsAbs(v.Text()) {
			return v.Text()
		}
		return absolute(filepath.Join(filepath.Dir(v.File()), v.Text()))
	})
}
