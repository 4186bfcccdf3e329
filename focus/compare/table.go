package compare

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/thresher-crawler/thresher/focus/measure"
)

// Text writes the result for a terminal.
func (r *Result) Text(w io.Writer) error {
	if r.Judge != "" {
		fmt.Fprintf(w, "judged by %s\n\n", r.Judge)
	}
	r.tunedText(w)
	if err := r.meansText(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	r.claimsText(w)
	if err := r.cellsText(w); err != nil {
		return err
	}
	fmt.Fprint(w, "\nwhat was kept: precision and recall are of the pages that were fetched; F1 at a share is of all that can be reached\n\n")
	if err := r.keptText(w); err != nil {
		return err
	}
	r.leftOutText(w)
	fmt.Fprintln(w)
	if err := r.meanChart().Text(w, 64, 14); err != nil {
		return err
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "%s: %s\n", n.Strategy, n.Says)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "skipped %s: %s\n", s.What, s.Reason)
	}
	return nil
}

func (r *Result) tunedText(w io.Writer) {
	if r.Tuned == nil {
		return
	}
	fmt.Fprintf(w, "%s won among %d on %s:", r.Tuned.Winner, len(r.Tuned.Tried), strings.Join(r.Tuned.Webs, ", "))
	for _, t := range r.Tuned.Tried {
		fmt.Fprintf(w, " %s %.3f", t.Strategy, t.Focus)
	}
	fmt.Fprint(w, "\nwhat it is worth, on webs that had no part in the choice:\n\n")
}

func (r *Result) meansText(w io.Writer) error {
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
	return t.Flush()
}

// claimsText sets what the sources of strategies report below what was measured here.
func (r *Result) claimsText(w io.Writer) {
	claims := 0
	for _, m := range r.Means {
		if m.Claim == "" {
			continue
		}
		if claims++; claims == 1 {
			fmt.Fprintln(w, claimsNote)
		}
		fmt.Fprintf(w, "  %s (focus %.3f here): %s\n", m.Strategy, m.Focus, m.Claim)
	}
	if claims > 0 {
		fmt.Fprintln(w)
	}
}

func (r *Result) cellsText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "web\ttopic\tstrategy\tfocus\tarea\trandom\tbreadth\toracle\toracle2\treach\trelevant\tto 50 %\tto 90 %\t")
	for _, c := range r.Cells {
		fmt.Fprintf(t, "%s\t%s\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%d\t%d\t%s\t%s\t\n", c.Web, c.Topic, c.Strategy, c.Focus, c.AUC,
			c.Random, c.Breadth, c.Oracle, c.Oracle2, c.Reachable, c.Relevant, orNever(c.PagesTo50), orNever(c.PagesTo90))
	}
	return t.Flush()
}

// textLines is how many strategies the chart of a terminal shows.
const textLines = 4

// meanChart is the mean of the recall curves over all cells, of the best strategies and the two yardsticks.
func (r *Result) meanChart() *measure.Chart {
	chart := &measure.Chart{X: "% of the reach fetched", Y: "recall, mean over the topics", XMax: 100, YMax: 1}
	mean := func(in func(*Cell) bool, of func(*Cell) []float64) []float64 {
		sum, n := make([]float64, curvePoints+1), 0.0
		for i := range r.Cells {
			if in(&r.Cells[i]) {
				n++
				for j, y := range of(&r.Cells[i]) {
					sum[j] += y
				}
			}
		}
		for j := range sum {
			sum[j] /= max(n, 1)
		}
		return sum
	}
	for _, m := range r.Means[:min(len(r.Means), textLines)] {
		of := mean(func(c *Cell) bool { return c.Strategy == m.Strategy }, func(c *Cell) []float64 { return c.Curve })
		chart.Lines = append(chart.Lines, line(m.Strategy, of, false))
	}
	all := func(*Cell) bool { return true }
	chart.Lines = append(chart.Lines, line("oracle, two links ahead (above) and random (below)", mean(all, func(c *Cell) []float64 { return c.Optimum }), true))
	chance := line("", mean(all, func(c *Cell) []float64 { return c.Chance }), true)
	chart.Lines = append(chart.Lines, chance)
	return chart
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
		"oracle", "oracle2", "random", "breadth", "cpu_ms", "bytes", "r_precision",
		"kept", "kept_precision", "kept_recall", "kept_f1", "kept_f1_5", "kept_f1_10", "kept_f1_20", "kept_f1_50", "differ"})
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }
	for _, c := range r.Cells {
		row := []string{c.Web, c.Topic, c.Strategy, strconv.Itoa(c.Reachable), strconv.Itoa(c.Relevant), strconv.Itoa(c.Fetched), number(c.AUC), number(c.Focus)}
		for _, by := range []map[string]float64{c.Recall, c.Harvest} {
			for _, share := range shares {
				row = append(row, number(by[strconv.Itoa(share)]))
			}
		}
		row = append(row, number(c.Drift), number(c.Windowed), strconv.Itoa(c.PagesTo50), strconv.Itoa(c.PagesTo90),
			number(c.Oracle), number(c.Oracle2), number(c.Random), number(c.Breadth), number(c.CPU), strconv.FormatInt(c.Bytes, 10), number(c.Precision),
			strconv.Itoa(c.Kept.Pages), number(c.Kept.Precision), number(c.Kept.Recall), number(c.Kept.F1))
		for _, share := range shares {
			row = append(row, number(c.Kept.Reach[strconv.Itoa(share)]))
		}
		row = append(row, strconv.Itoa(c.Kept.Differ))
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}
