package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/seek"
	"github.com/thresher-crawler/thresher/focus/signing"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
)

func checkCommand() *cobra.Command {
	var o overrides
	var asJSON, keys bool
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check crawl files: what each comes to, and every mistake in it",
		Long: `Check reads crawl files as crawl does and prints each as it counts: with its defaults (--keys has every key), the environment and
the flags in it, and where its strategy was found. What is printed is a crawl file again. Every mistake is told at
once, with its place and its cure. Strategy files are checked too.

Where there are pages to show it by, it shows what the threshold means: those next to it, above and below, of the run in its
folder, of the recorded web (--web), or of the topic's example files and labelled pages; and which terms stand on none of them, or on all.
The pages of a run that was crawled with other terms are judged again by those of the file; of one that was crawled with another
judge, or over another web than --web, they are not shown.

Mistakes and warnings go to stderr. The exit code is 2 if there is a mistake in any of the files.`,
		Example: `  thresher check configs/quickstart.yaml
  thresher check configs/*.yaml --json
  thresher check solar.yaml --web webs/mine
  thresher check solar.yaml --strategy shark --set polite.delay=2s
  thresher check --keys`,
		Args: func(cmd *cobra.Command, args []string) error {
			if keys {
				return noArguments("thresher check --keys")(cmd, args)
			}
			return someArguments("crawl file", "thresher check configs/quickstart.yaml")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			if keys {
				return printKeys(cmd.OutOrStdout(), asJSON)
			}
			var all []checked
			for _, file := range files {
				all = append(all, check(file, o.list(cmd.Flags())))
			}
			if asJSON {
				return checkedJSON(cmd, all)
			}
			return printChecked(cmd, all)
		},
	}
	o.register(cmd.Flags())
	jsonFlag(cmd.Flags(), &asJSON)
	cmd.Flags().BoolVar(&keys, "keys", false, "list all keys of a crawl file, with default and meaning")
	return cmd
}

// checked is what check found out about one file. Its JSON is documented here for those who read check --json.
type checked struct {
	File         string           `json:"file"`
	OK           bool             `json:"ok"`
	Kind         string           `json:"kind"`                     // crawl or strategy
	Name         string           `json:"name,omitempty"`           // what the crawl, or the strategy, is called
	Strategy     string           `json:"strategy,omitempty"`       // of a crawl: its strategy's name,
	Source       string           `json:"source,omitempty"`         // and where that was found
	TopicIsSeeds bool             `json:"topic_is_seeds,omitempty"` // its start pages are what says what it looks for
	Effective    string           `json:"effective,omitempty"`      // the file as it counts
	About        []topic.Term     `json:"about,omitempty"`          // the terms that its sentence gives
	Cut          *shownCut        `json:"cut,omitempty"`            // what its threshold means; where there are pages to show it by
	Problems     []strict.Problem `json:"problems"`                 // what is wrong; empty if ok
	Warnings     []strict.Problem `json:"warnings"`                 // what may not be meant
}

// check checks one file.
func check(file string, overrides []crawlfile.Override) checked {
	c := checked{File: file, Kind: "crawl", Problems: []strict.Problem{}, Warnings: []strict.Problem{}}
	text, err := crawlfile.ReadText(file) // once: of a pipe nothing is there a second time
	if err != nil {
		return c.wrong(crawlfile.Unreadable(file, err))
	}
	if crawlfile.IsStrategy(file, text) {
		return checkStrategy(file, text)
	}
	config, err := crawlfile.Read(file, text, overrides...)
	if err != nil {
		return c.wrong(err)
	}
	strategy, err := config.LoadStrategy(nil)
	if err != nil {
		return c.wrong(err)
	}
	if err := saysNothing(&config); err != nil {
		return c.wrong(err)
	}
	if err := seek.CheckEngines(&config); err != nil {
		return c.wrong(err)
	}
	if err := readsKey(&config); err != nil {
		return c.wrong(err)
	}
	flaws, err := study.Flaws(&config, strategy)
	if err != nil {
		return c.wrong(err)
	}
	if c.TopicIsSeeds = config.TopicIsSeeds(strategy); c.TopicIsSeeds && !topic.TraitsOf(string(config.Judged(strategy).Topic.Judge)).Pages {
		return c.wrong(strict.Err([]strict.Problem{config.At("topic", "%v", topic.ErrNothing)}))
	}
	c.OK, c.Name, c.Strategy, c.Source = true, config.Name, strategy.Name, strategy.Source
	c.Effective = string(config.YAML())
	c.About = sentenceTerms(&config)
	c.Cut = cutOf(&config, strategy)
	c.Warnings = append(append(c.Warnings, config.Warnings(strategy)...), flaws...)
	if wantsWords(&config) {
		c.Warnings = append(c.Warnings, config.At("topic", "%s; when a crawl is over, thresher suggest names some", poorJudge))
	}
	return c
}

// readsKey says what a crawl will say of a key that cannot be read.
func readsKey(config *focus.Config) error {
	f := &config.Fetch
	if f.Key == "" || !config.Live() {
		return nil
	}
	if _, err := signing.Open(f.Key, f.Agent); err != nil {
		return strict.Err([]strict.Problem{config.At("fetch.key", "%v", err)})
	}
	return nil
}

// saysNothing is what a crawl refuses of the words of a topic when it makes the topic: that all of them are stop words.
func saysNothing(config *focus.Config) error {
	spec := config.Spec()
	if len(spec.Terms) == 0 && spec.About == "" {
		return nil // pages or a model tell it
	}
	if _, err := topic.New(topic.Spec{Language: spec.Language, Terms: spec.Terms, About: spec.About, UserDict: spec.UserDict}); err != nil {
		return strict.Err([]strict.Problem{config.At("topic", "%v", err)})
	}
	return nil
}

// sentenceTerms are the terms that are taken from the sentence of a topic, with what they weigh beside those that it states.
func sentenceTerms(config *focus.Config) []topic.Term {
	spec := config.Spec()
	about, err := topic.AboutTerms(&spec)
	if err != nil {
		return nil // it was checked before
	}
	return about
}

func checkStrategy(file string, text []byte) checked {
	c := checked{File: file, Kind: "strategy", Problems: []strict.Problem{}, Warnings: []strict.Problem{}}
	s, err := crawlfile.ReadStrategy(file, text)
	if err != nil {
		return c.wrong(err)
	}
	c.OK, c.Name, c.Effective = true, s.Name, string(s.YAML())
	return c
}

func (c checked) wrong(err error) checked {
	problems, ok := strict.Problems(err)
	if !ok {
		problems = []strict.Problem{{File: c.File, Want: err.Error()}}
	}
	c.Problems = problems
	return c
}

// mistakes are the mistakes of all files, as an error; nil where there is none.
func mistakes(all []checked) error {
	var problems []strict.Problem
	for _, c := range all {
		problems = append(problems, c.Problems...)
	}
	return strict.Err(problems)
}

func printChecked(cmd *cobra.Command, all []checked) error {
	out, errs := cmd.OutOrStdout(), cmd.ErrOrStderr()
	printed := 0
	for _, c := range all {
		for _, w := range c.Warnings {
			fmt.Fprintf(errs, "warning: %s\n", w)
		}
		if !c.OK {
			continue
		}
		if printed++; printed > 1 {
			fmt.Fprintln(out, "---")
		}
		fmt.Fprintf(out, "# %s\n", c.File)
		if c.Kind == "crawl" {
			fmt.Fprintf(out, "# strategy %s, from %s\n", c.Strategy, c.Source)
		}
		if c.TopicIsSeeds {
			fmt.Fprintln(out, "# "+topicIsSeeds)
		}
		if len(c.About) > 0 {
			fmt.Fprintf(out, "# terms of the sentence: %s\n", joined(c.About))
		}
		c.Cut.print(out, "# ")
		fmt.Fprint(out, c.Effective)
	}
	return mistakes(all)
}

func checkedJSON(cmd *cobra.Command, all []checked) error {
	err := mistakes(all)
	object := struct {
		OK    bool      `json:"ok"`
		Files []checked `json:"files"`
	}{err == nil, all}
	if encodeErr := jsonTo(cmd.OutOrStdout()).Encode(object); encodeErr != nil {
		return encodeErr
	}
	return err
}

// keyObject is one key of the crawl file as check --keys --json prints it.
type keyObject struct {
	Key         string `json:"key"`
	Type        string `json:"type"`
	Default     string `json:"default,omitempty"` // as it would be written
	Allowed     string `json:"allowed,omitempty"`
	Meaning     string `json:"meaning"`
	Environment string `json:"environment,omitempty"` // the variable that overrides it
}

func printKeys(out io.Writer, asJSON bool) error {
	keys := crawlfile.Keys()
	if asJSON {
		objects := make([]keyObject, len(keys))
		for i, k := range keys {
			objects[i] = keyObject{k.Path, k.Type, k.Default, k.Allowed, k.Doc, k.Environment}
		}
		return jsonTo(out).Encode(map[string]any{"keys": objects})
	}
	for _, k := range keys {
		line := k.Path + ":"
		if k.Default != "" {
			line += " " + k.Default
		}
		fmt.Fprintln(out, line)
		facts := []string{k.Doc}
		switch {
		case k.Allowed != "":
			facts = append(facts, "["+k.Allowed+"]")
		case !k.Group:
			facts = append(facts, "["+k.Type+"]")
		}
		fmt.Fprintf(out, "    %s\n", strings.Join(facts, " "))
	}
	return nil
}
