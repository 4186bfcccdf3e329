package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// Description is a web.yaml: what a web says of itself.
type Description struct {
	Name       string  `yaml:"name" doc:"what the web is called"`
	Language   string  `yaml:"language,omitempty" doc:"zh, en, or zh en for a web of both"`
	Unlabelled string  `yaml:"unlabelled,omitempty" doc:"what a page is that has no line in labels.tsv: other, as where nothing is said, or unknown, which is in no figure" check:"other|unknown"`
	Topics     []Topic `yaml:"topics" doc:"the topics to measure"`
}

// Unknown is what pages are of which nobody has said anything, where a web has labels for some.
const Unknown = "unknown"

// YAML is the web.yaml.
func (d *Description) YAML() []byte { return strict.Encode(*d) }

// Topic is one topic of a web.yaml.
type Topic struct {
	Name         string   `yaml:"name" doc:"what the topic is called"`
	Seeds        []string `yaml:"seeds" doc:"the start pages"`
	Scope        string   `yaml:"scope,omitempty" doc:"a regular expression on label lines; empty means everything"`
	Relevant     string   `yaml:"relevant" doc:"which label lines are relevant"`
	ExamplesFrom string   `yaml:"examples_from,omitempty" doc:"which label lines examples are drawn from; empty means the relevant ones"`
	Terms        []string `yaml:"terms" doc:"the terms a sensible user would write"`
}

// Check finds what no type can say: expressions that do not compile, seeds that are no addresses.
func (t *Topic) Check(wrong func(key, want string)) {
	for _, e := range []struct{ key, text string }{{"scope", t.Scope}, {"relevant", t.Relevant}, {"examples_from", t.ExamplesFrom}} {
		if _, err := regexp.Compile(e.text); err != nil {
			wrong(e.key, fmt.Sprintf("is no regular expression: %v", err))
		}
	}
	if t.Name == "" {
		wrong("name", "is missing: a topic is asked for by its name")
	}
	for i, s := range t.Seeds {
		if u, err := url.Parse(s); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			wrong(fmt.Sprintf("seeds[%d]", i), fmt.Sprintf("is %q, want an address like http://a.example/", s))
		}
	}
}

// Describes is what a web says of itself, read without its pages. A web without web.yaml says nothing.
func Describes(path string) (Description, error) {
	var d Description
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return d, err
	}
	return d, d.read(filepath.Join(path, "web.yaml"))
}

// Topic answers the topic of that name.
func (d *Description) Topic(name string) (Topic, bool) {
	for _, t := range d.Topics {
		if t.Name == name {
			return t, true
		}
	}
	return Topic{}, false
}

// read reads a web.yaml; a file that is not there leaves the description empty.
func (d *Description) read(name string) error {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return strict.Decode(name, text, d)
}

// readLabels reads a list of labels, which a person may have written: lines that begin with # are none. One that is not there holds none.
func readLabels(name string, into map[string]string) error {
	raw, err := readIfThere(name)
	if err != nil {
		return err
	}
	list, err := strict.Listed(name, raw)
	if err != nil {
		return err
	}
	return pairs(name, list, into)
}

// readPairs reads a file of lines that part at their first tab; one that is not there holds none.
func readPairs(name string, into map[string]string) error {
	raw, err := readIfThere(name)
	if err != nil {
		return err
	}
	return pairs(name, strict.Lines(string(raw)), into)
}

// pairs reads lines that part at their first tab. Of a name that stands twice the first line counts.
func pairs(name string, lines iter.Seq2[int, string], into map[string]string) error {
	for number, line := range lines {
		key, value, ok := strings.Cut(line, "\t")
		if !ok {
			return fmt.Errorf("%s:%d: %.60q has no tab: want an address, a tab and the rest", name, number, line)
		}
		if _, twice := into[key]; !twice {
			into[key] = value
		}
	}
	return nil
}

func readIfThere(name string) ([]byte, error) {
	raw, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return raw, err
}
