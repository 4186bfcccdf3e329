package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/study"
)

const layersExample = "thresher train layers --web testdata/webs/quickstart:beekeeping --out bees.layers"

// layersFlags say what layers of links are learned from, and how.
type layersFlags struct {
	webs, overlap []string
	how           study.LayersTraining
	seed          uint64
	out           string
	json          bool
}

func trainLayersCommand() *cobra.Command {
	f := layersFlags{how: study.DefaultLayers()}
	cmd := &cobra.Command{
		Use:   "layers",
		Short: "Train the strategy layers: how far a link is from a page of the topic, by its words",
		Long: `Train layers goes backwards from the pages of a topic in one or several labelled recorded webs: a link straight to one
is in class 1, a link to a page with such a link in class 2, and so on. For each class it learns the words of addresses
and anchors, and writes a model for the strategy layers.

With --overlap it estimates how well the model will hold elsewhere: the share of common words among those that say most
about a class, between two halves of its own material, and between that material and the other web.`,
		Example: `  ` + layersExample + `
  thresher train layers --web webs/texas:course --web webs/misc:course --membership nearest --smoothing jm --out course.layers
  thresher train layers --web webs/texas:course --overlap webs/cornell:course`,
		Args: noArguments(layersExample),
		RunE: func(cmd *cobra.Command, _ []string) error { return trainLayers(cmd, &f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.webs, "web", nil, "a labelled recorded web and its topic, `DIR:TOPIC`; may be repeated")
	flags.IntVar(&f.how.Classes, "classes", f.how.Classes, "number of classes; links farther away are in none")
	flags.StringVar(&f.how.Membership, "membership", f.how.Membership, "per_target: a class for the distance to each page of the topic; nearest: for the least; path: for the length of every path that comes to no page twice, as far as 20,000 steps a page and length reach; walk: for every way, circles included")
	flags.StringVar(&f.how.Smoothing, "smoothing", f.how.Smoothing, "backoff (as published) or jm (Jelinek-Mercer)")
	flags.Float64Var(&f.how.Lambda, "lambda", f.how.Lambda, "with jm, the weight of the class's own words")
	flags.StringArrayVar(&f.overlap, "overlap", nil, "compare with the words of another web, `DIR:TOPIC`; may be repeated")
	flags.Uint64Var(&f.seed, "seed", 1, "how links are parted into halves for --overlap")
	flags.StringVarP(&f.out, "out", "o", "", "write the model into this `file`; without it, only say what would be learned")
	writes(flags, "out")
	jsonFlag(flags, &f.json)
	return cmd
}

func (f *layersFlags) check() error {
	switch {
	case len(f.webs) == 0:
		return usageError{"train layers needs a labelled recorded web", layersExample}
	case !slices.Contains(study.Memberships, f.how.Membership):
		return usageError{fmt.Sprintf("--membership is %q, want %s", f.how.Membership, strings.Join(study.Memberships, ", ")), layersExample + " --membership nearest"}
	case f.how.Smoothing != "backoff" && f.how.Smoothing != "jm":
		return usageError{fmt.Sprintf("--smoothing is %q, want backoff or jm", f.how.Smoothing), layersExample + " --smoothing jm"}
	case !(0 <= f.how.Lambda && f.how.Lambda < 1):
		return usageError{fmt.Sprintf("--lambda is %v, want 0 to less than 1", f.how.Lambda), layersExample + " --smoothing jm --lambda 0.9"}
	case !(1 <= f.how.Classes && f.how.Classes <= 64):
		return usageError{fmt.Sprintf("--classes is %d, want 1 to 64", f.how.Classes), layersExample + " --classes 9"}
	}
	return nil
}

func trainLayers(cmd *cobra.Command, f *layersFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	var overlaps []study.Overlap
	model, size, err := learnFrom(layersExample, f.webs, f.out, func(on []*study.LabelledWeb) (*rank.Layers, error) {
		model, err := study.TrainLayers(on, f.how)
		if err == nil && len(f.overlap) > 0 {
			overlaps, err = f.overlaps(on)
		}
		return model, err
	})
	if err != nil {
		return err
	}
	if f.json {
		return jsonTo(cmd.OutOrStdout()).Encode(layersReport{model.LayersAbout, f.out, overlaps})
	}
	printLayers(cmd.OutOrStdout(), model, overlaps)
	printModel(cmd.OutOrStdout(), f.out, size, "layers")
	return nil
}

// overlaps forecasts how far a model of these webs holds on those of --overlap.
func (f *layersFlags) overlaps(on []*study.LabelledWeb) ([]study.Overlap, error) {
	other, done, err := labelledWebs("overlap", layersExample, f.overlap)
	if err != nil {
		return nil, err
	}
	defer done()
	for i, t := range other {
		if first := slices.IndexFunc(on, func(learned *study.LabelledWeb) bool { return sameGround(learned, t) }); first >= 0 {
			return nil, usageError{fmt.Sprintf("--overlap %s is %s again, which is learned from: how far the model holds elsewhere shows on another web", f.overlap[i], f.webs[first]), layersExample}
		}
	}
	return study.Overlaps(on, other, f.how, f.seed)
}

// layersReport is what --json prints.
type layersReport struct {
	rank.LayersAbout
	Model   string          `json:"model,omitempty"`
	Overlap []study.Overlap `json:"overlap,omitempty"`
}

func printLayers(w io.Writer, m *rank.Layers, overlaps []study.Overlap) {
	printGrounds(w, m.Grounds)
	fmt.Fprintln(w, "class     links     words  vocabulary")
	for c := range m.Links {
		fmt.Fprintf(w, "%5d %9d %9d %11d\n", c+1, m.Links[c], m.Words[c], m.Vocabulary[c])
	}
	for _, o := range overlaps {
		fmt.Fprintf(w, "words in common among the most telling ones of %s\n  words   ", o.Of)
		for _, size := range study.OverlapSizes {
			fmt.Fprintf(w, "%7d", size)
		}
		for _, row := range []struct {
			name   string
			shares []float64
		}{{"within  ", o.Within}, {"across  ", o.Across}} {
			fmt.Fprintf(w, "\n  %s", row.name)
			for _, s := range row.shares {
				fmt.Fprintf(w, "%6.1f%%", 100*s)
			}
		}
		fmt.Fprintln(w)
	}
}
