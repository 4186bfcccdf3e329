package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/outlet"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// exportFlags say what of a harvest is written, and how.
type exportFlags struct {
	run       runFlag
	to        string
	out       string
	fields    []string
	relevance float64
	languages []string
	hosts     []string
	contains  string
	by        order
	dedup     bool
	there     bool
	since     string
	lost      int      // pages of the earlier export that are kept no more
	numbers   []string // values that are numbers
	named     []string // values that --fields names
	split     float64
	chunk     outlet.Chunk
	folders   []string
	met       map[string]bool // what of languages, hosts and values some page has
	unjudged  int             // pages that have no number
	far       *counting       // shows how far it is
}

const (
	exportExample = "thresher export --run runs/quickstart --to csv"
	chunksExample = "thresher export --to chunks --chunk 800 --out chunks.jsonl"
)

func exportCommand() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the harvest of a run as lines, tables, text, Markdown, chunks or an archive",
		Long: `Export reads the kept pages of a run and writes those that pass every filter: as one JSON object a line (jsonl), one table
(csv, or parquet, whose columns have types), plain text, a folder with one Markdown file a page (title, address, author, date and relevance at its head), or chunks
for retrieval: stretches of the Markdown that end at headings, paragraphs and sentences, with the headings that they stand under
and their place. Of a crawl that machines share it joins what all have written below runs/NAME here, each page once:
--run runs/NAME, or redis://…. With --sort the best come first.

Near duplicates share a number, cluster, that of the first of them; --dedup takes the best of each cluster alone. --split 0.9 writes
two files (or folders), for training and for testing, with nine of ten sites in the first, and no site in both.

The fields are those of harvest.jsonl with cluster, and data.NAME for a value that was extracted, which a table has by itself:
  ` + strings.Join(append(sink.Fields(), sink.FieldCluster), ", "),
		Example: `  thresher export --run runs/quickstart --to csv --fields url,title,relevance --out solar.csv
  thresher export --min-relevance 0.3 --language en > best.jsonl
  thresher export --to markdown --dedup --out pages
  thresher export --to parquet --sort relevance --out pages.parquet
  thresher export --to chunks --split 0.9 --out chunks.jsonl
  thresher export --since last.jsonl --to chunks --out new.jsonl`,
		Args: noArguments(exportExample),
		RunE: func(cmd *cobra.Command, _ []string) error { return export(cmd, &f) },
	}
	flags := cmd.Flags()
	f.run.registerShared(flags)
	flags.StringVar(&f.to, "to", "jsonl", "the `form`: "+strings.Join(outlet.Forms, ", ")+"; where it is not given, that which the name of --out ends in")
	flags.StringVarP(&f.out, "out", "o", "", "write into this `file` (of markdown: folder), not to stdout; packed where its name ends in .gz or .zst")
	writes(flags, "out")
	flags.StringSliceVar(&f.fields, "fields", nil, "which fields, in which order, of jsonl, csv and parquet (default: all; the usual ones for csv)")
	f.by.register(flags)
	flags.Float64Var(&f.relevance, "min-relevance", 0, "only pages of at least this number, by which they are kept: the second look's where there was one, the field second, else relevance")
	flags.StringSliceVar(&f.languages, "language", nil, "only pages in these languages")
	flags.StringSliceVar(&f.hosts, "host", nil, "only pages of these hosts; *.a.com is a.com and what is below it")
	flags.StringVar(&f.contains, "contains", "", "only pages whose title or text contains this, written so, also with the same capitals")
	flags.BoolVar(&f.dedup, "dedup", false, "of near duplicates only the best")
	flags.BoolVar(&f.there, "there", false, "only pages that were there when they were visited last: none that rounds of --again found gone")
	flags.StringVar(&f.since, "since", "", "only pages that this earlier export as jsonl has not (its `file` has id, final_url, last_changed and gone), and those that have changed or gone since")
	flags.Float64Var(&f.split, "split", 0, "write this `share` of the sites to OUT-train and the others to OUT-test")
	flags.IntVar(&f.chunk.Most, "chunk", outlet.UsualChunk.Most, "a chunk has so many `characters` at most")
	flags.IntVar(&f.chunk.Least, "chunk-least", outlet.UsualChunk.Least, "a section with fewer `characters` is joined to the next one")
	flags.IntVar(&f.chunk.Overlap, "chunk-overlap", outlet.UsualChunk.Overlap, "a chunk begins with so many `characters` of the one before it")
	return cmd
}

// check refuses what does not go together.
func (f *exportFlags) check(cmd *cobra.Command) error {
	said := cmd.Flags().Changed
	if !said("to") {
		f.to = outlet.FormOf(f.out)
	}
	switch {
	case !(0 <= f.relevance && f.relevance <= 1):
		return usageError{fmt.Sprintf("--min-relevance is %v, want a number from 0 to 1", f.relevance), "thresher export --min-relevance 0.5"}
	case !slices.Contains(outlet.Forms, f.to):
		return usageError{fmt.Sprintf("--to is %q, want %s", f.to, strings.Join(outlet.Forms, ", ")), exportExample}
	case len(f.fields) > 0 && f.to != "jsonl" && f.to != "csv" && f.to != "parquet":
		return usageError{"--fields belongs to jsonl, csv and parquet", exportExample + " --fields url,title"}
	case (said("chunk") || said("chunk-least") || said("chunk-overlap")) && f.to != "chunks":
		return usageError{"--chunk, --chunk-least and --chunk-overlap belong to --to chunks", chunksExample}
	case said("split") && !(0 < f.split && f.split < 1):
		return usageError{fmt.Sprintf("--split is %v, want a share between 0 and 1", f.split), "thresher export --split 0.9 --out sailing.jsonl"}
	case said("split") && f.out == "":
		return usageError{"--split writes two files, and --out names them", "thresher export --split 0.9 --out sailing.jsonl"}
	case (f.to == "parquet" || f.to == "warc") && f.out == "":
		ending := map[string]string{"warc": "warc.gz"}[f.to]
		return usageError{"--to " + f.to + " is no text, and --out names its file", "thresher export --to " + f.to + " --out pages." + cmp.Or(ending, f.to)}
	case f.since != "" && slices.ContainsFunc(f.places(), func(name string) bool { return sameFile(f.since, name) }):
		return usageError{"--since and --out are one file, which would know of the new pages alone then; give each its own", sinceExample}
	case !outlet.Packs(f.to, f.out):
		return usageError{fmt.Sprintf("--out %s: nothing is packed so, want a name that ends in .gz or .zst (an archive in .warc.gz)", f.out), "thresher export --out pages.jsonl.gz"}
	case outlet.Folder(f.to) && f.out == "":
		return usageError{"--to " + f.to + " is a folder, and --out names it", "thresher export --to markdown --out pages"}
	}
	for _, l := range f.languages {
		if len(l) < 2 || len(l) > 3 {
			return usageError{fmt.Sprintf("--language is %q, want the short name of a language, such as zh or en", l), exportExample + " --language zh"}
		}
	}
	if err := readHosts(f.hosts, exportExample); err != nil {
		return err
	}
	return f.by.check("thresher export --sort importance")
}

// readHosts makes hosts of what --host names: a name, *. with one, or an address on it.
func readHosts(hosts []string, try string) error {
	for i, written := range hosts {
		name, below := strings.CutPrefix(written, "*.")
		host, err := run.HostNamed(name)
		if err != nil {
			return usageError{"--host: " + err.Error(), try + " --host www.example.org"}
		}
		if hosts[i] = host; below {
			hosts[i] = "*." + host
		}
	}
	return nil
}

func export(cmd *cobra.Command, f *exportFlags) (err error) {
	if err := f.check(cmd); err != nil {
		return err
	}
	dir, folders, err := f.run.folders(cmd)
	if err != nil {
		return err
	}
	if f.by == byImportance && !slices.ContainsFunc(folders, sink.HasKept) {
		return errUnlooked(dir)
	}
	f.folders = folders
	left := "what stands in stdout so far is not all; export again"
	if f.out != "" {
		left = f.out + " is as it was before; export again"
	}
	defer leaving(cmd, left)()
	f.values(dir)
	names := f.places()
	for _, name := range names {
		if err := spare(cmd, "out", name); err != nil {
			return err
		}
	}
	var before earlier
	if f.since != "" {
		if before, err = readEarlier(f.since); err != nil {
			return err
		}
	}
	f.counted(cmd.OutOrStdout(), cmd.ErrOrStderr())
	defer f.far.done()
	leaves, total, err := f.leaves(folders)
	if err != nil {
		return err
	}
	leaves, f.lost = before.later(leaves)
	places, err := f.open(unfolded(cmd.OutOrStdout()), names)
	if err != nil {
		return err
	}
	err = f.write(places, folders, leaves)
	f.far.done()
	for i := range places {
		if closing := places[i].done(err == nil); err == nil {
			err = closing
		}
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d of %s%s\n", len(leaves), plural(total), tellSplit(places))
	f.tellUnmet(cmd.ErrOrStderr())
	f.tellLost(cmd.ErrOrStderr())
	if f.since == "" { // few are new each night, and another share would put sites on the other side
		tellEmpty(cmd.ErrOrStderr(), places)
	}
	tellShared(cmd.ErrOrStderr(), places)
	tellMissing(cmd.ErrOrStderr(), places)
	return nil
}

// counted shows how far the export is, but where the pages themselves show.
func (f *exportFlags) counted(out, errs io.Writer) {
	if f.out == "" && terminalOf(out) != nil {
		errs = io.Discard
	}
	f.far = countingOn(errs)
}

// leaf is a page that is exported; the page itself stays where it is.
type leaf struct {
	id, cluster uint64
	state       uint64  // what an earlier export is asked for
	by, worth   float64 // what it is sorted by, and what it is worth beside its near duplicates
	at          sink.Place
}

// leaves are the pages of some folders that pass every filter, each once: a page that two machines have kept, because one was taken
// for dead, has one number.
func (f *exportFlags) leaves(folders []string) (all []leaf, total int, err error) {
	seen := map[uint64]bool{}
	clusters := outlet.NewClusters()
	read := uint64(0)
	for _, dir := range folders {
		err := sink.KeptPlaces(dir, func(r *sink.Record, at sink.Place) {
			read++
			f.far.show("%s read", plural(int(read)))
			if numbered(r, read); seen[r.ID] {
				return
			}
			seen[r.ID] = true
			run.Addressed(r)
			f.meet(r)
			if total++; f.passes(r) {
				all = append(all, leaf{r.ID, clusters.Add(r), stateOf(r), f.by.ofRecord(r), r.Relevant(), at})
			}
		})
		if err != nil {
			return nil, total, err
		}
	}
	if f.dedup {
		all = bestOfEach(all)
	}
	if f.by != "" {
		slices.SortStableFunc(all, func(a, b leaf) int { return cmp.Compare(b.by, a.by) })
	}
	return all, total, nil
}

// numbered gives a record a number whose harvest says none, because its fields were chosen: that of its line.
func numbered(r *sink.Record, line uint64) {
	if r.ID == 0 {
		r.ID = line
	}
}

// bestOfEach is the best page of each cluster; of equals the first.
func bestOfEach(all []leaf) []leaf {
	best := map[uint64]leaf{}
	for _, l := range all {
		if b, ok := best[l.cluster]; !ok || l.worth > b.worth {
			best[l.cluster] = l
		}
	}
	return slices.DeleteFunc(all, func(l leaf) bool { return best[l.cluster].id != l.id })
}

// write writes pages, in their order.
func (f *exportFlags) write(places []place, folders []string, leaves []leaf) error {
	written := 0
	put := func(r *sink.Record, l *leaf) error {
		written++
		f.far.show("%d of %s written", written, plural(len(leaves)))
		r.Cluster = l.cluster
		run.Addressed(r)
		to := 0
		if len(places) > 1 && !outlet.Train(r.Host, f.split) {
			to = 1
		}
		places[to].took(l.cluster)
		return places[to].form.Encode(r)
	}
	if f.by != "" {
		for i := range leaves {
			record, err := leaves[i].at.Read()
			if err == nil {
				numbered(record, leaves[i].id)
			}
			if err != nil || record.ID != leaves[i].id {
				err = errors.Join(errMoved, err)
			} else {
				err = put(record, &leaves[i])
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	next := 0 // they stand in the order in which they are read
	read := uint64(0)
	for _, dir := range folders {
		for record, err := range sink.Kept(dir) {
			if read++; err == nil {
				numbered(record, read)
			}
			if err == nil && next < len(leaves) && leaves[next].id == record.ID {
				next++
				err = put(record, &leaves[next-1])
			}
			if err != nil {
				return err
			}
		}
	}
	if next < len(leaves) {
		return errMoved
	}
	return nil
}

// errMoved tells of a harvest that is another than when the export began.
var errMoved = errors.New("what the run keeps was changed while it was exported, by a crawl or a second look: export it again")

// meet notes what of that which is asked for a page has: its language, its host, values.
func (f *exportFlags) meet(r *sink.Record) {
	if f.met == nil {
		f.met = map[string]bool{}
	}
	for _, l := range f.languages {
		f.met[l] = f.met[l] || strings.EqualFold(l, r.Language)
	}
	for _, h := range f.hosts {
		f.met[h] = f.met[h] || within(r.Host, h)
	}
	for _, v := range f.named {
		f.met[sink.ValueOf+v] = f.met[sink.ValueOf+v] || len(r.Data[v]) > 0 && string(r.Data[v]) != "null"
	}
	if r.Relevant() != r.Relevant() {
		f.unjudged++
	}
}

// tellUnmet tells of what was asked for and no page has.
func (f *exportFlags) tellUnmet(w io.Writer) {
	for _, l := range f.languages {
		if !f.met[l] {
			fmt.Fprintf(w, "no page is in the language %s\n", l)
		}
	}
	for _, h := range f.hosts {
		if !f.met[h] {
			fmt.Fprintf(w, "no page is of the host %s\n", h)
		}
	}
	for _, v := range f.named {
		if !f.met[sink.ValueOf+v] {
			fmt.Fprintf(w, "no page has the value %s\n", v)
		}
	}
	if f.relevance > 0 && f.unjudged > 0 {
		fmt.Fprintf(w, "%s left out by --min-relevance, for their harvest says no relevance\n", plural(f.unjudged))
	}
}

// passes tells whether a page passes every filter.
func (f *exportFlags) passes(r *sink.Record) bool {
	return (f.relevance == 0 || r.Relevant() >= f.relevance) && (!f.there || r.Gone == "") &&
		(len(f.languages) == 0 || slices.ContainsFunc(f.languages, func(l string) bool { return strings.EqualFold(l, r.Language) })) &&
		(len(f.hosts) == 0 || slices.ContainsFunc(f.hosts, func(h string) bool { return within(r.Host, h) })) &&
		(f.contains == "" || strings.Contains(r.Title, f.contains) || strings.Contains(r.Text, f.contains))
}

// within tells whether a host is the one named, or below it where the name starts with *. A name without a port is the host at
// any port, as in scope.hosts; capitals and scripts say nothing.
func within(host, name string) bool {
	below, all := strings.CutPrefix(page.HostPattern(name), "*.")
	if !all {
		return page.Named(host, []string{below})
	}
	return page.Named(host, []string{below}) || strings.HasSuffix(host, "."+below) || strings.HasSuffix(page.Portless(host), "."+below)
}
