package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

func recordCommand() *cobra.Command {
	var f crawlFlags
	var to string
	cmd := &cobra.Command{
		Use:   "record FILE",
		Short: "Crawl, and keep everything fetched as a recorded web",
		Long: `Record runs a crawl as crawl does, and writes everything it fetches (requests and answers, redirects, robots.txt and
failures) as a recorded web, which crawl --web, compare and replay take. A folder that holds a recording is continued.

Label its pages in labels.tsv (address, tab, labels) to measure strategies on it.`,
		Example: `  thresher record configs/quickstart.yaml --to webs/quickstart
  thresher crawl configs/quickstart.yaml --web webs/quickstart`,
		Args: oneFile("thresher record configs/quickstart.yaml --to webs/quickstart"),
		RunE: func(cmd *cobra.Command, args []string) error {
			config, err := focus.Load(args[0], f.list(cmd.Flags())...)
			if err != nil {
				return err
			}
			to = cmp.Or(to, filepath.Join(config.Store, "web"))
			if err := spareHarvest(to); err != nil {
				return err
			}
			ctx, release := interruptible(cmd.Context(), cmd.ErrOrStderr())
			defer release()
			report, left := runCrawl(ctx, cmd, config, &f, append(f.options(), focus.Record(to))...)
			var finished *run.FinishedError
			if errors.As(left, &finished) {
				looked, err := f.lookLate(cmd, &config, finished)
				if looked == nil {
					return errors.Join(left, err)
				}
				printLooked(cmd.OutOrStdout(), looked)
				return err // what was left to do is done
			}
			if !sink.OnlyUnsent(left) {
				return left
			}
			looked, sent := f.look(cmd, &config, report, left != nil)
			if left = errors.Join(left, sent); looked != nil {
				report.Counts.Best, left = bestAgain(looked), sent
			}
			printSummary(cmd.OutOrStdout(), report, duration(report.Counts.Now.Sub(report.Counts.Started)), nil)
			printLooked(cmd.OutOrStdout(), looked)
			f.printGoesOn(cmd, &config, report)
			fmt.Fprintf(cmd.OutOrStdout(), "recorded in %s\n", to)
			return errors.Join(left, fruitless(report))
		},
	}
	f.overrides.register(cmd.Flags())
	cmd.Flags().StringVar(&to, "to", "", "the `folder` of the recorded web (default: web in the run folder)")
	cmd.Flags().BoolVar(&f.fresh, "fresh", false, "start over: delete what the run folder holds; a recording is continued")
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "no progress on stderr; only what holds the crawl up")
	return cmd
}
