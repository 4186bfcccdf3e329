package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/again"
	"github.com/thresher-crawler/thresher/focus/run"
)

func repairCommand() *cobra.Command {
	var ran runFlag
	const example = "thresher repair --run runs/quickstart"
	cmd := &cobra.Command{
		Use:   "repair",
		Short: "Rebuild the state of a run that is damaged",
		Long: `Repair makes a run usable again that 'thresher crawl' refuses as damaged. It rebuilds the state from crawl.log and the harvest:
links, outcomes, trails and all counts. What the crawl has learned starts again from nothing. A page that was kept but is
missing from the harvest is listed as kept no more, and visited again. Lines of crawl.log, harvest.jsonl and look.jsonl that cannot be read are left
out, a strategy.yaml that cannot is written again, and a kept.jsonl that cannot is set aside until a second look writes it anew. What is damaged of
the rounds of --again, below again/, is left out, too, and written again from kept.jsonl as far as it stands there. Nothing is deleted: what is replaced is set aside under
a name that ends in .damaged. A run without damage is left as it is; to know that, repair reads all of its state.`,
		Example: "  " + example,
		Args:    noArguments(example),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := ran.dir()
			if err != nil {
				return err
			}
			read := whileSlow(cmd.ErrOrStderr(), dir+": all of its state is read")
			done, err := again.Repair(dir)
			read()
			if err == nil && done.Sound {
				fmt.Fprintf(cmd.OutOrStdout(), "nothing is damaged in %s, and nothing was changed\n", dir)
				return nil
			}
			tellRepair(cmd.OutOrStdout(), &done)
			if err == nil {
				fmt.Fprintln(cmd.OutOrStdout(), "'thresher crawl FILE' goes on")
			}
			if gone := webGone(dir); err != nil && gone != "" {
				return fmt.Errorf("the recorded web of %s is gone, without which its crawl cannot go on: put %s back, or crawl anew ('thresher demo' does, of its own run)", dir, gone)
			}
			if err != nil {
				return unadvised{err}
			}
			return nil
		},
	}
	ran.register(cmd.Flags())
	return cmd
}

// webGone is the recorded web that was crawled into a folder, if it is not there any more.
func webGone(dir string) string {
	config, err := (&run.Run{Dir: dir}).CrawledConfig()
	if err != nil || config.Web == "" {
		return ""
	}
	if _, err := os.Stat(config.Web); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return config.Web
}

// adviceToRepair is what says, behind all else in a line, to do what is being done.
var adviceToRepair = regexp.MustCompile(`[:;,] 'thresher repair --run .*`)

// unadvised is an error of a repair, which says everything but to repair.
type unadvised struct{ error }

func (e unadvised) Error() string { return adviceToRepair.ReplaceAllString(e.error.Error(), "") }
func (e unadvised) Unwrap() error { return e.error }

// tellRepair says what was damaged, and what was made of it.
func tellRepair(w io.Writer, done *run.Mended) {
	for _, d := range done.Damage {
		fmt.Fprintf(w, "damaged: %s\n", adviceToRepair.ReplaceAllString(d, ""))
	}
	for _, a := range done.Aside {
		fmt.Fprintf(w, "set aside: %s\n", a)
	}
	if !done.Rebuilt {
		return
	}
	fmt.Fprintf(w, "state rebuilt: %s, %d of them waiting; what was learned starts again from nothing\n", links(done.Links), done.Waiting)
	if done.Lost > 0 {
		fmt.Fprintf(w, "lost: %s that neither crawl.log nor the harvest mentions\n", links(done.Lost))
	}
	if done.Again > 0 {
		fmt.Fprintf(w, "%d kept pages are missing from the harvest, and will be visited again: before all else that their hosts let wait, as long as the budget lasts\n", done.Again)
	}
	if done.Unsaid > 0 {
		fmt.Fprintf(w, "%d kept pages are missing from the harvest for good: its records say neither id nor url, and nobody can tell which pages they are\n", done.Unsaid)
	}
}
