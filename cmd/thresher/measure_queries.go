package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/strict"
)

const queriesExample = "thresher measure --run runs/quickstart --queries queries.tsv"

// gradedQuery is a query, and the grades of the pages that answer it.
type gradedQuery struct {
	words  string
	grades map[string]float64 // by canonical address
}

// searchMeasured is what --json prints of a search that was measured.
type searchMeasured struct {
	Run       string          `json:"run"`
	Queries   int             `json:"queries"`
	MRR       float64         `json:"mrr"`
	Precision float64         `json:"precision_at_10"`
	NDCG      float64         `json:"ndcg_at_10"`
	Each      []queryMeasured `json:"each"`
	Notes     []string        `json:"notes"`
}

type queryMeasured struct {
	Query      string  `json:"query"`
	Reciprocal float64 `json:"reciprocal_rank"`
	Precision  float64 `json:"precision_at_10"`
	NDCG       float64 `json:"ndcg_at_10"`
	Pages      int     `json:"pages"` // that match
}

// measureQueries asks the queries of a file of the harvest of a run, and says how good the answers are.
func measureQueries(cmd *cobra.Command, f *measureFlags) error {
	queries, err := readQueries(f.queries)
	if err != nil {
		return err
	}
	searched := collectionFlags{weights: f.weights}
	weights, err := searched.read()
	if err != nil {
		return err
	}
	all, err := searched.open(cmd, []string{f.run.folder})
	if err != nil {
		return err
	}
	defer all.Close()
	if err := all.made(cmd, cmd.ErrOrStderr(), false); err != nil {
		return err
	}
	m := &searchMeasured{Run: all[0].Dir, Queries: len(queries), Notes: []string{}}
	for i := range queries {
		answer, err := index.Search(cmd.Context(), all, index.ParseQuery(queries[i].words), index.Ask{Limit: 10, Weights: weights})
		if err != nil {
			return err
		}
		m.add(&queries[i], answer)
	}
	if f.json {
		return jsonTo(cmd.OutOrStdout()).Encode(m)
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s: %s\n  MRR      %.3f\n  P@10     %.3f\n  nDCG@10  %.3f\n", m.Run, run.Several(m.Queries, "query"), m.MRR, m.Precision, m.NDCG)
	for _, q := range m.Each {
		if q.Reciprocal == 0 {
			fmt.Fprintf(out, "nothing graded among the first ten of %s: %s\n", plural(q.Pages), printable(q.Query))
		}
	}
	return nil
}

// add counts the answer to one query.
func (m *searchMeasured) add(q *gradedQuery, a *index.Answer) {
	var r measure.Ranking
	for _, grade := range q.grades {
		r.All = append(r.All, grade)
	}
	for _, h := range a.Hits {
		name, err := page.Canonical(h.URL)
		if err != nil {
			name = h.URL
		}
		r.Grades = append(r.Grades, q.grades[name])
	}
	one := queryMeasured{q.words, r.Reciprocal(), r.Precision(10), r.NDCG(10), a.Total}
	m.Each = append(m.Each, one)
	n := float64(m.Queries)
	m.MRR, m.Precision, m.NDCG = m.MRR+one.Reciprocal/n, m.Precision+one.Precision/n, m.NDCG+one.NDCG/n
}

// readQueries reads a file of queries: a line each with the query, a tab, addresses with spaces between them, and perhaps a tab
// and their grade, which is 1 where none is given. Lines of the same query belong together.
func readQueries(path string) ([]gradedQuery, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, usageError{err.Error(), queriesExample}
	}
	list, err := strict.Listed(path, raw)
	if err != nil {
		return nil, err
	}
	var all []gradedQuery
	at := map[string]int{}
	for number, line := range list {
		if strings.TrimSpace(line) == "" {
			continue
		}
		words, addresses, grade, err := queryLine(line)
		if err != nil {
			return nil, usageError{fmt.Sprintf("%s line %d: %v; a line looks like this: solar cells<tab>https://a.example.org/ https://b.example.org/<tab>1",
				path, number, err), queriesExample}
		}
		if _, known := at[words]; !known {
			at[words] = len(all)
			all = append(all, gradedQuery{words, map[string]float64{}})
		}
		for _, address := range addresses {
			all[at[words]].grades[address] = grade
		}
	}
	if len(all) == 0 {
		return nil, usageError{path + " holds no query", queriesExample}
	}
	for _, q := range all {
		if slices.Max(slices.Collect(maps.Values(q.grades))) == 0 {
			return nil, usageError{fmt.Sprintf("%s: no page answers %q, for none has a grade above 0: give it one, or leave the query out", path, q.words), queriesExample}
		}
	}
	return all, nil
}

func queryLine(line string) (words string, addresses []string, grade float64, err error) {
	parts := strings.Split(line, "\t")
	if len(parts) < 2 || len(parts) > 3 || strings.TrimSpace(parts[0]) == "" {
		return "", nil, 0, fmt.Errorf("%d columns, want a query, addresses and perhaps a grade, with tabs between them", len(parts))
	}
	grade = 1
	if len(parts) == 3 {
		if grade, err = strconv.ParseFloat(strings.TrimSpace(parts[2]), 64); err != nil || !(0 <= grade && grade <= 10) {
			return "", nil, 0, fmt.Errorf("the grade is %q, want a number from 0 to 10", parts[2])
		}
	}
	for _, written := range strings.Fields(parts[1]) {
		address, err := page.Canonical(written)
		if err != nil {
			return "", nil, 0, fmt.Errorf("%q is no address", written)
		}
		addresses = append(addresses, address)
	}
	if len(addresses) == 0 {
		return "", nil, 0, errors.New("no address that answers the query")
	}
	return strings.TrimSpace(parts[0]), addresses, grade, nil
}
