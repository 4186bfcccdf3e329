package etiquette

import (
	"fmt"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// Table is a line for each host.
func (p *Page) Table() string {
	var b strings.Builder
	fmt.Fprintln(&b, "pages  pause: least  half above   want  4xx  5xx  none  not asked  host")
	for _, h := range p.Hosts {
		rules := 0
		for _, c := range h.NotAsked {
			rules += c.Times
		}
		fmt.Fprintf(&b, "%5d  %12s  %10s  %5s  %3d  %3d  %4d  %9d  %s\n", h.Pages, pause(h.Least, h.Pages > 1), pause(h.Median, h.Pages > 1),
			pause(p.Pause(h), true), h.Answers.Client, h.Answers.Server, h.Answers.None, rules, sink.Plain(h.Host))
	}
	return b.String()
}

// pause is a time between two requests, and a dash where there were no two.
func pause(d time.Duration, known bool) string {
	if !known {
		return "-"
	}
	if d >= 1000*time.Second {
		return fmt.Sprintf("%.0fs", d.Seconds())
	}
	return fmt.Sprintf("%.4gs", d.Round(time.Millisecond).Seconds())
}

// Markdown is a page for each host, to be shown to whoever runs it.
func (p *Page) Markdown() string {
	var b strings.Builder
	for i, h := range p.Hosts {
		if i > 0 {
			b.WriteString("\n")
		}
		p.host(&b, h)
	}
	return b.String()
}

// shown is how many lines of one list stand on a page.
const shown = 20

func (p *Page) host(b *strings.Builder, h *Host) {
	line := func(form string, values ...any) { fmt.Fprintf(b, form+"\n", values...) }
	polite := &p.Config.Polite
	line("# What was asked of %s\n", code(h.Host))
	line("The crawler calls itself %s in robots.txt%s.", code(polite.Agent), reached(polite.Contact))
	if p.Config.Web != "" {
		line("This run read a recorded web: nobody was asked for anything, and its times are those of the recording.")
	}
	if h.Pages == 0 {
		line("No page of this host was asked for.\n")
	} else {
		line("It asked for its first page on %s, and for the last one on %s.\n", day(h.First), day(h.Last))
	}
	line("| | |\n|---|---|")
	line("| pages asked for | %d |", h.Pages)
	if h.Again > 0 {
		line("| of them, to be asked for once more | %d |", h.Again)
	}
	if h.Pages > 1 {
		line("| from the end of one request to the end of the next | at least %s, half of them %s or more |", pause(h.Least, true), pause(h.Median, true))
	}
	line("| wanted between two requests | %s by the crawl%s |", pause(polite.Delay.Duration(), true), p.wish(h))
	if polite.PerHost > 1 {
		line("| requests at the same time, at most | %d |", polite.PerHost)
	}
	a := h.Answers
	line("| answers | %d of 2xx, %d of 3xx, %d of 4xx, %d of 5xx, %d none |", a.Success, a.Redirect, a.Client, a.Server, a.None)
	line("| bytes of pages | %d |", h.Bytes)
	line("| pages kept at first sight | %d |", h.Kept)
	if h.NotFollowed > 0 {
		line("| links to it that were not followed, because their page asks for that (nofollow) | %d |", h.NotFollowed)
	}
	list(b, "Addresses that were not asked for, by what robots.txt says, or why it could not be had", h.NotAsked)
	list(b, "Pages that were read and not kept, because their author or the host says so", h.NotKept)
	if polite.Robots != "obey" {
		line("\nThis crawl was told not to obey robots.txt (`polite.robots: %s`).", polite.Robots)
	}
}

func reached(contact string) string {
	if contact == "" {
		return ""
	}
	return "; whoever runs it is reached at " + code(contact)
}

// wish is what robots.txt asks for, as far as it is known.
func (p *Page) wish(h *Host) string {
	switch {
	case p.Config.Polite.Robots != "obey":
		return "; robots.txt was not asked for"
	case !h.Known:
		return "; what robots.txt wants is not known any more"
	case h.Asked == 0:
		return ", nothing by robots.txt"
	}
	return ", " + pause(h.Asked, true) + " by robots.txt (Crawl-delay)"
}

func list(b *strings.Builder, title string, all []Count) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n\n", title)
	for _, c := range all[:min(shown, len(all))] {
		fmt.Fprintf(b, "- %d × %s\n", c.Times, code(c.Says))
	}
	if more := len(all) - shown; more > 0 {
		fmt.Fprintf(b, "- and by %d more\n", more)
	}
}

func day(t time.Time) string { return t.UTC().Format("2 January 2006 at 15:04:05 UTC") }

// code shows text from the web as it is: nothing in it is Markdown.
func code(s string) string {
	return "`" + strings.ReplaceAll(page.OneLine(sink.Plain(s)), "`", "'") + "`"
}
