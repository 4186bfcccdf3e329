package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/study"
)

const contextExample = "thresher train context --web testdata/webs/quickstart:beekeeping --out bees.context"

// contextFlags say what layers of pages are learned from, and how.
type contextFlags struct {
	webs []string
	how  study.ContextTraining
	out  string
	json bool
}

func trainContextCommand() *cobra.Command {
	f := contextFlags{how: study.DefaultContext()}
	cmd := &cobra.Command{
		Use:   "context",
		Short: "Train the strategy context-graph: how far a page is from a page of the topic, by its words",
		Long: `Train context goes backwards from the pages of a topic in one or several labelled recorded webs: those pages are layer
0, pages that link to them are layer 1, and so on. It learns the words of each layer, and writes a model for the strategy
context-graph.`,
		Example: `  ` + contextExample + `
  thresher train context --web webs/texas:course --web webs/misc:course --layers 3 --out course.context`,
		Args: noArguments(contextExample),
		RunE: func(cmd *cobra.Command, _ []string) error { return trainContext(cmd, &f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.webs, "web", nil, "a labelled recorded web and its topic, `DIR:TOPIC`; may be repeated")
	flags.IntVar(&f.how.Layers, "layers", f.how.Layers, "number of layers behind the pages of the topic")
	flags.IntVar(&f.how.PerLayer, "per-layer", f.how.PerLayer, "learn from at most so many pages of a layer")
	flags.IntVar(&f.how.Terms, "terms", f.how.Terms, "number of words of a page that count")
	flags.Float64Var(&f.how.Laplace, "laplace", f.how.Laplace, "what is added to every count (Laplace smoothing)")
	flags.Uint64Var(&f.how.Seed, "seed", f.how.Seed, "which pages are taken where a layer has more")
	flags.StringVarP(&f.out, "out", "o", "", "write the model into this `file`; without it, only say what would be learned")
	writes(flags, "out")
	jsonFlag(flags, &f.json)
	return cmd
}

func (f *contextFlags) check() error {
	switch {
	case len(f.webs) == 0:
		return usageError{"train context needs a labelled recorded web", contextExample}
	case !(1 <= f.how.Layers && f.how.Layers <= 32):
		return usageError{fmt.Sprintf("--layers is %d, want 1 to 32", f.how.Layers), contextExample + " --layers 4"}
	case f.how.PerLayer < 1 || f.how.Terms < 1:
		return usageError{"--per-layer and --terms are at least 1", contextExample}
	case !(0 < f.how.Laplace && f.how.Laplace <= 1000):
		return usageError{fmt.Sprintf("--laplace is %v, want more than 0 and at most 1000", f.how.Laplace), contextExample}
	}
	return nil
}

func trainContext(cmd *cobra.Command, f *contextFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	model, size, err := learnFrom(contextExample, f.webs, f.out, func(on []*study.LabelledWeb) (*rank.Contexts, error) {
		return study.TrainContext(on, f.how)
	})
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if f.json {
		return jsonTo(w).Encode(struct {
			rank.ContextsAbout
			Model string `json:"model,omitempty"`
		}{model.ContextsAbout, f.out})
	}
	printGrounds(w, model.Grounds)
	fmt.Fprintln(w, "layer     pages")
	for layer, pages := range model.Pages {
		fmt.Fprintf(w, "%5d %9d\n", layer, pages)
	}
	fmt.Fprintf(w, "different words that count: %d\n", model.Distinct)
	printModel(w, f.out, size, "context-graph")
	return nil
}
