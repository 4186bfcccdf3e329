package compare

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/measure"
)

// Text writes the result for a terminal: what matters most, in 80 columns, or all of it.
func (r *Result) Text(w io.Writer, wide bool) error {
	if r.Judge != "" {
		fmt.Fprintf(w, "judged by %s\n\n", r.Judge)
	}
	r.tunedText(w)
	if err := r.meansText(w, wide); err != nil {
		return err
	}
	fmt.Fprintln(w)
	r.claimsText(w)
	if err := r.cellsText(w, wide); err != nil {
		return err
	}
	fmt.Fprint(w, "\nwhat was kept: precision and recall are of the pages that were fetched; F1 at a share is of all that can be reached\n\n")
	if err := r.keptText(w, wide); err != nil {
		return err
	}
	r.leftOutText(w)
	fmt.Fprintln(w)
	chart := 44
	if wide {
		chart = 64
	}
	if err := r.meanChart().Text(w, chart, 14); err != nil {
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

// narrow is how wide a table may be that is to fit on any terminal.
const narrow = 80

// tabled writes rows below a head: all columns, or of those that are named, the most important first, as many as fit into 80.
func tabled(w io.Writer, wide bool, important, head []string, rows [][]string) error {
	all := append([][]string{head}, rows...)
	shown := make([]bool, len(head))
	room := narrow
	for _, name := range important {
		i := slices.Index(head, name)
		if i < 0 {
			continue
		}
		width := 0
		for _, row := range all {
			width = max(width, utf8.RuneCountInString(row[i]))
		}
		if room -= width + 2; room < 0 {
			break
		}
		shown[i] = true
	}
	for n, row := range all {
		var cells []string
		for i, cell := range row {
			if wide || shown[i] {
				cells = append(cells, cell)
			}
		}
		all[n] = cells
	}
	return (&measure.Table{Head: all[0], Rows: all[1:]}).Text(w)
}

// inEnglish says a word on a terminal, which is told all in English.
func inEnglish(word string) string { return word }

// hours tells whether hosts were given their time, so that there is something to tell of an hour.
func (r *Result) hours() bool { return len(r.Means) > 0 && r.Means[0].PerHour != nil }

// meansRows are the strategies over all cells, in the words of say, below a head in English.
func (r *Result) meansRows(say func(string) string) (head []string, rows [][]string) {
	head = []string{"strategy", "focus", "95 % interval", "area", "recall at 5 %", "10 %", "20 %", "50 %", "lead", "p",
		"100 pages", "hosts at 20 %", "worst topic", "CPU ms"}
	hours := r.hours()
	if hours {
		head = append(head, "an hour at 20 %")
	}
	for _, m := range r.Means {
		lead, p := fmt.Sprintf("%+.3f", m.Lead), fmt.Sprintf("%.4f", m.P)
		if m.Strategy == r.Baseline {
			lead, p = say("baseline"), ""
		}
		row := []string{m.Strategy, three(m.Focus), three(m.Low) + " … " + three(m.High), three(m.AUC), threeAt(m.Recall, 5),
			threeAt(m.Recall, 10), threeAt(m.Recall, 20), threeAt(m.Recall, 50), lead, p, three(m.First), m.Pay.hosts(say), m.Worst.String(),
			fmt.Sprintf("%.0f", m.CPU)}
		if hours {
			row = append(row, m.hourly())
		}
		rows = append(rows, row)
	}
	return head, rows
}

func (r *Result) meansText(w io.Writer, wide bool) error {
	head, rows := r.meansRows(inEnglish)
	if !wide {
		head[6] = "recall at 20 %" // what stands before it is left out
	}
	return tabled(w, wide, []string{"strategy", "focus", "lead", "p", "an hour at 20 %", "95 % interval", head[6]}, head, rows)
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

func (r *Result) cellsText(w io.Writer, wide bool) error {
	head := []string{"web", "topic", "strategy", "focus", "area", "random", "breadth", "oracle", "oracle2", "reach", "relevant", "to 50 %", "to 90 %"}
	var rows [][]string
	for _, c := range r.Cells {
		rows = append(rows, []string{c.Web, c.Topic, c.Strategy, three(c.Focus), three(c.AUC), three(c.Random), three(c.Breadth), three(c.Oracle),
			three(c.Oracle2), strconv.Itoa(c.Reachable), strconv.Itoa(c.Relevant), orNever(c.PagesTo50), orNever(c.PagesTo90)})
	}
	return tabled(w, wide, []string{"strategy", "focus", "topic", "web", "to 50 %", "relevant", "area"}, head, rows)
}

// textLines is how many strategies the chart of a terminal shows.
const textLines = 4

// meanChart is the mean of the recall curves over all cells, of the best strategies and the two yardsticks.
func (r *Result) meanChart() *measure.Chart {
	chart := &measure.Chart{X: "% of the reach fetched", Y: "recall, mean over the topics", XMax: 100, YMax: 1}
	for _, m := range r.Means[:min(len(r.Means), textLines)] {
		own := slices.DeleteFunc(slices.Clone(r.Cells), func(c Cell) bool { return c.Strategy != m.Strategy })
		chart.Lines = append(chart.Lines, line(m.Strategy, meanCurve(own, func(c *Cell) []float64 { return c.Curve }), false))
	}
	chart.Lines = append(chart.Lines,
		line("oracle, two links ahead (above) and random (below)", meanCurve(r.Cells, func(c *Cell) []float64 { return c.Optimum }), true),
		line("", meanCurve(r.Cells, func(c *Cell) []float64 { return c.Chance }), true))
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
		"kept", "kept_precision", "kept_recall", "kept_f1", "kept_f1_5", "kept_f1_10", "kept_f1_20", "kept_f1_50", "differ",
		"recall_100", "relevant_hosts", "hosts_5", "hosts_10", "hosts_20", "hosts_50", "per_hour_5", "per_hour_10", "per_hour_20", "per_hour_50"})
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }
	at := func(told map[string]float64, share int) string {
		if x, ok := told[strconv.Itoa(share)]; ok {
			return number(x)
		}
		return ""
	}
	for _, c := range r.Cells {
		row := []string{c.Web, c.Topic, c.Strategy, strconv.Itoa(c.Reachable), strconv.Itoa(c.Relevant), strconv.Itoa(c.Fetched), number(c.AUC), number(c.Focus)}
		for _, by := range []map[string]float64{c.Recall, c.Harvest} {
			for _, share := range shares {
				row = append(row, at(by, share))
			}
		}
		row = append(row, number(c.Drift), number(c.Windowed), strconv.Itoa(c.PagesTo50), strconv.Itoa(c.PagesTo90),
			number(c.Oracle), number(c.Oracle2), number(c.Random), number(c.Breadth), number(c.CPU), strconv.FormatInt(c.Bytes, 10), number(c.Precision),
			strconv.Itoa(c.Kept.Pages), "", number(c.Kept.Recall), number(c.Kept.F1))
		if c.Kept.Precision != nil {
			row[len(row)-3] = number(*c.Kept.Precision)
		}
		for _, share := range shares {
			row = append(row, at(c.Kept.Reach, share))
		}
		row = append(row, c.Kept.differing(""), number(c.First), number(c.RelevantHosts))
		for _, share := range shares {
			row = append(row, at(c.Hosts, share))
		}
		for _, share := range shares {
			row = append(row, at(c.PerHour, share))
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}
