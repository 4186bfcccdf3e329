package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
)

const sitesExample = "thresher list sites --run runs/quickstart"

// sitesFlags say how the site table is shown.
type sitesFlags struct {
	run             runFlag
	json, csv, yaml bool
	wide            bool
	top             int
}

func listSitesCommand() *cobra.Command {
	var f sitesFlags
	cmd := &cobra.Command{
		Use:   "sites",
		Short: "List the sites of a run: their weight, and how many of their pages were relevant",
		Long: `List sites shows the site table of a run, the heaviest first: every site of which a page was judged, with its weight (the
mean relevance of its pages, and what was believed of it before), the share of its pages that are relevant (what was believed
counted in) and the interval in which that share lies with 95 % confidence, its pages, the relevant ones among them, and the
links to it that wait.

With --yaml it is printed as the sites: of a crawl file, with which the next crawl begins where this one ended.`,
		Example: `  ` + sitesExample + ` --top 20
  thresher list sites --yaml > sites.yaml
  thresher list sites --csv > sites.csv`,
		Args: noArguments(sitesExample),
		RunE: func(cmd *cobra.Command, _ []string) error { return listSites(cmd, &f) },
	}
	f.run.registerShared(cmd.Flags())
	jsonFlag(cmd.Flags(), &f.json)
	wideFlag(cmd.Flags(), &f.wide)
	cmd.Flags().BoolVar(&f.csv, "csv", false, "comma-separated values")
	cmd.Flags().BoolVar(&f.yaml, "yaml", false, "the sites: of a crawl file")
	cmd.Flags().IntVar(&f.top, "top", 0, "only the first `N`; 0: all")
	return cmd
}

func listSites(cmd *cobra.Command, f *sitesFlags) error {
	if err := onlyOne(cmd.Flags(), sitesExample+" --csv", "json", "csv", "yaml"); err != nil {
		return err
	}
	if f.top < 0 {
		return usageError{fmt.Sprintf("--top is %d, want at least 0", f.top), sitesExample + " --top 20"}
	}
	r, err := f.run.read(cmd)
	if err != nil {
		return err
	}
	table, err := r.Sites()
	if err != nil {
		return err
	}
	total := len(table)
	if f.top > 0 {
		table = table[:min(f.top, total)]
	}
	out := cmd.OutOrStdout()
	switch {
	case f.json:
		return jsonTo(out).Encode(map[string]any{"total": total, "sites": table})
	case f.csv:
		return sitesCSV(out, table)
	case f.yaml:
		var rows []crawlfile.SiteConfig
		for i := range table {
			rows = append(rows, table[i].Before())
		}
		fmt.Fprint(out, crawlfile.Found(nil, rows))
	default:
		printSites(listOn(out, f.wide), table)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d of %d\n", len(table), total)
	return nil
}

func sitesCSV(out io.Writer, table []run.SiteRow) error {
	w := csv.NewWriter(out)
	rows := [][]string{{"site", "weight", "share", "low", "high", "pages", "relevant", "waiting", "best"}}
	for _, s := range table {
		share := func(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }
		rows = append(rows, []string{s.Site, share(s.Weight), share(s.Share), share(s.Low), share(s.High),
			strconv.Itoa(s.Pages), strconv.Itoa(s.Relevant), strconv.Itoa(s.Waiting), s.Best})
	}
	return w.WriteAll(rows)
}

func printSites(out io.Writer, table []run.SiteRow) {
	fmt.Fprintln(out, "weight  relevant share, 95 %  pages  relevant  waiting  site")
	for _, s := range table {
		fmt.Fprintf(out, "  %.2f      %.2f (%.2f … %.2f)  %5d  %8d  %7d  %s\n", s.Weight, s.Share, s.Low, s.High, s.Pages, s.Relevant, s.Waiting, s.Site)
	}
}
