package main

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// shownFailures is how many start pages a crawl that fetched nothing tells of.
const shownFailures = 20

// fewPages is how many pages a crawl fetches at most that is told why there are no more, and fewLinks how many links a page of it
// has at most: others have menus that can be read.
const (
	fewPages = 5
	fewLinks = 10
)

// nothingMore is what to know of a crawl that came to its end early: pages that ask that their links are not followed, or have
// hardly any that can be read, or are filled by scripts alone.
func nothingMore(r focus.Report, config *focus.Config) []string {
	if drawn := drawnAlone(r, config); drawn != nil {
		return drawn
	}
	c := &r.Counts
	fetched := c.Pages - c.Failed - c.Redirects
	switch n := c.Refused[admit.RefusedNoFollow]; {
	case r.Reason != run.NothingMore:
	case c.Kept == 0 && n > 0:
		return []string{fmt.Sprintf("no page is kept, and pages ask that their links are not followed (nofollow: %s): name start pages further inside, or a sitemap", links(n))}
	case 0 < fetched && fetched <= fewPages && c.Links <= fewLinks*fetched:
		return []string{fmt.Sprintf("no more than %s could be reached, and a menu that a script draws is not read: name start pages further inside or a sitemap, or have scripts run by fetch.render; thresher help access", plural(fetched))}
	}
	return nil
}

// drawnAlone is what to know of a live crawl that kept nothing, or met many pages that only a script fills, and has nobody render them.
func drawnAlone(r focus.Report, config *focus.Config) []string {
	c := &r.Counts
	n := c.Dropped[admit.RefusedScript]
	if n == 0 || config.Fetch.Render != "" || config.Web != "" || 10*n < c.Pages && c.Kept > 0 {
		return nil
	}
	return []string{fmt.Sprintf("scripts alone fill %s (script-only), and without them there is nothing to judge: fetch.render names a service that runs those of promising pages; thresher help access", plural(n))}
}

// fruitless is the error of a crawl that came to its end and has fetched nothing at all, because no start page could be had: it
// says of each what came of it. It is nil for every other crawl.
func fruitless(r focus.Report) error {
	c := &r.Counts
	if !r.Finished || r.Waiting > 0 || c.Pages > c.Failed+c.Redirects {
		return nil
	}
	const nothing = "nothing was fetched: "
	if !run.Is(r.Folder) { // machines share it, and each of them has a part of the log
		return errors.New(nothing + noneHad)
	}
	_, failures, err := startPages(r.Folder)
	return errors.Join(errors.New(nothing+failures), err)
}

// finishedFruitless is the error of a run that had come to its end before, and has fetched nothing: it would be no success either
// to leave it at that, whatever was mended since. It is nil for every other run.
func finishedFruitless(dir string) error {
	if !run.Is(dir) {
		return nil
	}
	fetched, failures, err := startPages(dir)
	if err != nil || fetched {
		return err
	}
	return fmt.Errorf("the run in %s is finished and has fetched nothing: %s", dir, failures)
}

// noneHad says of a run why it has fetched nothing.
const noneHad = "no start page could be had"

// startPages reads what became of the start pages of a run: whether any page was fetched, and else what each failed with, what
// cures that, and how to go on then.
func startPages(dir string) (fetched bool, failures string, err error) {
	var told strings.Builder
	failed, planted := 0, false
	var cures cures
	err = run.ReadLog(filepath.Join(dir, run.FileLog), func(d *run.Decision) bool {
		planted = planted || d.Via == 0
		fetched = d.Decision == "keep" || d.Decision == "drop" && page.Arrived(d.Status) && d.Reason.Kind() != admit.RefusedFailed
		if fetched || d.Decision != "drop" && d.Decision != "refuse" || d.Reason.Kind() == admit.RefusedRedirect {
			return !fetched
		}
		if failed++; failed <= shownFailures {
			fmt.Fprintf(&told, "\n  %s: %s", d.URL, d.Reason)
			cures.add(d.URL, d.Reason)
		}
		return true
	})
	if !planted { // they were forgotten, with the hosts that they were on
		return fetched, "its start pages were taken out of it\n  try: thresher inject https://www.example.org/ --run " + shell.Word(dir), err
	}
	if failed > shownFailures {
		fmt.Fprintf(&told, "\n  and %d more: thresher list refused --run %s", failed-shownFailures, shell.Word(dir))
	}
	told.WriteString(cures.said() + "\n  when that is mended: the same command with --fresh")
	return fetched, noneHad + told.String(), err
}

// cures are lines of a crawl file that let start pages be fetched which could not be, each with what is to be known of it.
type cures struct {
	private, unknown, silent []string // hosts that are not public, have no address, or do not answer
	locked                   []string // addresses of hosts and proxies that want a name and a password
	plain                    []string // start pages without TLS: of hosts that speak none, or whose certificates are bad
	proxy, signer, robots    bool
	shut                     bool // a proxy lets nobody through to them
	away, nameless           bool // the web is out of reach from here, for want of a name server
}

// add notes what helps where a start page failed.
func (c *cures) add(address string, reason admit.Refused) {
	u, err := url.Parse(address)
	if err != nil {
		return
	}
	said := string(reason)
	note := func(hosts *[]string, host string) {
		if !slices.Contains(*hosts, host) {
			*hosts = append(*hosts, host)
		}
	}
	switch {
	case strings.Contains(said, wire.WantsLogin):
		_, by, _ := strings.Cut(said, wire.ErrProxy.Error()+": ")
		note(&c.locked, strings.TrimSuffix(by, ": "+wire.WantsLogin))
	case strings.Contains(said, wire.ErrProxy.Error()):
		c.proxy = true
	case strings.Contains(said, wire.ShutByProxy):
		c.shut = true
	case strings.HasPrefix(said, "status: 401 "):
		note(&c.locked, u.Scheme+"://"+u.Host)
	case strings.Contains(said, wire.ErrPrivate.Error()):
		note(&c.private, inList(u.Hostname()))
	case strings.Contains(said, wire.UnknownSigner):
		c.signer = true
	case strings.Contains(said, wire.NoTLS), strings.Contains(said, wire.BadCertificate):
		u.Scheme = "http"
		note(&c.plain, inList(u.Redacted()))
	case strings.Contains(said, wire.NoSuchHost):
		note(&c.unknown, u.Hostname())
		c.away = true
	case strings.Contains(said, "connection refused"):
		note(&c.silent, u.Host)
	case strings.HasPrefix(said, string(admit.RefusedRobots)+":"), strings.HasPrefix(said, string(admit.RefusedUnasked)+": status"):
		c.robots = true
	case strings.HasSuffix(said, ": "+wire.NoNameServer):
		c.nameless, c.away = true, true
	case strings.HasSuffix(said, ": timeout"), strings.Contains(said, "network is unreachable"), strings.Contains(said, "no route to host"):
		c.away = true
	}
}

// said are the cures.
func (c *cures) said() string {
	var all strings.Builder
	away := "where a proxy alone reaches the web"
	if c.nameless {
		away += "; else wait until names are answered here"
	}
	for _, cure := range []struct {
		helps      bool
		line, note string
	}{
		{c.shut, `fetch: {proxies: ["http://proxy.example:3128"]}`, "with one that lets requests through to these hosts"},
		{len(c.private) > 0, "fetch: {private: [" + strings.Join(c.private, ", ") + "]}", ""},
		{c.proxy, `fetch: {proxies: ["http://proxy.example:3128"]}`, "with one that answers; HTTP_PROXY= and HTTPS_PROXY= say that there is none"},
		{len(c.locked) > 0, "fetch: {logins: [LOGINS]}", "LOGINS (mode 0600) has these, with NAME:PASSWORD@ before the host: " + strings.Join(c.locked, ", ")},
		{c.signer, "fetch: {ca: FILE}", "FILE holds the certificate that signs theirs (PEM)"},
		{len(c.plain) > 0, "seeds: [" + strings.Join(c.plain, ", ") + "]", "where they are served without TLS, too; a certificate is its host's to mend"},
		{len(c.unknown) > 0, "seeds: [https://www.example.org/]", "with names as they are written: these have no address: " + strings.Join(c.unknown, ", ")},
		{c.away, `fetch: {proxies: ["http://proxy.example:3128"]}`, away},
		{len(c.silent) > 0, "seeds: [https://www.example.org/]", "with addresses at which a server runs: none does at " + strings.Join(c.silent, ", ")},
		{c.robots, "polite: {robots: ignore}", "for sites of your own; of others, ask whoever runs them"},
	} {
		if !cure.helps {
			continue
		}
		all.WriteString("\n  try: " + cure.line)
		if cure.note != "" {
			all.WriteString("\n    " + cure.note)
		}
	}
	return all.String()
}

// inList is a host or an address as a list of a crawl file has it.
func inList(entry string) string {
	if strings.Contains(entry, ":") && !strings.Contains(entry, "://") || strings.ContainsAny(entry, ",[]{}#") {
		return strconv.Quote(entry)
	}
	return entry
}
