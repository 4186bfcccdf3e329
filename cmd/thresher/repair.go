package main

import (
	"fmt"
	"io"
	"strings"

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
place; the damaged files are kept beside it. Links that stood in the damaged part come back from crawl.log, and pages that
are in it are not visited again: what was harvested stays. Lines of crawl.log that cannot be read become comments, records of
harvest.jsonl and parts of WARC files that cannot be read are left out, and all of them are kept beside them. What cannot
be had back is said. Every frame of the log is checked, also those that no link needs any more, and all WARC files are read
through, which takes its time. A run in which nothing is damaged is left as it is.`,
		Example: "  " + example,
		Args:    noArguments(example),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := run.dir()
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
				tellMissing(cmd.OutOrStdout(), &done)
				fmt.Fprintln(cmd.OutOrStdout(), "'thresher crawl FILE' goes on")
			}
			return err
		},
	}
	run.register(cmd.Flags())
	return cmd
}

// tellRepair says what was damaged, and what could not be had back.
func tellRepair(w io.Writer, done *focus.Repaired) {
	if done.Ended != "" {
		fmt.Fprintf(w, "an earlier repair was interrupted, and is ended; the files that it found damaged are in %s\n", done.Ended)
	}
	for _, d := range done.Damage {
		fmt.Fprintf(w, "damaged: %s\n", d)
	}
	if done.Unread > 0 {
		fmt.Fprintf(w, "damaged: %s\n", done.FirstUnread)
		fmt.Fprintf(w, "lost: %s of crawl.log that could not be read; the commands that read it leave them out, and they are in %s\n",
			lineCount(done.Unread), done.Aside)
	}
	if done.Broken > 0 {
		fmt.Fprintf(w, "lost: %s of the harvest that could not be read; left out, and in %s\n", recordCount(done.Broken), strings.Join(done.BrokenAside, ", "))
	}
	for _, g := range done.Gone {
		fmt.Fprintf(w, "damaged: %s from byte %d to %d: %s\n", g.File, g.From, g.To, g.Why)
	}
	if len(done.Gone) > 0 {
		fmt.Fprintf(w, "lost: what stood there; it is left out, and in %s\n", strings.Join(done.GoneAside, ", "))
	}
	for _, f := range done.Forgotten {
		fmt.Fprintf(w, "forgotten: %s\n", f)
	}
	for _, s := range done.Short {
		fmt.Fprintf(w, "lost: the end of %s: %d of its %d bytes are whole\n", s.Name, s.Have, s.Ought)
	}
	for _, name := range done.Rewritten {
		fmt.Fprintf(w, "written again: %s\n", name)
	}
	if done.Kept == "" {
		return
	}
	fmt.Fprintf(w, "%s of %d wait, %d came back from crawl.log, %d were lost; %d bytes could not be read\n", links(done.Waiting), done.Items, done.Recalled, done.Lost, done.Skipped)
	if done.Finished > 0 {
		fmt.Fprintf(w, "%d would have waited again, and are in crawl.log as visited\n", done.Finished)
	}
	if done.Again > 0 {
		fmt.Fprintf(w, "%d visits are made again: what they told could not be read\n", done.Again)
	}
	fmt.Fprintf(w, "the damaged files are in %s\n", done.Kept)
}

func lineCount(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

func recordCount(n int) string {
	if n == 1 {
		return "1 record"
	}
	return fmt.Sprintf("%d records", n)
}

// tellMissing says which pages are in the harvest, or in the WARC files, no more.
func tellMissing(w io.Writer, done *focus.Repaired) {
	for _, lost := range []struct {
		addresses []string
		from, in  string
	}{{done.Missing, "the harvest", done.MissingFile}, {done.Unarchived, "the WARC files", done.UnarchivedFile}} {
		if len(lost.addresses) > 0 {
			fmt.Fprintf(w, "lost: %d pages that were kept are in %s no more; their addresses are in %s\n", len(lost.addresses), lost.from, lost.in)
		}
	}
}
