package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/run"
)

func pauseCommand() *cobra.Command {
	return tellCommand("pause", "Pause a running crawl", frontier.Pause, "pausing %s; 'thresher resume' lets it go on\n",
		`Pause stops a running crawl from fetching, within a second: pages already under way are finished, and no other is begun. The
time it is paused does not count towards its budget. 'thresher resume' lets it go on. A crawl on Redis pauses on all its
machines, including those that join meanwhile (--run redis://…).`)
}

func resumeCommand() *cobra.Command {
	return tellCommand("resume", "Resume a paused crawl", frontier.GoOn, "going on: %s\n",
		`Resume lets a crawl go on that 'thresher pause' has paused; on Redis, on all its machines. A crawl that is not running is
continued with 'thresher crawl FILE'.`)
}

func stopCommand() *cobra.Command {
	return tellCommand("stop", "Stop a running crawl", frontier.Stop, "stopping %s; 'thresher crawl FILE' goes on with it, a round with --again\n",
		`Stop ends a running crawl as Ctrl-C in its terminal would: what is in flight is finished, and everything is saved.
A crawl on Redis is stopped on all machines that work on it (--run redis://…). 'thresher crawl FILE' goes on with it.`)
}

// tellCommand is a command that tells a running crawl something.
func tellCommand(name, short string, what frontier.Command, said, long string) *cobra.Command {
	var ran runFlag
	example := "thresher " + name + " --run runs/quickstart"
	shared := "\n  thresher " + name + " --run 'redis://localhost:6379/0?crawl=solar'"
	cmd := &cobra.Command{
		Use: name, Short: short, Long: long, Example: "  " + example + shared, Args: noArguments(example),
		RunE: func(cmd *cobra.Command, _ []string) error {
			who, err := tell(cmd, &ran, what)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), said, who)
			return nil
		},
	}
	ran.registerShared(cmd.Flags())
	return cmd
}

// tell tells a run, or all machines of a crawl on Redis, and answers what was told.
func tell(cmd *cobra.Command, ran *runFlag, what frontier.Command) (who string, err error) {
	if ran.isShared() {
		s, err := ran.shared(cmd)
		if err != nil {
			return "", err
		}
		defer s.Close()
		return "all machines of crawl " + s.Name, s.Command(what)
	}
	dir, err := ran.dir()
	if err != nil {
		return "", err
	}
	return dir, run.Command(dir, what)
}
