package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/frontier"
)

func pauseCommand() *cobra.Command {
	return tellCommand("pause", "Let a running crawl stand still", frontier.Pause, "pausing %s; 'thresher resume' lets it go on\n",
		`Pause lets a crawl that is running, in another terminal or on another day, stand still within a second: pages under way are
fetched, and no other is begun. The time it stands still does not count. 'thresher resume' lets it go on.`)
}

func resumeCommand() *cobra.Command {
	return tellCommand("resume", "Let a paused crawl go on", frontier.GoOn, "%s goes on\n",
		`Resume lets a crawl go on that 'thresher pause' made stand still. A crawl that is not running is gone on with by
'thresher crawl FILE'.`)
}

func stopCommand() *cobra.Command {
	return tellCommand("stop", "Stop a running crawl", frontier.Stop, "stopping %s; 'thresher crawl FILE' goes on with it\n",
		`Stop ends a running crawl as Ctrl-C in its terminal does: what is in flight is finished, and everything is saved.
'thresher crawl FILE' goes on with it.`)
}

// tellCommand is a command that tells a running crawl something.
func tellCommand(name, short string, what frontier.Command, said, long string) *cobra.Command {
	var run runFlag
	example := "thresher " + name + " --run runs/quickstart"
	cmd := &cobra.Command{
		Use: name, Short: short, Long: long, Example: "  " + example, Args: noArguments(example),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := run.dir()
			if err != nil {
				return err
			}
			if err := focus.CommandRun(dir, what); err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), said, dir)
			return nil
		},
	}
	run.register(cmd.Flags())
	return cmd
}
