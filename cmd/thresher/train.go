package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

const (
	trainExample = "thresher train judge --relevant good/ --other bad/ --out solar.model"
	hubsExample  = "thresher train judge --hub-pages hubs/ --topic-pages texts/"
)

func trainCommand() *cobra.Command {
	cmd := over("it trains a judge, layers or context", trainExample, trainJudgeCommand(), trainLayersCommand(), trainContextCommand())
	cmd.Use, cmd.Short = "train judge|layers|context", "Train a judge from labelled pages, or a strategy from a labelled web"
	cmd.Example = "  " + trainExample
	return cmd
}

// trainFlags say what a judge is trained from, and how.
type trainFlags struct {
	relevant, other string
	hubs, texts     string
	web, topic      string
	kind, content   string
	choose          string
	words           int
	userDict        string
	folds           int
	precision       float64
	seed            uint64
	out             string
	json            bool
}

func trainJudgeCommand() *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use:   "judge",
		Short: "Train a judge of whole pages, and say how good it is",
		Long: `Train judge learns from pages that are relevant to a topic and from pages that are not, tests itself on pages it has not
seen, and writes a model for crawl files (topic: {judge: classifier, model: FILE}) and for thresher judge --model.

Pages come from folders of .html and .txt files, from the harvest.jsonl of a run, or from a list of labels: on each line
an address or a path, a tab, and relevant or other (thresher label writes such lists). The addresses are looked up in the
run or recorded web that contains the list, or in the one given with --web. With --web and --topic the labels come from
the web.yaml of the recorded web.

A judge whose macro or micro F1 is below .85 is marked as weak, here and wherever it is used. Where only the main text of
some pages is known (a harvest, text files), the judge looks at main texts only.

With --hub-pages and --topic-pages it also, or instead, learns what share of its text a hub has in links: the
reading.hub_ratio of a crawl file. A list of such pages labels them hub or topic.`,
		Example: `  ` + trainExample + `
  thresher train judge --relevant runs/quickstart/labels.tsv --out sailing.model --precision 0.95
  thresher train judge --relevant good.jsonl --other bad.jsonl --kind logistic --json
  thresher train judge --web testdata/webs/quickstart --topic beekeeping --out bees.model
  thresher train judge --hub-pages hubs/ --topic-pages texts/`,
		Args: noArguments(trainExample),
		RunE: func(cmd *cobra.Command, _ []string) error { return trainJudge(cmd, &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.relevant, "relevant", "", "pages of the topic: a `folder`, FILE.jsonl, or a list of labels FILE.tsv")
	flags.StringVar(&f.other, "other", "", "pages of other topics: a `folder`, FILE.jsonl or FILE.tsv; not needed with a list")
	flags.StringVar(&f.hubs, "hub-pages", "", "pages that are lists of links: a `folder` of HTML, or a list of labels FILE.tsv")
	flags.StringVar(&f.texts, "topic-pages", "", "pages of running text: a `folder` of HTML, or FILE.tsv; not needed with a list")
	flags.StringVar(&f.web, "web", "", "the recorded web or run in `DIR` that holds the pages of the list")
	flags.StringVar(&f.topic, "topic", "", "use the recorded web's own labels for its topic `NAME`")
	flags.StringVar(&f.kind, "kind", "best", "bayes, svm, logistic, vector (with the features of a trained best-first crawl), or best: the best of the first three")
	flags.StringVar(&f.choose, "choose", "chi2", "how the words of a vector are chosen: chi2 or ig (information gain)")
	flags.IntVar(&f.words, "words", 300, "how many words a vector has")
	flags.StringVar(&f.content, "content", "", "which part of a page is judged: whole, by_kind or main_text (default: whole, or main_text as above)")
	flags.StringVar(&f.userDict, "user-dict", "", "a `file` with words of your own for segmenting Chinese; name it in the crawl file, too")
	flags.IntVar(&f.folds, "folds", 10, "parts of the cross-validation")
	flags.Float64Var(&f.precision, "precision", 0, "choose the threshold that gives this precision; 0: the one with the best F1")
	flags.Uint64Var(&f.seed, "seed", 0, "how pages are parted into folds; the same seed makes the same model")
	flags.StringVarP(&f.out, "out", "o", "", "write the model into this `file`; without it, only say how good it would be")
	writes(flags, "out")
	jsonFlag(flags, &f.json)
	return cmd
}

// trainKinds are the kinds that can be asked for.
var trainKinds = []string{"best", "bayes", "svm", "logistic", "vector"}

func (f *trainFlags) check() error {
	switch {
	case !slices.Contains(trainKinds, f.kind):
		message := fmt.Sprintf("--kind is %q, want %s", f.kind, strings.Join(trainKinds, ", "))
		if near := strict.Nearest(f.kind, trainKinds); near != "" {
			message += fmt.Sprintf("; did you mean %q?", near)
		}
		return usageError{message, trainExample}
	case f.folds < 2:
		return usageError{fmt.Sprintf("--folds is %d, want at least 2", f.folds), trainExample}
	case f.choose != "chi2" && f.choose != "ig":
		return usageError{fmt.Sprintf("--choose is %q, want chi2 or ig", f.choose), trainExample + " --kind vector --choose ig"}
	case f.words < 1:
		return usageError{fmt.Sprintf("--words is %d, want at least 1", f.words), trainExample + " --kind vector --words 300"}
	case !(0 <= f.precision && f.precision <= 1):
		return usageError{fmt.Sprintf("--precision is %v, want a number from 0 to 1", f.precision), trainExample + " --precision 0.95"}
	case f.content != "" && !slices.Contains([]string{"whole", "by_kind", "main_text"}, f.content):
		return usageError{fmt.Sprintf("--content is %q, want whole, by_kind or main_text", f.content), trainExample + " --content main_text"}
	case f.topic != "" && f.web == "":
		return usageError{"--topic is a topic of a recorded web; name the web with --web", "thresher train judge --web testdata/webs/quickstart --topic " + shell.Word(f.topic)}
	case f.topic != "" && f.relevant+f.other != "":
		return usageError{"--topic takes the labels of the recorded web; leave --relevant and --other out", "thresher train judge --web " + shell.Word(f.web) + " --topic " + shell.Word(f.topic)}
	case f.texts == "" && f.hubs != "" && !strings.HasSuffix(f.hubs, ".tsv"):
		return usageError{"--hub-pages needs topic pages beside it: the line is learned from both", hubsExample}
	case f.hubs == "" && f.texts != "":
		return usageError{"--topic-pages are pages of text, whatever their topic, and need hubs beside them: the line is learned from both", hubsExample}
	case f.hubsAlone() && f.out != "":
		return usageError{"--out takes a model, and there are no pages of a topic to learn one from; the line between hubs and topic pages is a key of the crawl file", hubsExample}
	case f.hubsAlone():
	case f.topic == "" && f.relevant == "":
		return usageError{"train judge needs pages that are relevant", trainExample}
	case f.other == "" && f.topic == "" && !strings.HasSuffix(f.relevant, ".tsv"):
		return usageError{"train judge needs pages of other topics too: a judge is learned from both", trainExample}
	}
	return nil
}

// hubsAlone tells that no judge is asked for, but the line between hubs and topic pages.
func (f *trainFlags) hubsAlone() bool {
	return f.hubs != "" && f.topic == "" && f.relevant+f.other == ""
}

// corpus reads the labelled pages.
func (f *trainFlags) corpus() (c study.Corpus, err error) {
	if f.topic != "" {
		return study.WebCorpus(f.web, f.topic)
	}
	err = f.beside(func(more ...*study.Library) error {
		c, err = study.ReadCorpus(f.relevant, f.other, more...)
		return err
	})
	return c, err
}

// hubLine learns where hubs are parted from topic pages; nil if there are no examples of them.
func (f *trainFlags) hubLine() (*study.HubLine, error) {
	if f.hubs == "" {
		return nil, nil
	}
	topics := cmp.Or(f.texts, f.hubs) // a list has both
	var line study.HubLine
	err := f.beside(func(more ...*study.Library) (err error) {
		line, err = study.FindHubLine(f.hubs, topics, more...)
		return err
	})
	return &line, err
}

// beside opens what has the pages of lists, where it was named.
func (f *trainFlags) beside(read func(more ...*study.Library) error) error {
	if f.web == "" {
		return read()
	}
	l, err := study.OpenRunLibrary(f.web)
	if err != nil {
		return err
	}
	defer l.Close()
	return read(l)
}

func trainJudge(cmd *cobra.Command, f *trainFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	if _, err := text.NewCutter(text.Options{UserDict: f.userDict}); f.userDict != "" && err != nil {
		return misuse(err)
	}
	hubs, err := f.hubLine()
	if err != nil {
		return misuse(err)
	}
	if f.hubsAlone() {
		if f.json {
			return jsonTo(cmd.OutOrStdout()).Encode(struct {
				Hub *study.HubLine `json:"hub"`
			}{hubs})
		}
		printHubLine(cmd.OutOrStdout(), hubs)
		return nil
	}
	corpus, err := f.corpus()
	if err != nil {
		return misuse(err)
	}
	if corpus.Lost > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s of pages that the run has not, which teach nothing\n", run.Several(corpus.Lost, "label"))
	}
	spec := topic.Defaults()
	spec.UserDict = f.userDict
	if spec.Content = f.content; f.content == "" && corpus.Bare() {
		spec.Content = "main_text"
	}
	model, report, err := topic.Train(study.Docs(corpus.Relevant), study.Docs(corpus.Other), topic.TrainOptions{
		Spec: spec, Kind: f.kind, Choose: f.choose, Words: f.words, Folds: f.folds, Precision: f.precision, Seed: f.seed,
		Hosts: corpus.Hosts(),
	})
	if err != nil {
		return misuse(err)
	}
	size := int64(0)
	if f.out != "" {
		if err := model.Save(f.out); err != nil {
			return err
		}
		info, err := os.Stat(f.out)
		if err != nil {
			return err
		}
		size = info.Size()
	}
	if f.json {
		return jsonTo(cmd.OutOrStdout()).Encode(trainedOf(&report, model, hubs, f.out, size))
	}
	printTrained(cmd.OutOrStdout(), report, model, f.out, size)
	if hubs != nil {
		printHubLine(cmd.OutOrStdout(), hubs)
	}
	return nil
}

func printHubLine(w io.Writer, l *study.HubLine) {
	fmt.Fprintf(w, "hubs have more than %.4f of their text in links (%.4f of what is no link): it parts %d of %d hubs and %d of %d topic pages rightly, and tells %.3f bits\n",
		l.Ratio, l.Beta, l.Hubs.Right, l.Hubs.Pages, l.Topic.Right, l.Topic.Pages, l.Gain)
	fmt.Fprintf(w, "in a crawl file: reading: {hub_ratio: %.4f}\n", l.Ratio)
}

func printTrained(w io.Writer, report topic.Report, model *topic.Model, file string, size int64) {
	fmt.Fprint(w, report)
	var best []string
	for _, t := range model.Best[:min(len(model.Best), 12)] {
		best = append(best, t.Term)
	}
	fmt.Fprintf(w, "words that speak for the topic most: %s\n", strings.Join(best, ", "))
	if file == "" {
		fmt.Fprintln(w, "not written: give --out FILE to keep it")
		return
	}
	fmt.Fprintf(w, "written to %s (%d KB); in a crawl file: topic: {judge: classifier, model: %s}\n", file, (size+512)>>10, file)
}

// trained is what --json prints: how good the judge is on pages it has not seen, and where it is.
type trained struct {
	topic.Report
	Model   string         `json:"model,omitempty"` // the file
	Bytes   int64          `json:"bytes,omitempty"`
	Content string         `json:"content"`
	Weak    bool           `json:"weak"`          // below .85
	Hub     *study.HubLine `json:"hub,omitempty"` // where hubs are parted from topic pages, if examples were given
	Best    []string       `json:"best"`          // words that speak for the topic
}

func trainedOf(r *topic.Report, m *topic.Model, hubs *study.HubLine, file string, size int64) trained {
	t := trained{Report: *r, Model: file, Bytes: size, Content: m.Content, Weak: r.Weak(), Hub: hubs}
	for _, word := range m.Best {
		t.Best = append(t.Best, word.Term)
	}
	return t
}
