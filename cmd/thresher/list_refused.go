package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/sink"
)

const refusedExample = "thresher list refused --run runs/quickstart"

// refusedFlags say which refusals are listed, and how.
type refusedFlags struct {
	run    runFlag
	json   bool
	wide   bool
	top    int
	reason string
	hosts  []string
}

func listRefusedCommand() *cobra.Command {
	var f refusedFlags
	cmd := &cobra.Command{
		Use:   "refused",
		Short: "List the links that did not enter and the pages that were not kept, with the reasons",
		Long: `List refused shows the links that did not enter and the pages that were not kept, by reason, the commonest reason first;
what the second look took in is kept, or a round of --again, and what it took out is not. Each
reason has a name, which --reason, crawl.log and the summary of a crawl use, and says in words what it stands for; where somebody
said something (the line of a robots.txt, the status of an answer) it stands before the address.`,
		Example: "  " + refusedExample + ` --top 5
  thresher list refused --reason robots
  thresher list refused --reason "status: 404" --host '*.example.org' --json`,
		Args: noArguments(refusedExample),
		RunE: func(cmd *cobra.Command, _ []string) error { return listRefused(cmd, &f) },
	}
	f.run.registerShared(cmd.Flags())
	jsonFlag(cmd.Flags(), &f.json)
	wideFlag(cmd.Flags(), &f.wide)
	cmd.Flags().IntVar(&f.top, "top", 0, "only the first `N` of each reason; 0: all")
	cmd.Flags().StringVar(&f.reason, "reason", "", "only what was refused for this `reason`")
	cmd.Flags().StringSliceVar(&f.hosts, "host", nil, "only what is on these hosts; *.a.com is a.com and what is below it")
	return cmd
}

func listRefused(cmd *cobra.Command, f *refusedFlags) error {
	if f.top < 0 {
		return usageError{fmt.Sprintf("--top is %d, want at least 0", f.top), "thresher list refused --top 20"}
	}
	if err := readHosts(f.hosts, refusedExample); err != nil {
		return err
	}
	r, err := f.run.read(cmd)
	if err != nil {
		return err
	}
	groups, total, err := f.groups(r)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(groups))
	if groups = f.pick(groups); len(groups) == 0 && len(names) > 0 {
		where := "in this run"
		if len(f.hosts) > 0 {
			where = "on these hosts"
		}
		return usageError{fmt.Sprintf("nothing was refused as %q %s; the reasons there are %s", f.reason, where, named(names)), "thresher list refused --reason " + shell.Word(string(names[0]))}
	}
	kinds := slices.SortedFunc(maps.Keys(groups), func(a, b admit.Refused) int {
		return cmp.Or(cmp.Compare(len(groups[b]), len(groups[a])), cmp.Compare(a, b))
	})
	rows := []row{}
	for _, kind := range kinds {
		all := groups[kind]
		shown := all
		if f.top > 0 {
			shown = all[:min(f.top, len(all))]
		}
		if rows = append(rows, shown...); !f.json {
			printRefused(listOn(cmd.OutOrStdout(), f.wide), kind, shown, len(all))
		}
	}
	if f.json {
		return jsonTo(cmd.OutOrStdout()).Encode(map[string]any{"total": total, "refused": rows})
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d of %d\n", len(rows), total)
	return nil
}

// groups are the refusals of the hosts that are asked for, by the kind of reason and in the order in which they came, and how
// many there are in all.
func (f *refusedFlags) groups(ran *run.Run) (groups map[admit.Refused][]row, total int, err error) {
	kept, err := keptAgain(append([]string{ran.Dir}, ran.Parts...))
	if err != nil {
		return nil, 0, err
	}
	since := map[string]bool{} // addresses of which a round of --again keeps what the crawl did not
	if sink.VisitedAgain(ran.Dir) {
		for record, err := range sink.KeptBriefly(ran.Dir) {
			if err != nil {
				return nil, 0, err
			}
			since[record.URL] = true
		}
	}
	groups = map[admit.Refused][]row{}
	back := map[uint64]bool{} // links that were refused and may wait again: whether they were visited then
	err = ran.Log(func(d *run.Decision) bool {
		if cameBack, was := back[d.ID]; was && !cameBack && d.Fetched() {
			back[d.ID] = true
			total--
		}
		if d.Reason = notKept(d, kept); d.Reason == "" || d.Decision == "drop" && since[d.URL] {
			return true
		}
		if total++; d.Decision == "drop" && run.ComesBack(d.Reason) {
			back[d.ID] = false
		}
		if len(f.hosts) == 0 || slices.ContainsFunc(f.hosts, func(h string) bool { return within(page.Host(d.URL), h) }) {
			r := rowOf(d)
			r.Relevance, r.id = nil, d.ID
			groups[d.Reason.Kind()] = append(groups[d.Reason.Kind()], r)
		}
		return true
	}, append([]string{"refuse"}, run.Visits...)...)
	for kind, rows := range groups {
		if rows = slices.DeleteFunc(rows, func(r row) bool { return back[r.id] && run.ComesBack(kind) }); len(rows) > 0 {
			groups[kind] = rows
		} else {
			delete(groups, kind)
		}
	}
	return groups, total, err
}

// notKept is why a link did not enter or a page is not kept; empty of what is. What later looks keep is given where there was one.
func notKept(d *run.Decision, later map[uint64]sink.Again) admit.Refused {
	_, is := later[d.ID]
	switch {
	case d.Decision == "refuse", d.Decision == "drop" && !is:
		return d.Reason
	case d.Decision == "keep" && later != nil && !is:
		return admit.RefusedOut
	}
	return ""
}

// pick leaves what was refused for the reason that is asked for: "status" is every error, "status: 404" those alone.
func (f *refusedFlags) pick(groups map[admit.Refused][]row) map[admit.Refused][]row {
	if f.reason == "" {
		return groups
	}
	asked := admit.Refused(f.reason)
	rows := slices.DeleteFunc(groups[asked.Kind()], func(r row) bool { return !strings.HasPrefix(r.Reason, f.reason) })
	if len(rows) == 0 {
		return nil
	}
	return map[admit.Refused][]row{asked.Kind(): rows}
}

// printRefused prints one reason, and what was refused for it.
func printRefused(w io.Writer, kind admit.Refused, rows []row, of int) {
	fmt.Fprintf(w, "%s (%d): %s\n", kind, of, kind.Sentence())
	for _, r := range rows {
		if said := admit.Refused(r.Reason).Said(); said != "" {
			fmt.Fprintf(w, "    %s  %s\n", clip(said, 60), r.link())
		} else {
			fmt.Fprintf(w, "    %s\n", r.link())
		}
	}
	if len(rows) < of {
		fmt.Fprintf(w, "    and %d more\n", of-len(rows))
	}
}

// named lists names in a sentence.
func named(names []admit.Refused) string {
	said := make([]string, len(names))
	for i, n := range names {
		said[i] = strconv.Quote(string(n))
	}
	return strings.Join(said, ", ")
}
