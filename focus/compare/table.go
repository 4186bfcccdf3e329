package compare

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// Text writes the result for a terminal.
func (r *Result) Text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "strategy\tfocus\t95 % interval\tarea\trecall at 5 %\t10 %\t20 %\t50 %\tlead\tp\tCPU ms\t")
	for _, m := range r.Means {
		fmt.Fprintf(t, "%s\t%.3f\t%.3f … %.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t", m.Strategy, m.Focus, m.Low, m.High, m.AUC,
			m.Recall["5"], m.Recall["10"], m.Recall["20"], m.Recall["50"])
		if m.Strategy == r.Baseline {
			fmt.Fprintf(t, "baseline\t\t%.0f\t\n", m.CPU)
		} else {
			fmt.Fprintf(t, "%+.3f\t%.4f\t%.0f\t\n", m.Lead, m.P, m.CPU)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "web\ttopic\tstrategy\tfocus\tarea\trandom\tbreadth\toracle\toracle2\treach\trelevant\tto 50 %\tto 90 %\t")
	for _, c := range r.Cells {
		fmt.Fprintf(t, "%s\t%s\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%d\t%d\t%s\t%s\t\n", c.Web, c.Topic, c.Strategy, c.Focus, c.AUC,
			c.Random, c.Breadth, c.Oracle, c.Oracle2, c.Reachable, c.Relevant, orNever(c.PagesTo50), orNever(c.PagesTo90))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "skipped %s: %s\n", s.What, s.Reason)
	}
	return nil
}

func orNever(pages int) string {
	if pages == 0 {
		return "never"
	}
	return strconv.Itoa(pages)
}

// CSV writes the cells as a table.
func (r *Result) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Write([]string{"web", "topic", "strategy", "reachable", "relevant", "fetched", "auc", "focus", "recall_5", "recall_10", "recall_20",
		"recall_50", "harvest_5", "harvest_10", "harvest_20", "harvest_50", "drift", "windowed", "pages_to_50", "pages_to_90",
		"oracle", "oracle2", "random", "breadth", "cpu_ms", "bytes"})
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }
	for _, c := range r.Cells {
		row := []string{c.Web, c.Topic, c.Strategy, strconv.Itoa(c.Reachable), strconv.Itoa(c.Relevant), strconv.Itoa(c.Fetched), number(c.AUC), number(c.Focus)}
		for _, by := range []map[string]float64{c.Recall, c.Harvest} {
			for _, share := range shares {
				row = append(row, number(by[strconv.Itoa(share)]))
			}
		}
		row = append(row, number(c.Drift), number(c.Windowed), strconv.Itoa(c.PagesTo50), strconv.Itoa(c.PagesTo90),
			number(c.Oracle), number(c.Oracle2), number(c.Random), number(c.Breadth), number(c.CPU), strconv.FormatInt(c.Bytes, 10))
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}
