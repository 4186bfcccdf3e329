package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/thresher-crawler/thresher/focus/audit"
)

// printRemains says how much of the topic is not kept, as far as that can be known.
func printRemains(w io.Writer, r *audit.Remains) {
	if r == nil || r.Missed == nil {
		return // the second look has said why
	}
	said := []string{between(r.Missed) + " fetched and missed"} // told at once: a terminal breaks a line where it is whole
	if r.Waiting != nil {
		said = append(said, between(r.Waiting)+" among the links that wait")
	}
	if r.Left != nil {
		said = append(said, between(r.Left)+" left on the web in all")
	}
	fmt.Fprintf(w, "relevant pages that are not kept, by an estimate: %s\n", strings.Join(said, "; "))
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
