package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
)

func repairCommand() *cobra.Command {
	var run runFlag
	const example = "thresher repair --run runs/quickstart"
	cmd := &cobra.Command{
		Use:   "repair",
		Short: "Salvage a run whose state is damaged",
		Long: `Repair reads what can be read of the state of a run that 'thresher crawl' refuses as damaged, and puts a sound one in its
place; the damaged files are kept beside it. A link that stood in the damaged part is found again if another page links
to it. Pages that are in the log are not visited again.`,
		Example: "  " + example,
		Args:    noArguments(example),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := run.dir()
			if err != nil {
				return err
			}
			done, err := focus.Repair(dir)
			w := cmd.OutOrStdout()
			for _, d := range done.Damage {
				fmt.Fprintf(w, "damaged: %s\n", d)
			}
			for _, f := range done.Forgotten {
				fmt.Fprintf(w, "forgotten: %s\n", f)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s of %d wait, %d were lost, %d had been visited; %d bytes could not be read\n", links(done.Waiting-done.Finished), done.Items, done.Lost, done.Finished, done.Skipped)
			fmt.Fprintf(w, "the damaged files are in %s; 'thresher crawl FILE' goes on\n", done.Kept)
			return nil
		},
	}
	run.register(cmd.Flags())
	return cmd
}
