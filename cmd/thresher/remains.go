package main

import (
	"fmt"
	"io"

	"github.com/thresher-crawler/thresher/focus/audit"
)

// printRemains says how much of the topic is not kept, as far as that can be known.
func printRemains(w io.Writer, r *audit.Remains) {
	if r == nil || r.Missed == nil {
		return // the second look has said why
	}
	fmt.Fprintf(w, "relevant pages that are not kept, by an estimate: %s fetched and missed", between(r.Missed))
	if r.Waiting != nil {
		fmt.Fprintf(w, "; %s among the links that wait", between(r.Waiting))
	}
	if r.Left != nil {
		fmt.Fprintf(w, "; %s left on the web in all", between(r.Left))
	}
	fmt.Fprintln(w)
	switch {
	case r.Waiting == nil:
		fmt.Fprintf(w, "  how many wait, or are left on the web, is not known: %s\n", r.Silent)
	case r.Left == nil:
		fmt.Fprintf(w, "  how many are left on the web is not known: %s\n", r.Silent)
	}
}

// between is an estimate with its interval.
func between(i *audit.Interval) string {
	return fmt.Sprintf("%.0f (%.0f to %.0f)", i.Estimate, i.Low, i.High)
}
