package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/page"
)

func judgeCommand() *cobra.Command {
	var o overrides
	var address string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "judge FILE URL|PAGE",
		Short: "Judge one page by the topic of a crawl file",
		Long: `Judge says how relevant a page is to the topic of a crawl file, and which words said so. The page is an address (asked
of the recorded web where the crawl has one) or a file. A crawl that goes on has seen other pages, and weighs words by
them; judge sees this page only.`,
		Example: `  thresher judge configs/quickstart.yaml page.html --url https://example.org/page.html
  thresher judge solar.yaml https://example.org/ --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{fmt.Sprintf("judge takes a crawl file and a page, not %d arguments", len(args)),
					"thresher judge configs/quickstart.yaml page.html"}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			config, err := focus.Load(args[0], o.list(cmd.Flags())...)
			if err != nil {
				return err
			}
			v, err := focus.Judge(config, args[1], address)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(verdictOf(v))
			}
			printVerdict(cmd.OutOrStdout(), v)
			return nil
		},
	}
	o.register(cmd.Flags())
	for _, none := range []string{"store", "budget", "strategy"} {
		hide(cmd.Flags(), none)
	}
	cmd.Flags().StringVar(&address, "url", "", "the `address` a file is taken to come from")
	jsonFlag(cmd.Flags(), &asJSON)
	return cmd
}

// hide keeps a flag out of the help where it means nothing.
func hide(flags *pflag.FlagSet, name string) {
	if f := flags.Lookup(name); f != nil {
		f.Hidden = true
	}
}

// verdict is what --json prints.
type verdict struct {
	URL       string        `json:"url"`
	Title     string        `json:"title"`
	Language  string        `json:"language"`
	Charset   string        `json:"charset,omitempty"`
	Kind      string        `json:"kind"`
	HubRatio  float64       `json:"hub_ratio"`
	Links     int           `json:"links"`
	Relevance float64       `json:"relevance"`
	Raw       float64       `json:"raw"`
	Relevant  bool          `json:"relevant"`
	Terms     []verdictTerm `json:"terms"`
}

type verdictTerm struct {
	Term  string  `json:"term"`
	Count int     `json:"count"`
	Added float64 `json:"added"`
}

func verdictOf(v *focus.Visit) verdict {
	out := verdict{URL: v.FinalURL, Title: v.Page.Title, Language: v.Doc.Language, Charset: v.Charset, Kind: "text",
		HubRatio: v.Page.HubRatio, Links: len(v.Page.Links), Relevance: v.Judgement.Relevance, Raw: v.Judgement.Raw,
		Relevant: v.Judgement.Relevant, Terms: []verdictTerm{}}
	if v.Page.Kind == page.Hub {
		out.Kind = "hub"
	}
	for _, t := range v.Judgement.Terms {
		out.Terms = append(out.Terms, verdictTerm{t.Term, t.Count, t.Added})
	}
	return out
}

func printVerdict(w io.Writer, v *focus.Visit) {
	o := verdictOf(v)
	word := "not relevant"
	if o.Relevant {
		word = "relevant"
	}
	fmt.Fprintf(w, "%s: relevance %.2f (raw %.4f)\n", word, o.Relevance, o.Raw)
	fmt.Fprintf(w, "%s\n%s page in %s, %d links, %.0f %% of its text in links\n", clip(o.Title, 100), o.Kind, o.Language, o.Links, 100*o.HubRatio)
	if len(o.Terms) == 0 {
		fmt.Fprintln(w, "none of the topic's words occurs in it")
		return
	}
	fmt.Fprintln(w, "\n  what     times  adds")
	for _, t := range o.Terms {
		fmt.Fprintf(w, "  %-20s %5d  %.4f\n", t.Term, t.Count, t.Added)
	}
}
