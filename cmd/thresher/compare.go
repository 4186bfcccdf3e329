package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/compare"
)

// compareFlags are what the flags of compare say.
type compareFlags struct {
	o         compare.Options
	budget    string
	judge     string
	start     string
	set       []string
	json      bool
	csv, html string
}

const compareExample = "thresher compare --web testdata/webs/quickstart --strategy shark,breadth"

func compareCommand() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare --web DIR",
		Short: "Measure strategies on recorded webs, by the labels of the webs",
		Long: `Compare crawls recorded webs with several strategies and measures what each finds, by the labels of the webs and never by
the crawler's own score. Start pages and drawn examples are left out of every sum; only links to pages inside the web
are offered, unless --dead-links is given.

focus is the area under the recall curve, on a scale from a random crawl (0) to one that knows the labels of all pages
two links ahead (1). The interval is a 95 % bootstrap over the topics; p is how likely a lead over the baseline is by
chance (sign-flip test, corrected for the number of strategies).`,
		Example: `  ` + compareExample + `
  thresher compare --web testdata/webs/quickstart --topic tea --examples 5 --draws 3 --html report.html
  thresher compare --web testdata/webs/quickstart --budget 20% --json`,
		Args: noArguments(compareExample),
		RunE: func(cmd *cobra.Command, _ []string) error { return runCompare(cmd, &f) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.o.Webs, "web", nil, "a recorded web `DIR`; may be repeated")
	flags.StringSliceVar(&f.o.Topics, "topic", nil, "only these topics of the webs")
	flags.StringSliceVar(&f.o.Strategies, "strategy", nil, "strategies: names or paths (default: all that the program brings along)")
	flags.StringVar(&f.o.Baseline, "baseline", "", "the strategy the others are tested against (default: the first)")
	flags.StringVar(&f.budget, "budget", "100%", "pages each crawl may fetch: a number, or a share of those that can be reached")
	flags.IntVar(&f.o.Examples, "examples", 0, "example pages drawn for each topic")
	flags.IntVar(&f.o.Draws, "draws", 1, "how often examples are drawn")
	flags.IntVar(&f.o.Depth, "depth", 0, "links from the start pages; 0: any")
	flags.IntVar(&f.o.Jobs, "jobs", 0, "crawls at the same time; 0: one a processor")
	flags.Uint64Var(&f.o.Seed, "seed", 1, "what everything random is drawn from")
	flags.BoolVar(&f.o.DeadLinks, "dead-links", false, "offer links that leave the web, too; each costs a fetch")
	flags.StringVar(&f.start, "start", "seeds", "start pages: `seeds` of the topic, or the drawn examples")
	flags.StringVar(&f.judge, "judge", "own", "`own`: each strategy's own judge; same: one for all")
	flags.StringArrayVar(&f.set, "set", nil, "give any `KEY=VALUE` of a crawl file to all of them, such as topic.threshold=0.4")
	jsonFlag(flags, &f.json)
	flags.StringVar(&f.csv, "csv", "", "write the cells as a table into this `file`")
	flags.StringVar(&f.html, "html", "", "write a report for people into this `file`")
	return cmd
}

func runCompare(cmd *cobra.Command, f *compareFlags) error {
	if err := f.complete(); err != nil {
		return err
	}
	begin := time.Now()
	f.o.Say = func(what string) { fmt.Fprintf(cmd.ErrOrStderr(), "%6.1fs  %s\n", time.Since(begin).Seconds(), what) }
	result, err := compare.Run(cmd.Context(), f.o)
	if err != nil {
		return err
	}
	if f.csv != "" {
		if err := toFile(f.csv, result.CSV); err != nil {
			return err
		}
	}
	if f.html != "" {
		if err := toFile(f.html, result.HTML); err != nil {
			return err
		}
	}
	if f.json {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(result)
	}
	return result.Text(cmd.OutOrStdout())
}

// complete reads the flags that are words.
func (f *compareFlags) complete() error {
	if len(f.o.Webs) == 0 {
		return usageError{"compare needs a recorded web", compareExample}
	}
	if len(f.o.Strategies) == 0 {
		config := focus.Default()
		f.o.Strategies = config.Strategies()
	}
	if err := f.readBudget(); err != nil {
		return err
	}
	switch f.judge {
	case "own":
		f.o.OwnJudge = true
	case "same":
	default:
		return usageError{fmt.Sprintf("--judge %s: want own or same", f.judge), compareExample + " --judge same"}
	}
	switch f.start {
	case "seeds":
	case "examples":
		f.o.AtExamples = true
		if f.o.Examples == 0 {
			return usageError{"--start examples needs examples to be drawn", compareExample + " --start examples --examples 10"}
		}
	default:
		return usageError{fmt.Sprintf("--start %s: want seeds or examples", f.start), compareExample + " --start examples --examples 10"}
	}
	for _, pair := range f.set {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return usageError{fmt.Sprintf("--set %s: want KEY=VALUE", pair), compareExample + " --set topic.threshold=0.4"}
		}
		f.o.Set = append(f.o.Set, focus.Override{Key: key, Value: value, From: "--set " + pair})
	}
	for flag, n := range map[string]int{"--examples": f.o.Examples, "--depth": f.o.Depth, "--jobs": f.o.Jobs} {
		if n < 0 {
			return usageError{fmt.Sprintf("%s is %d, want 0 or more", flag, n), compareExample}
		}
	}
	if f.o.Draws < 1 {
		return usageError{fmt.Sprintf("--draws is %d, want at least 1", f.o.Draws), compareExample}
	}
	return nil
}

func (f *compareFlags) readBudget() error {
	wrong := usageError{fmt.Sprintf("--budget %s: want a number of pages, or a share such as 20%%", f.budget), compareExample + " --budget 20%"}
	if share, ok := strings.CutSuffix(f.budget, "%"); ok {
		x, err := strconv.ParseFloat(share, 64)
		if err != nil || !(0 < x && x <= 100) {
			return wrong
		}
		if x < 100 {
			f.o.Share = x / 100
		}
		return nil
	}
	n, err := strconv.Atoi(f.budget)
	if err != nil || n <= 0 {
		return wrong
	}
	f.o.Pages = n
	return nil
}

// toFile writes a file, or says which could not be written.
func toFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	if err := write(file); err != nil {
		file.Close()
		return fmt.Errorf("compare: %s: %w", path, err)
	}
	return file.Close()
}
