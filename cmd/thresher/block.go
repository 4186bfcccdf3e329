package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/run"
)

const blockExample = "thresher block ads.example.com --run runs/quickstart"

func blockCommand() *cobra.Command {
	var ran runFlag
	var again bool
	cmd := &cobra.Command{
		Use:   "block HOST…",
		Short: "Ask a host no more in this run",
		Long: `Block has a run ask a host no more: links to it are refused as "blocked", those that wait when their turn comes, and what was
harvested of it stays. A running crawl hears it within a second, any other when it is started again; it holds for this run. The
host is named as list sites shows it (at any port, where none is named), or by an address on it. --again takes it back, but for links that were refused meanwhile.

Of a crawl that machines share, --run runs/NAME tells those whose folders are below it.`,
		Example: "  " + blockExample + "\n  thresher block ads.example.com --again",
		Args:    someArguments("host", blockExample),
		RunE: func(cmd *cobra.Command, hosts []string) error {
			if err := namedHosts(hosts, blockExample); err != nil {
				return err
			}
			verb := "blocked"
			if again {
				verb = "not blocked any more"
				if err := areBlocked(cmd, &ran, hosts); err != nil {
					return err
				}
			}
			return orderAll(cmd, &ran, verb+": "+strings.Join(hosts, ", "), func(dir string) (bool, error) { return run.Block(dir, hosts, again) })
		},
	}
	ran.register(cmd.Flags())
	cmd.Flags().BoolVar(&again, "again", false, "ask it again")
	return cmd
}

// areBlocked refuses to let hosts in again that nobody keeps out.
func areBlocked(cmd *cobra.Command, ran *runFlag, hosts []string) error {
	dir, folders, err := ran.folders(cmd)
	if err != nil {
		return err
	}
	var blocked []string
	for _, folder := range folders {
		o, err := run.ReadOrders(folder)
		if err != nil {
			return err
		}
		blocked = append(blocked, o.Blocked...)
	}
	slices.Sort(blocked)
	for _, h := range hosts {
		switch {
		case len(blocked) == 0:
			return fmt.Errorf("%s is not blocked: no host is, in %s", h, dir)
		case !slices.Contains(blocked, h):
			return fmt.Errorf("%s is not blocked in %s; blocked there: %s", h, dir, strings.Join(slices.Compact(blocked), ", "))
		}
	}
	return nil
}

const budgetExample = "thresher budget 5000 --run runs/quickstart"

func budgetCommand() *cobra.Command {
	var ran runFlag
	cmd := &cobra.Command{
		Use:   "budget PAGES",
		Short: "Give a run a larger budget of pages",
		Long: `Budget gives a run a larger budget of pages, while it goes on or before it is started again; it holds for this run for as
long as budget.pages in its crawl file says what it says now. +N gives it so many more than it has.`,
		Example: "  " + budgetExample + "\n  thresher budget +500",
		Args:    oneArgument("number of pages", budgetExample),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[0])
			more := strings.HasPrefix(args[0], "+")
			if err != nil || n <= 0 {
				return usageError{fmt.Sprintf("%s is no number of pages; want one such as 5000, or +500", args[0]), budgetExample}
			}
			return orderAll(cmd, &ran, "the budget is raised", func(dir string) (bool, error) { return run.Raise(dir, n, more) })
		},
	}
	ran.register(cmd.Flags())
	return cmd
}

// orderAll orders something of a run, or of each machine that shares it, and says what that comes to.
func orderAll(cmd *cobra.Command, ran *runFlag, done string, order func(dir string) (running bool, err error)) error {
	_, folders, err := ran.folders(cmd)
	if err != nil {
		return err
	}
	when := "; it will be so when the crawl is started again"
	for _, dir := range folders {
		running, err := order(dir)
		if err != nil {
			return err
		}
		if running {
			when = "; the crawl hears it within a second"
		}
	}
	fmt.Fprintln(cmd.ErrOrStderr(), done+when)
	return nil
}
