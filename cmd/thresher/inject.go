package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
)

const injectExample = "thresher inject https://example.org/new.html --run runs/quickstart"

func injectCommand() *cobra.Command {
	var run runFlag
	cmd := &cobra.Command{
		Use:   "inject URL…",
		Short: "Give a run more start pages",
		Long: `Inject gives a run addresses that are visited before everything else. A crawl that is running takes them within a second,
one that is not when it is started again: in either case once, whatever happens in between. What is outside the scope of
the run is refused.`,
		Example: "  " + injectExample,
		Args:    someArguments("address", injectExample),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := run.dir()
			if err != nil {
				return err
			}
			done, err := focus.Inject(dir, args)
			if err != nil {
				return err
			}
			for _, address := range args {
				if why, refused := done.Refused[address]; refused {
					fmt.Fprintf(cmd.ErrOrStderr(), "refused: %s: %s\n", address, why)
				}
			}
			when := "when the crawl is started again"
			if done.Running {
				when = "within a second"
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%d of %d addresses will be taken %s\n", done.Taken, len(args), when)
			if done.Taken == 0 {
				return usageError{"none of the addresses is inside the scope of the run", injectExample}
			}
			return nil
		},
	}
	run.register(cmd.Flags())
	return cmd
}
