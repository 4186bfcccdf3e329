package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
)

// shownRefusals is how many reasons a summary shows.
const shownRefusals = 5

// printSummary is the page a person sees when a crawl has ended that took so long; over a recorded web it says how long here,
// too. other is the crawl it is compared with, if any.
func printSummary(w io.Writer, r focus.Report, took string, other *focus.Report) {
	c := &r.Counts
	if c.Pages <= c.Failed+c.Redirects {
		fmt.Fprintf(w, "\n%s: no page was fetched, in %s", r.Name, took)
	} else {
		fmt.Fprintf(w, "\n%s: %s in %s", r.Name, plural(c.Pages), took)
		fmt.Fprintf(w, ", %d of them relevant (%.1f %%)", c.Relevant, 100*c.Harvest())
	}
	fmt.Fprintf(w, "\nstrategy %s; stopped because %s\n", r.Strategy, r.Reason)
	if c.Relevant > 0 && c.Pages > 1 || other != nil && other.Counts.Relevant > 0 {
		fmt.Fprintln(w)
		harvestChart(c, other).Text(w, 60, 9)
	}
	if other != nil {
		printComparison(w, r, *other)
	}
	printFinds(w, c.Best)
	if c.Spared > 0 {
		fmt.Fprintf(w, "\n  fetch.since spared %s: %s had not changed\n", inBytes(c.SparedBytes), plural(c.Spared))
	}
	unasked, dropped := refusals(c)
	printReasons(w, "links refused", unasked)
	printReasons(w, "pages not kept", dropped)
	for i, d := range r.Drifts {
		fmt.Fprintf(w, "centre %d of the topic, made of %s, was moved by %s: its cosine with where it began is %.3f\n", i+1, plural(d.Examples), plural(d.Pages), d.Cosine)
	}
	printNotes(w, r.Notes)
	for _, p := range r.Panics {
		first, _, _ := strings.Cut(p, "\n")
		fmt.Fprintf(w, "a callback panicked on %s\n", first)
	}
	fmt.Fprintf(w, "\n%s kept, %s waiting; results in %s\n", plural(c.Kept), links(r.Waiting), r.Folder)
}

// harvestChart draws how many relevant pages were found against how many were fetched.
func harvestChart(c *ledger.Counts, other *focus.Report) *measure.Chart {
	chart := &measure.Chart{X: "pages", Y: "relevant pages", XMax: 1, YMax: 1}
	draw := func(curve []ledger.Point, faint bool) {
		line := measure.Line{X: []float64{0}, Y: []float64{0}, Faint: faint}
		for _, p := range curve {
			line.X, line.Y = append(line.X, float64(p.Pages)), append(line.Y, float64(p.Relevant))
		}
		last := len(line.X) - 1
		chart.XMax, chart.YMax = max(chart.XMax, line.X[last]), max(chart.YMax, line.Y[last])
		chart.Lines = append(chart.Lines, line)
	}
	draw(c.Curve, false)
	if other != nil {
		draw(other.Counts.Curve, true)
	}
	return chart
}

// printArchive says how much room the archive takes, and what a second look needs beside it.
func printArchive(w io.Writer, r focus.Report) {
	archive, looks := sizeOf(r.Folder, "pages-*.warc.gz"), sizeOf(r.Folder, "look*.jsonl")
	if archive == 0 && looks == 0 {
		return
	}
	var said []string
	if archive > 0 && r.Counts.Kept > 0 {
		grew := "the WARC files grew to " + inBytes(archive)
		if !run.OfMachine(r.Folder) { // where other machines keep pages, too
			grew += fmt.Sprintf(", %s for each page kept", inBytes(archive/int64(r.Counts.Kept)))
		}
		said = append(said, grew)
	}
	if looks > 0 {
		said = append(said, fmt.Sprintf("what a second look needs takes %s", inBytes(looks)))
	}
	fmt.Fprintln(w, "  "+strings.Join(said, "; "))
}

// inBytes is a size as people say it.
func inBytes(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d bytes", n)
	case n < 10_000_000:
		return fmt.Sprintf("%d KB", n/1000)
	case n < 10_000_000_000:
		return fmt.Sprintf("%d MB", n/1_000_000)
	}
	return fmt.Sprintf("%d GB", n/1_000_000_000)
}

// sizeOf is how long the files of a folder are together.
func sizeOf(folder, pattern string) (n int64) {
	names, _ := filepath.Glob(filepath.Join(folder, pattern)) // it fails on a bad pattern only
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			n += info.Size()
		}
	}
	return n
}

// printNotes writes what a person should know before relying on a judge.
func printNotes(w io.Writer, notes []string) {
	for _, n := range notes {
		fmt.Fprintf(w, "WARNING: %s\n", n)
	}
}

func printComparison(w io.Writer, r, other focus.Report) {
	fmt.Fprintln(w)
	for _, s := range []struct {
		mark rune
		r    focus.Report
	}{{'●', r}, {'·', other}} {
		fmt.Fprintf(w, "  %c %-14s kept %5d of %d pages (%.1f %%)\n", s.mark, s.r.Strategy, s.r.Counts.Kept,
			s.r.Counts.Pages, percent(s.r.Counts.Kept, s.r.Counts.Pages))
	}
	if other.Counts.Kept > 0 {
		fmt.Fprintf(w, "  %s kept %.1f times as many as %s\n", r.Strategy,
			float64(r.Counts.Kept)/float64(other.Counts.Kept), other.Strategy)
	}
}

func printFinds(w io.Writer, finds []ledger.Find) {
	if len(finds) == 0 {
		return
	}
	by, looked := "", slices.ContainsFunc(finds, func(f ledger.Find) bool { return f.Second > 0 })
	if looked {
		by = ", by the second look"
	}
	fmt.Fprintf(w, "\n  best finds%s\n", by)
	for _, f := range finds {
		relevance := f.Relevance
		if looked {
			relevance = f.Second
		}
		title := cmp.Or(f.Title, "(no title)")
		fmt.Fprintf(w, "    %.2f  %s\n          %s\n", relevance, clip(title, 70), page.Readable(f.URL))
	}
}

// refusals are those of links and of pages. What waited and was refused in the end was never asked for: it is no page, and pages that
// are kept and pages that are not come to all that were fetched.
func refusals(c *ledger.Counts) (links, pages admit.Tally) {
	links, pages = admit.Tally{}, admit.Tally{}
	maps.Copy(links, c.Refused)
	for reason, n := range c.Dropped {
		if reason.Unvisited() {
			links[reason] += n
		} else {
			pages[reason] = n
		}
	}
	return links, pages
}

func printReasons(w io.Writer, heading string, t admit.Tally) {
	if len(t) == 0 {
		return
	}
	fmt.Fprintf(w, "\n  %s\n", heading)
	for i, reason := range t.Sorted() {
		if i == shownRefusals {
			other := "1 other reason"
			if len(t)-i > 1 {
				other = fmt.Sprintf("%d other reasons", len(t)-i)
			}
			fmt.Fprintf(w, "    and %s: thresher list refused\n", other)
			break
		}
		fmt.Fprintf(w, "    %7d  %s\n", t[reason], reason)
	}
}

func percent(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

func plural(n int) string { return run.Several(n, "page") }

func links(n int) string { return run.Several(n, "link") }

// duration is a time as people say it.
func duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// clip cuts a text to a width on the terminal, where a Chinese character takes two columns, and keeps control
// characters away from the terminal.
func clip(s string, columns int) string {
	var b strings.Builder
	for _, r := range page.OneLine(s) {
		if unicode.IsControl(r) || !unicode.IsPrint(r) {
			continue
		}
		if columns -= width(r); columns < 0 {
			b.WriteRune('…')
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

func width(r rune) int {
	if r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0xFF01 && r <= 0xFF60 || r >= 0xFFE0 && r <= 0xFFE6 ||
		r >= 0x3000 && r <= 0x303F || r >= 0x1F300 && r <= 0x1FAFF {
		return 2
	}
	return 1
}
