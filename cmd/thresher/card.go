package main

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/card"
)

const cardExample = "thresher card --run runs/quickstart --out README.md"

func cardCommand() *cobra.Command {
	var which runFlag
	var out string
	cmd := &cobra.Command{
		Use:   "card",
		Short: "Write what somebody who takes a harvest has to know of it",
		Long: `Card writes a README.md for the pages that a run keeps, in the form that hubs of data sets read (Markdown with YAML at its
head): topic and terms, dates, languages, hosts, what the fields say, how pages were judged and how well as far as an audit tells
(thresher label --audit), what sites and authors reserve and what of that was obeyed, and how to make it again.`,
		Example: `  thresher card
  ` + cardExample,
		Args: noArguments(cardExample),
		RunE: func(cmd *cobra.Command, _ []string) error { return writeCard(cmd, &which, out) },
	}
	which.registerShared(cmd.Flags())
	cmd.Flags().StringVarP(&out, "out", "o", "", "write into this `file`, not to stdout")
	writes(cmd.Flags(), "out")
	return cmd
}

func writeCard(cmd *cobra.Command, which *runFlag, out string) error {
	dir, folders, err := which.folders(cmd)
	if err != nil {
		return err
	}
	c, err := card.Of(dir, folders)
	if err != nil {
		return err
	}
	c.Version, c.Fields = thisBuild().Version, fieldsTable()
	return into(unfolded(cmd.OutOrStdout()), out, c.Markdown())
}

// fieldsTable is what the manual says of the fields, for those who have no manual beside the data.
func fieldsTable() string {
	text, _ := chapter("export")
	_, table, _ := strings.Cut(text, "\n## What the fields say\n\n")
	table, _, _ = strings.Cut(table, "\n\n")
	return elsewhere.ReplaceAllString(table, "")
}

// elsewhere is where the manual sends its readers on.
var elsewhere = regexp.MustCompile(" \\((?:`thresher help [a-z]+`|above)\\)")
