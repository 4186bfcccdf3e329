package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/etiquette"
	"github.com/thresher-crawler/thresher/focus/page"
)

const etiquetteExample = "thresher etiquette www.example.org --run runs/quickstart"

func etiquetteCommand() *cobra.Command {
	var which runFlag
	var asJSON bool
	var out string
	cmd := &cobra.Command{
		Use:   "etiquette [HOST…]",
		Short: "Show what a crawl asked of a host, for whoever complains",
		Long: `Etiquette tells of every host what a run asked of it: how many pages, with which pauses between them and which were wanted
(polite.delay, the host's Crawl-delay), what was answered, how many bytes came, which lines of robots.txt kept addresses from being
asked for, and which pages were not kept because their author reserves that. Rounds of 'crawl --again' count, too. It is read from
crawl.log and from the state of the run; what is asked of a host beside its pages (robots.txt, tdmrep.json, and once an address that nobody
can have) is not counted.

Without a host it prints a line for each, the most visited first. With hosts it prints a page of Markdown for each, to be shown to
whoever runs the site. Sub-domains of a host are others.`,
		Example: `  thresher etiquette
  ` + etiquetteExample + ` --out answer.md`,
		RunE: func(cmd *cobra.Command, hosts []string) error { return showEtiquette(cmd, &which, hosts, asJSON, out) },
	}
	which.registerShared(cmd.Flags())
	jsonFlag(cmd.Flags(), &asJSON)
	cmd.Flags().StringVarP(&out, "out", "o", "", "write into this `file`, not to stdout")
	writes(cmd.Flags(), "out")
	return cmd
}

func showEtiquette(cmd *cobra.Command, which *runFlag, hosts []string, asJSON bool, out string) error {
	if err := namedHosts(hosts, etiquetteExample); err != nil {
		return err
	}
	r, err := which.read(cmd)
	if err != nil {
		return err
	}
	p, err := etiquette.Of(r, func(host string) bool { return len(hosts) == 0 || page.Named(host, hosts) })
	if err != nil {
		return err
	}
	for _, h := range hosts {
		if !slices.ContainsFunc(p.Hosts, func(a *etiquette.Host) bool { return page.Named(a.Host, []string{h}) }) {
			return fmt.Errorf("the run %s asked nothing of %s: 'thresher etiquette' shows its hosts", r.Dir, h)
		}
	}
	screen := cmd.OutOrStdout()
	if asJSON || len(hosts) > 0 {
		screen = unfolded(screen) // it is for others, to be copied
	}
	switch {
	case asJSON:
		var b bytes.Buffer
		if err := jsonTo(&b).Encode(map[string]any{"hosts": etiquetteOf(p)}); err != nil {
			return err
		}
		return into(screen, out, b.Bytes())
	case len(hosts) == 0:
		return into(screen, out, []byte(p.Table()))
	}
	return into(screen, out, []byte(p.Markdown()))
}

// etiquetteObject is a host in JSON, with its pauses in seconds.
type etiquetteObject struct {
	*etiquette.Host
	First     string  `json:"first,omitempty"`
	Last      string  `json:"last,omitempty"`
	Least     float64 `json:"least_pause"`
	Median    float64 `json:"median_pause"`
	Delay     float64 `json:"delay"`
	CrawlWish float64 `json:"crawl_delay"`
}

func etiquetteOf(p *etiquette.Page) []etiquetteObject {
	objects := []etiquetteObject{}
	for _, h := range p.Hosts {
		o := etiquetteObject{Host: h, Least: h.Least.Seconds(), Median: h.Median.Seconds(), Delay: p.Pause(h).Seconds(), CrawlWish: h.Asked.Seconds()}
		if h.Pages > 0 {
			o.First, o.Last = h.First.UTC().Format(timeForm), h.Last.UTC().Format(timeForm)
		}
		objects = append(objects, o)
	}
	return objects
}

const timeForm = "2006-01-02T15:04:05.000Z"
