package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/forget"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
)

const forgetExample = "thresher forget www.example.org --run runs/quickstart"

func forgetCommand() *cobra.Command {
	var ran runFlag
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "forget HOST…",
		Short: "Take all of a host out of a run, and keep it out",
		Long: `Forget takes a host out of a run that stands still: its pages and their records, the links to it that wait, scores, labels, what
is said of it in the log, its pages in the WARC files, and the index, which is made anew. All files are written anew beside the old
ones and take their place in one step: a process that is killed leaves the old run or the new one. What was taken out is gone.

What the crawl has learned starts again from nothing, since nobody can tell what of it came from the host. Pages of other hosts
stay as they are, and forget says how often they name an address of it. The host is blocked in this run from then on (state/orders;
'thresher block --again' lets it in), so that a later crawl of the run does not ask it; with --fresh a run starts anew, and knows of no
block: leave the host out in the crawl file, too (scope: {not_hosts: […]}).

Sub-domains of a host are others. What was exported, and indexes elsewhere, are not touched. See 'thresher help rights'.`,
		Example: "  " + forgetExample,
		Args:    someArguments("host", forgetExample),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := namedHosts(args, forgetExample); err != nil {
				return err
			}
			return forgetHosts(cmd, &ran, args, asJSON)
		},
	}
	ran.register(cmd.Flags())
	jsonFlag(cmd.Flags(), &asJSON)
	return cmd
}

func forgetHosts(cmd *cobra.Command, ran *runFlag, hosts []string, asJSON bool) error {
	if ran.isShared() {
		return forget.Shared{Named: ran.hidden()}
	}
	dir, folders, err := ran.folders(cmd)
	if err != nil {
		return err
	}
	if !hasRun(dir) {
		return forget.Shared{Named: dir}
	}
	done, err := forget.Hosts(dir, hosts)
	before := (*forget.Unknown)(nil)
	if errors.As(err, &before) && areBlocked(cmd, ran, hosts) == nil { // what is left to do is to tell a cluster that was away
		done, err = &forget.Report{Run: dir, Hosts: before.Hosts, Named: []string{}}, nil
	}
	if err != nil {
		return err
	}
	if asJSON {
		err = jsonTo(cmd.OutOrStdout()).Encode(done)
	} else if before != nil {
		fmt.Fprintf(cmd.OutOrStdout(), "nothing of %s is left in %s, and it is blocked there\n", strings.Join(hosts, ", "), dir)
	} else {
		tellForgotten(cmd.OutOrStdout(), done)
	}
	if err != nil {
		return err
	}
	if done.Indexed {
		all, err := new(collectionFlags).open(cmd, []string{dir})
		if err == nil {
			err = all.update(cmd.Context(), cmd.ErrOrStderr(), false)
			all.Close()
		}
		if err != nil {
			return fmt.Errorf("the index is gone and was not made anew ('thresher index %s' makes it): %w", shell.Word(dir), err)
		}
	}
	return sendAgain(cmd, dir, folders)
}

func tellForgotten(w io.Writer, r *forget.Report) {
	fmt.Fprintf(w, "forgotten in %s: %s\n", r.Run, strings.Join(r.Hosts, ", "))
	fmt.Fprintf(w, "  %s taken out, %d of them fetched; %s of the harvest", links(r.Links), r.Fetched, plural(r.Kept))
	if r.Labels > 0 {
		fmt.Fprintf(w, ", %s", run.Several(r.Labels, "label"))
	}
	fmt.Fprintln(w, "\n  blocked in this run from now on; what the crawl had learned starts again from nothing")
	if r.Mentions > 0 {
		times := fmt.Sprintf("%d times", r.Mentions)
		if r.Mentions == 1 {
			times = "once"
		}
		fmt.Fprintf(w, "  stored pages of other hosts name an address there %s, and stay as they are\n", times)
	}
	for _, name := range r.Named {
		fmt.Fprintf(w, "  %s still names it: change it by hand if you want to\n", name)
	}
}
