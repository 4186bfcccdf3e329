package main

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/wire"
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
	var cures cures
	if !run.Is(r.Folder) { // machines share it, and each of them has a part of the log
		return errors.New(told.String())
	}
	err := run.ReadLog(filepath.Join(r.Folder, run.FileLog), func(d *run.Decision) bool {
		if d.Decision != "drop" && d.Decision != "refuse" || d.Reason == admit.RefusedRedirect {
			return true
		}
		if failed++; failed <= shownFailures {
			fmt.Fprintf(&told, "\n  %s: %s", d.URL, d.Reason)
			cures.add(d.URL, d.Reason)
		}
		return true
	})
	if failed > shownFailures {
		fmt.Fprintf(&told, "\n  and %d others: thresher list refused --run %s", failed-shownFailures, r.Folder)
	}
	told.WriteString(cures.said())
	return errors.Join(errors.New(told.String()), err)
}

// cures are lines of a crawl file, and other things to do, that let start pages be fetched which could not be.
type cures struct {
	private []string // hosts that are not public
	other   []string
}

// add notes what helps where a start page failed.
func (c *cures) add(address string, reason admit.Refused) {
	said := string(reason)
	for _, known := range []struct{ failed, cure string }{
		{wire.BadCertificate, "fetch: {ca: FILE}  (FILE holds the certificate that signs theirs, PEM)"},
		{wire.NoSuchHost, "look at how the names are written, and whether this machine can look up names at all"},
		{"connection refused", "look whether the servers run, and at the ports"},
		{string(admit.RefusedRobots) + ":", "ask whoever runs the sites; for your own, polite: {robots: ignore}"},
	} {
		if strings.Contains(said, known.failed) && !slices.Contains(c.other, known.cure) {
			c.other = append(c.other, known.cure)
		}
	}
	if u, err := url.Parse(address); err == nil && strings.Contains(said, wire.ErrPrivate.Error()) && !slices.Contains(c.private, u.Hostname()) {
		c.private = append(c.private, u.Hostname())
	}
}

// said are the cures, one a line.
func (c *cures) said() string {
	all := c.other
	if len(c.private) > 0 {
		all = append([]string{"fetch: {private: [" + strings.Join(c.private, ", ") + "]}"}, all...)
	}
	if len(all) == 0 {
		return ""
	}
	return "\n  try: " + strings.Join(all, "\n  try: ")
}
