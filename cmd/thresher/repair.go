package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
)

func repairCommand() *cobra.Command {
	var ran runFlag
	const example = "thresher repair --run runs/quickstart"
	cmd := &cobra.Command{
		Use:   "repair",
		Short: "Rebuild the state of a run that is damaged",
		Long: `Repair makes a run that 'thresher crawl' refuses as damaged one that can be gone on with. The state is made anew from
crawl.log and the harvest: links, outcomes and trails, and all counts. What the crawl has learned begins again. A page that
was kept and is in the harvest no more is visited again. Lines of crawl.log and of harvest.jsonl that cannot be read are left
out. Nothing is deleted: what is replaced is set aside under a name that ends in .damaged. A run in which nothing is damaged
is left as it is, which takes reading all of its state.`,
		Example: "  " + example,
		Args:    noArguments(example),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := ran.dir()
			if err != nil {
				return err
			}
			done, err := focus.Repair(dir)
			if err == nil && done.Sound {
				fmt.Fprintf(cmd.OutOrStdout(), "nothing is damaged in %s, and nothing was changed\n", dir)
				return nil
			}
			tellRepair(cmd.OutOrStdout(), &done)
			if err == nil {
				fmt.Fprintln(cmd.OutOrStdout(), "'thresher crawl FILE' goes on")
			}
			return err
		},
	}
	ran.register(cmd.Flags())
	return cmd
}

// tellRepair says what was damaged, and what was made of it.
func tellRepair(w io.Writer, done *focus.Repaired) {
	for _, d := range done.Damage {
		fmt.Fprintf(w, "damaged: %s\n", d)
	}
	for _, a := range done.Aside {
		fmt.Fprintf(w, "set aside: %s\n", a)
	}
	if !done.Rebuilt {
		return
	}
	fmt.Fprintf(w, "the state is made anew: %s, of which %d wait; what was learned begins again\n", links(done.Links), done.Waiting)
	if done.Lost > 0 {
		fmt.Fprintf(w, "lost: %s of which neither crawl.log nor the harvest says anything\n", links(done.Lost))
	}
	if done.Again > 0 {
		fmt.Fprintf(w, "%d pages that were kept are in the harvest no more, and are visited again\n", done.Again)
	}
}
