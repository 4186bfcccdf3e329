package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/run"
)

// shownFailures is how many start pages a crawl that fetched nothing tells of.
const shownFailures = 20

// fruitless is the error of a crawl that came to its end and has fetched nothing at all, because no start page could be had: it
// says of each what came of it. It is nil for every other crawl.
func fruitless(r focus.Report) error {
	c := &r.Counts
	if !r.Finished || r.Waiting > 0 || c.Pages > c.Failed+c.Redirects {
		return nil
	}
	var told strings.Builder
	told.WriteString("nothing was fetched: no start page could be had")
	failed := 0
	if !run.Is(r.Folder) { // machines share it, and each of them has a part of the log
		return errors.New(told.String())
	}
	err := run.ReadLog(filepath.Join(r.Folder, run.FileLog), func(d *run.Decision) bool {
		if d.Decision != "drop" && d.Decision != "refuse" || d.Reason == admit.RefusedRedirect {
			return true
		}
		if failed++; failed <= shownFailures {
			fmt.Fprintf(&told, "\n  %s: %s", d.URL, d.Reason)
		}
		return true
	})
	if failed > shownFailures {
		fmt.Fprintf(&told, "\n  and %d others: thresher list refused --run %s", failed-shownFailures, r.Folder)
	}
	return errors.Join(errors.New(told.String()), err)
}
