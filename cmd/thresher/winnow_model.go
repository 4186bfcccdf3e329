package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/opinion"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// modelFlags say which model is asked for a second opinion.
type modelFlags struct {
	name   string
	embeds bool
	most   int
	model  *opinion.Model
}

const modelExample = "thresher winnow --judge http://127.0.0.1:11434/v1 --model qwen3"

func (f *modelFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.name, "model", "", "the `name` of the model behind the address that --judge gives")
	flags.BoolVar(&f.embeds, "embeddings", false, "ask the model for embeddings, and not for a yes or no with a reason")
	flags.IntVar(&f.most, "most", 100, "ask the model about `N` pages at the most, beside 8 sure ones that it is tried on (24 for embeddings); what it said before costs nothing")
}

// isEndpoint tells an address from a file.
func isEndpoint(judge string) bool { return strings.Contains(judge, "://") }

// check refuses flags that do not go together, and an address that is none.
func (f *modelFlags) check(cmd *cobra.Command, judge string) (err error) {
	if !isEndpoint(judge) {
		for _, name := range []string{"model", "embeddings", "most"} {
			if cmd.Flags().Changed(name) {
				return usageError{fmt.Sprintf("--%s belongs to --judge with the address of a model", name), modelExample}
			}
		}
		if _, err := os.Stat(judge); judge != "" && err != nil {
			return usageError{fmt.Sprintf("--judge %s: there is no such file; want a judge that thresher train judge has made, or the address of a model (http://…)", judge),
				"thresher winnow --judge models/tea.judge"}
		}
		if judge != "" {
			_, err = topic.LoadModel(judge)
		}
		return misuse(err)
	}
	switch {
	case f.name == "":
		return usageError{"--judge is the address of a model, and --model says which", modelExample}
	case cmd.Flags().Changed("top"):
		return usageError{"--top does not go with a model: what it says of a page would put out another", modelExample + " --threshold 0.3"}
	case f.most < 1:
		return usageError{fmt.Sprintf("--most is %d, want at least 1", f.most), modelExample + " --most 100"}
	}
	if f.model, err = opinion.New(judge, f.name, f.embeds); err != nil {
		return usageError{err.Error(), modelExample}
	}
	return nil
}

// prepare makes a cut ask the model that --judge names.
func (f *modelFlags) prepare(cmd *cobra.Command, dir string, cut *winnow.Cut) error {
	if f.model == nil {
		return nil
	}
	config, err := run.ConfigOf(dir)
	if err != nil {
		return err
	}
	cut.Model, f.model.Topic = "", topicInWords(&config)
	asker := opinion.Asker{Model: f.model, Most: f.most, Cache: filepath.Join(dir, opinion.FileCache)}
	live := toStderr(cmd)
	cut.Ask = func(pages opinion.Pages) (opinion.Answers, error) {
		of := min(len(pages.Unsure), f.most)
		asker.Told = func(done int) {
			if done%25 == 0 {
				live(fmt.Sprintf("asked %s about %d of %s", f.name, done, plural(of)))
			}
		}
		return asker.On(cmd.Context(), pages)
	}
	return nil
}

// topicInWords tells a model what a topic is about: its sentence, or its name, and its heaviest terms.
func topicInWords(config *focus.Config) string {
	const most = 30
	terms := slices.Clone(config.Topic.Terms)
	slices.SortStableFunc(terms, func(a, b crawlfile.TermConfig) int { return cmp.Compare(b.Weight, a.Weight) })
	var words []string
	for _, t := range terms[:min(most, len(terms))] {
		if t.Weight > 0 {
			words = append(words, t.Term)
		}
	}
	about := cmp.Or(strings.TrimSpace(config.Topic.About), config.Name)
	if len(words) > 0 {
		about += " (its words: " + strings.Join(words, ", ") + ")"
	}
	return about
}

// modelSaid is what --json tells of a model.
type modelSaid struct {
	*winnow.Heard
	Answered int `json:"answered"` // pages of which it has an opinion, remembered ones among them
}

func modelSaidOf(h *winnow.Heard) *modelSaid {
	if h == nil {
		return nil
	}
	return &modelSaid{h, len(h.Of)}
}

// print says what a model said.
func (h *modelSaid) print(w io.Writer) {
	if h == nil {
		return
	}
	fmt.Fprintf(w, "second opinion: of %s that are not sure it has one on %d (%d remembered): %d came in and %d went out\n", plural(h.Unsure), h.Answered, h.Remembered, h.In, h.Out)
	for _, why := range slices.Sorted(maps.Keys(h.Failed)) {
		fmt.Fprintf(w, "  no answer: %s (%s)\n", why, plural(h.Failed[why]))
	}
	if h.Refused != "" {
		fmt.Fprintf(w, "  the model is not asked any more: %s\n  the second look stands for the rest\n", h.Refused)
	}
}
