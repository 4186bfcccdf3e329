package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/study"
)

const learnExample = "thresher learn export --run runs/solar --to solar.learned"

func learnCommand() *cobra.Command {
	cmd := over("it exports", learnExample, learnExportCommand())
	cmd.Use, cmd.Short, cmd.Example = "learn export", "Pass on what a crawl has learned to another", "  "+learnExample
	return cmd
}

func learnExportCommand() *cobra.Command {
	var ran runFlag
	var to string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write what the strategy of a run has learned into a file",
		Long: `Export writes what the strategy of a finished run has learned into a file, for crawls of the same topic elsewhere:

  learn: {from: solar.learned}

in their crawl file lets them begin with it; learn: {from: runs/solar} does the same without a file of its own. What is
handed on are the weights of signs and words, and nothing of a host, a page or a block but hashes of the addresses of some
pages, by which a recorded web is known again: a crawl of one it was learned on is refused, whatever it is called. Only
strategies that learn have something to hand on, such as apprentice.

With --json stdout is one object: crawl, web (if it was a recorded one), strategy, pages, relevant, sum (of what was
learned), file.`,
		Example: `  ` + learnExample,
		Args:    noArguments(learnExample),
		RunE:    func(cmd *cobra.Command, _ []string) error { return exportLearned(cmd, &ran, to, asJSON) },
	}
	ran.register(cmd.Flags())
	cmd.Flags().StringVar(&to, "to", "", "write it into this `file`")
	writes(cmd.Flags(), "to")
	jsonFlag(cmd.Flags(), &asJSON)
	return cmd
}

func exportLearned(cmd *cobra.Command, ran *runFlag, to string, asJSON bool) error {
	if to == "" {
		return usageError{"--to is not given: into which file?", learnExample}
	}
	dir, err := ran.dir()
	if err != nil {
		return err
	}
	e, err := study.ReadExperience(dir)
	if err != nil {
		return err
	}
	if err := e.Save(to); err != nil {
		return err
	}
	if asJSON {
		return jsonTo(cmd.OutOrStdout()).Encode(struct {
			*study.Experience
			File string `json:"file"`
		}{e, to})
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: what %s learned of %s from %s, %d of them relevant\n", to, e.Strategy, e.Crawl, plural(e.Pages), e.Relevant)
	return err
}
