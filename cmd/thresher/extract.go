package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/extract"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

func extractCommand() *cobra.Command {
	var given overrides
	var address string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "extract FILE RUN|URL|PAGE...",
		Short: "Try the extraction rules of a crawl file on pages",
		Long: `Extract shows which values the rules of a crawl file (extract:) find on pages, without a crawl: on all that is kept of a run, from
its archive; on an address, from the recorded web if the crawl has one; or on a file. Of several pages it says at the end how
many have each value. Nothing is written: a crawl writes the values into its records (thresher help extract).`,
		Example: `  thresher extract shop.yaml runs/shop
  thresher extract shop.yaml page.html --url https://shop.example/kettle
  thresher extract shop.yaml https://shop.example/kettle --json`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) < 2:
				return usageError{"extract takes a crawl file, and a run or pages", "thresher extract shop.yaml runs/shop"}
			case len(args) > 2 && address != "":
				return usageError{"--url says where one page comes from, not several", "thresher extract shop.yaml one.html two.html"}
			case address != "" && !isWebAddress(address):
				return usageError{notFrom(address), "thresher extract shop.yaml page.html --url https://shop.example/kettle"}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			config, err := focus.Load(args[0], given.list(cmd.Flags())...)
			if err != nil {
				return err
			}
			if len(config.Extract) == 0 {
				return usageError{args[0] + " has no rules; add some, such as\n    extract: {price: {css: .price, as: number}, author: {css: \"[rel=author]\"}}", "thresher help extract"}
			}
			p := extracts{out: cmd.OutOrStdout(), json: asJSON, rules: config.Extract, have: map[string]int{}}
			for _, source := range args[1:] {
				if err := p.from(config, source, address); err != nil {
					return err
				}
			}
			return p.sum(cmd.ErrOrStderr())
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
			}
			return nil, cobra.ShellCompDirectiveDefault // runs and pages
		},
	}
	given.register(cmd.Flags())
	for _, none := range []string{"store", "budget", "strategy"} {
		hide(cmd.Flags(), none)
	}
	cmd.Flags().StringVar(&address, "url", "", "the `address` a file is taken to come from")
	jsonFlag(cmd.Flags(), &asJSON)
	cmd.Flags().Lookup("json").Usage = "a JSON object for each page on stdout, all else on stderr"
	return cmd
}

// extracts prints what was found on pages, and counts it.
type extracts struct {
	out           io.Writer
	json          bool
	rules         extract.Rules
	have          map[string]int
	pages, failed int
	first         error
}

// from takes a run, an address or a file.
func (x *extracts) from(config focus.Config, source, address string) error {
	if crawlfile.IsAddress(source) || !run.Is(source) {
		return probe.Extract(config, address, []string{source}, func(e probe.Extracted) error {
			e.Err = ofPage(source, e.Err)
			return x.tell(e)
		})
	}
	if !crawlfile.Holds(source, crawlfile.WebFiles...) {
		return misuse(fmt.Errorf("%s has no archive: its crawl had no sink warc, and the pages themselves were not kept\n  try: sinks: [jsonl, warc]\n    in its crawl file, and another crawl of it", source))
	}
	apart := map[string]bool{} // pages that stand in no archive, and whether their bytes stand beside what a second look needs
	for seen, err := range sink.ReadLooks(source) {
		if err != nil {
			return err
		}
		if stored := len(seen.Body) > 0; stored || !seen.Kept {
			apart[seen.Record.URL] = stored
		}
	}
	var archived []string
	taken := map[string]bool{}
	for r, err := range sink.Kept(source) {
		if err != nil {
			return err
		}
		switch stored, is := apart[r.URL]; {
		case stored:
			taken[r.URL] = true
		case is:
			err = x.tell(probe.Extracted{URL: r.FinalURL, Err: errors.New("its bytes are not there: the second look took it in, and a crawl keeps them of such pages only where its file has rules (extract)")})
		default:
			archived = append(archived, r.URL)
		}
		if err != nil {
			return err
		}
	}
	config.Web, config.WebTopic = source, ""
	if err := probe.Extract(config, "", archived, x.tell); err != nil {
		return err
	}
	for seen, err := range sink.ReadLooks(source) {
		if err != nil {
			return err
		}
		if !taken[seen.Record.URL] {
			continue
		}
		e := probe.Extracted{URL: seen.Record.FinalURL}
		e.Values, e.Lacks = x.rules.Values(seen.Body, e.URL)
		if err := x.tell(e); err != nil {
			return err
		}
	}
	return nil
}

// extracted is what --json prints of a page.
type extracted struct {
	URL    string                     `json:"url"`
	Values map[string]json.RawMessage `json:"values"`
	Lacks  []string                   `json:"lacks,omitempty"` // what it must have and has not: a crawl does not keep it
	Error  string                     `json:"error,omitempty"`
}

func (x *extracts) tell(e probe.Extracted) error {
	x.pages++
	for name, said := range e.Values {
		if string(said) != "null" {
			x.have[name]++
		}
	}
	if e.Err != nil {
		if x.failed++; x.first == nil {
			x.first = e.Err
		}
	}
	if x.json {
		line := extracted{URL: e.URL, Values: e.Values, Lacks: e.Lacks}
		if line.Values == nil {
			line.Values = map[string]json.RawMessage{}
		}
		if e.Err != nil {
			line.Error = e.Err.Error()
		}
		return jsonTo(x.out).Encode(line)
	}
	var b strings.Builder
	fmt.Fprintln(&b, shown(e.URL))
	if e.Err != nil {
		fmt.Fprintln(&b, "  "+shown(e.Err.Error()))
	}
	wide := 0
	for _, name := range x.rules.Names() {
		wide = max(wide, columns(name))
	}
	for _, name := range x.rules.Names() {
		if said, ok := e.Values[name]; ok {
			fmt.Fprintf(&b, "  %s%s  %s\n", name, strings.Repeat(" ", wide-columns(name)), clip(shown(string(said)), 76-wide))
		} else if slices.Contains(e.Lacks, name) {
			fmt.Fprintf(&b, "  %s%s  is lacking: a crawl does not keep the page\n", name, strings.Repeat(" ", wide-columns(name)))
		}
	}
	_, err := io.WriteString(x.out, b.String())
	return err
}

// sum says how many pages have each value. Where none of the pages could be had that is an error.
func (x *extracts) sum(w io.Writer) error {
	if x.failed == x.pages && x.first != nil {
		return x.first
	}
	if x.pages < 2 {
		return nil
	}
	fmt.Fprint(w, plural(x.pages))
	if x.failed > 0 {
		fmt.Fprintf(w, ", %d of them could not be read", x.failed)
	}
	fmt.Fprint(w, ":")
	for i, name := range x.rules.Names() {
		if i > 0 {
			fmt.Fprint(w, ",")
		}
		fmt.Fprintf(w, " %s on %d", name, x.have[name])
	}
	fmt.Fprintln(w)
	return nil
}
