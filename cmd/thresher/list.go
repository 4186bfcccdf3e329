package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

func listCommand() *cobra.Command {
	cmd := over("it lists frontier, harvest, refused or sites", "thresher list refused --run runs/quickstart",
		listOf("frontier", "the links that wait, the most promising first", waiting),
		listOf("harvest", "the pages that were kept, in the order in which they were found, or sorted", harvested),
		listRefusedCommand(),
		listSitesCommand(),
	)
	cmd.Use, cmd.Short = "list frontier|harvest|refused|sites", "List the waiting links, the kept pages, the refusals or the sites of a run"
	cmd.Long = `List shows what a run has found so far, also while it is running. Of a crawl that machines share, waiting links are read from
Redis (--run redis://…), and all else from the folders that its machines have written below runs/NAME here, which are named
on stderr. --run runs/NAME reads the same without Redis.`
	cmd.Example = `  thresher list frontier --run runs/quickstart --top 20
  thresher list refused --json
  thresher list frontier --run 'redis://localhost:6379/0?crawl=solar' --top 20`
	return cmd
}

// row is one line of a list.
type row struct {
	id        uint64   // of a page that is kept
	URL       string   `json:"url"`
	Title     string   `json:"title,omitempty"`
	Anchor    string   `json:"anchor,omitempty"`
	Reason    string   `json:"reason,omitempty"`
	Score     *float64 `json:"score"`                // null: a start page, or one that was not ranked
	Relevance *float64 `json:"relevance,omitempty"`  // by the first look
	Second    *float64 `json:"second,omitempty"`     // by the second look
	Important *float64 `json:"importance,omitempty"` // by the second look; 1 is the mean
	Status    int      `json:"status,omitempty"`
	Hops      string   `json:"hops,omitempty"`
	Gone      string   `json:"gone,omitempty"` // when a later visit found that there is no such page any more
}

func listOf(name, what string, collect func(*run.Run) ([]row, error)) *cobra.Command {
	var ran runFlag
	var asJSON, wide bool
	var top int
	var by order
	cmd := &cobra.Command{
		Use:     name,
		Short:   "List " + what,
		Example: "  thresher list " + name + " --run runs/quickstart",
		Args:    noArguments("thresher list " + name + " --run runs/quickstart"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if top < 0 {
				return usageError{fmt.Sprintf("--top is %d, want at least 0", top), "thresher list " + name + " --top 20"}
			}
			if err := by.check("thresher list harvest --sort importance"); err != nil {
				return err
			}
			rows, total, err := listRows(cmd, &ran, name, by.over(collect), top)
			if err != nil {
				return err
			}
			if asJSON {
				return jsonTo(cmd.OutOrStdout()).Encode(map[string]any{"total": total, name: append([]row{}, rows...)}) // a list of none, and not null
			}
			printRows(listOn(cmd.OutOrStdout(), wide), rows)
			fmt.Fprintf(cmd.ErrOrStderr(), "%d of %d\n", len(rows), total)
			return nil
		},
	}
	ran.registerShared(cmd.Flags())
	jsonFlag(cmd.Flags(), &asJSON)
	wideFlag(cmd.Flags(), &wide)
	if name == "harvest" {
		by.register(cmd.Flags())
	}
	cmd.Flags().IntVar(&top, "top", 0, "only the first `N`; 0: all")
	return cmd
}

// listRows are the first rows of a list, and how many it has.
func listRows(cmd *cobra.Command, ran *runFlag, name string, collect func(*run.Run) ([]row, error), top int) ([]row, int, error) {
	if name == "frontier" && ran.isShared() {
		return waitingForAll(cmd, ran, top)
	}
	r, err := ran.read(cmd)
	if err != nil {
		return nil, 0, err
	}
	rows, err := collect(r)
	total := len(rows)
	if top > 0 {
		rows = rows[:min(top, total)]
	}
	return rows, total, err
}

// waitingForAll are the links that wait in a crawl on Redis, the next one first.
func waitingForAll(cmd *cobra.Command, ran *runFlag, top int) ([]row, int, error) {
	s, err := ran.shared(cmd)
	if err != nil {
		return nil, 0, err
	}
	defer s.Close()
	links, err := s.Waiting(cmd.Context(), top)
	return waitingRows(links), s.Len(), err
}

// column is a number of the rows of a list.
type column struct {
	head string
	of   func(*row) *float64
	said string // what it is printed by
	none string // in the place of one that is not there
}

// The numbers of lists: those of a page that is kept, and that of a link.
var (
	keptBy = []column{
		{"relevance", func(r *row) *float64 { return r.Relevance }, "%9.2f", "         "},
		{"second", func(r *row) *float64 { return r.Second }, "%6.2f", "      "},
		{"importance", func(r *row) *float64 { return r.Important }, "%10.2f", "          "},
	}
	waitsBy = []column{{"  score", func(r *row) *float64 { return r.Score }, "%7.4f", "  start"}}
)

// printRows writes rows under a head that says what their numbers are.
func printRows(w io.Writer, rows []row) {
	if len(rows) == 0 {
		return
	}
	numbers, what := slices.DeleteFunc(slices.Clone(keptBy), func(c column) bool {
		return !slices.ContainsFunc(rows, func(r row) bool { return c.of(&r) != nil })
	}), "page"
	if len(numbers) == 0 {
		numbers, what = waitsBy, "link"
	}
	for _, c := range numbers {
		fmt.Fprint(w, c.head, "  ")
	}
	fmt.Fprintln(w, what)
	for _, r := range rows {
		for _, c := range numbers {
			fmt.Fprint(w, c.say(&r), "  ")
		}
		fmt.Fprintln(w, r.link())
	}
}

func (c *column) say(r *row) string {
	if x := c.of(r); x != nil {
		return fmt.Sprintf(c.said, *x)
	}
	return c.none
}

// link is the address of a row and how it is called.
func (r *row) link() string {
	link := page.Readable(r.URL)
	if said := r.Title + r.Anchor; said != "" {
		link += "  “" + clip(said, 60) + "”"
	}
	if r.Gone != "" {
		link += "  (gone)"
	}
	return link
}

func rowOf(d *run.Decision) row {
	r := row{URL: d.URL, Title: d.Title, Reason: string(d.Reason), Score: known(d.Score), Relevance: known(d.Relevance), Status: d.Status, Hops: d.Hops}
	if d.Title == "" {
		r.Anchor = d.Anchor
	}
	return r
}

// waiting are the links that wait, the next one first.
func waiting(ran *run.Run) ([]row, error) {
	links, ok, err := ran.Waiting()
	if err != nil || !ok {
		return pushed(ran, err)
	}
	return waitingRows(links), nil
}

func waitingRows(links []run.WaitingLink) []row {
	rows := make([]row, len(links))
	for i, l := range links {
		rows[i] = row{URL: l.URL, Anchor: l.Anchor, Score: known(l.Score), Hops: l.Hops}
	}
	return rows
}

// pushed are the links that were pushed and not visited, the most promising first: what the log says of the frontier,
// where the folder has none, or it is damaged.
func pushed(ran *run.Run, damaged error) ([]row, error) {
	if damaged != nil {
		return nil, damaged
	}
	links, ended := map[uint64]*run.Decision{}, run.Ended{}
	err := ran.Log(func(d *run.Decision) bool {
		if ended.Hear(d); d.Decision == "push" || d.Decision == "raise" {
			links[d.ID] = d
		}
		return true
	})
	maps.DeleteFunc(links, func(id uint64, _ *run.Decision) bool { _, over := ended[id]; return over })
	order := slices.SortedFunc(maps.Values(links), func(a, b *run.Decision) int {
		if (a.Score == a.Score) != (b.Score == b.Score) { // start pages have no score, and come first
			return cmp.Compare(a.Score, b.Score)
		}
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	rows := make([]row, len(order))
	for i, d := range order {
		rows[i] = rowOf(d)
		rows[i].Title = ""
	}
	return rows, err
}

// relevance is the number by which a page is kept.
func (r *row) relevance() float64 {
	if r.Second != nil {
		return *r.Second
	}
	return *r.Relevance
}

// harvested are the pages that are kept, each once and as it was found last: by the second look, where there was one.
func harvested(ran *run.Run) ([]row, error) {
	now, at, err := keptNow(append([]string{ran.Dir}, ran.Parts...))
	if err != nil {
		return nil, err
	}
	var rows []row
	logged := map[uint64]bool{}
	err = ran.Log(func(d *run.Decision) bool {
		i, still := at[d.ID]
		if is := still || at == nil && d.Decision == "keep"; is && !logged[d.ID] {
			logged[d.ID] = true
			r := rowOf(d)
			r.Reason = "" // that of the first look
			if still {
				r.found(&now[i])
			}
			rows = append(rows, r)
		}
		return true
	}, run.Visits...)
	switch {
	case err != nil:
	case at == nil: // a process that was killed has written pages of which its log does not tell
		err = eachWritten(append([]string{ran.Dir}, ran.Parts...), func(r *sink.Record) {
			if r.ID != 0 && !logged[r.ID] {
				logged[r.ID] = true
				rows = append(rows, keptRow(r))
			}
		})
	case len(ran.Parts) == 0: // what a later visit of the run has found stands in no log
		for i := range now {
			if !logged[now[i].id] {
				rows = append(rows, now[i])
			}
		}
	}
	return rows, err
}

// eachWritten visits the records of a harvest that stand there whole, as an index does: what a process was writing when it was killed is
// none, nor what cannot be read.
func eachWritten(folders []string, visit func(*sink.Record)) error {
	for _, folder := range folders {
		for line, err := range sink.Follow(folder, nil) {
			if err != nil {
				return err
			}
			if r := (&sink.Record{}); len(line.Text) > 0 && r.UnmarshalJSON(line.Text) == nil {
				visit(r)
			}
		}
	}
	return nil
}

// keptRow is a page as its record tells of it.
func keptRow(r *sink.Record) row {
	said := row{id: r.ID, URL: r.URL, Title: r.Title, Relevance: known(r.Relevance), Status: r.Status, Gone: r.Gone}
	if r.Second > 0 {
		said.Second = known(r.Second) // a number of its own, that does not hold the record
	}
	if r.Importance > 0 {
		said.Important = known(r.Importance)
	}
	return said
}

// keptNow reads what is kept of a run that was looked at or visited again, and where each page of it stands, by number; at is nil of
// any other.
func keptNow(folders []string) (now []row, at map[uint64]int, err error) {
	if !slices.ContainsFunc(folders, sink.Revised) {
		return nil, nil, nil
	}
	at = map[uint64]int{}
	err = eachKept(folders, func(r *sink.Record) {
		at[r.ID] = len(now)
		now = append(now, keptRow(r))
	})
	return now, at, err
}

// found takes over how a page was found last, as far as its record says it: a crawl file may have chosen fields.
func (r *row) found(now *row) {
	r.URL, r.Title, r.Status = cmp.Or(now.URL, r.URL), cmp.Or(now.Title, r.Title), cmp.Or(now.Status, r.Status)
	r.Relevance = cmp.Or(now.Relevance, r.Relevance)
	r.Second, r.Important, r.Gone = now.Second, now.Important, now.Gone
}
