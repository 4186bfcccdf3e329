package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thresher-crawler/thresher/focus/audit"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

const auditExample = "thresher label runs/quickstart --audit 60"

// auditFlags say how a harvest is audited.
type auditFlags struct {
	audit             int
	seed              uint64
	answers, relevant string
	json              bool
}

func (f *auditFlags) register(flags *pflag.FlagSet) {
	flags.IntVar(&f.audit, "audit", 0, "ask about `N` pages drawn by lot, and tell precision and recall of the harvest")
	flags.Uint64Var(&f.seed, "seed", 1, "with --audit: the lots are drawn from this `number`")
	flags.StringVar(&f.answers, "answers", "", "with --audit: a `file` of labels (address, tab, labels) answers instead of you")
	flags.StringVar(&f.relevant, "relevant", "^relevant(\t|$)", "with --answers: a regular `expression` for labels that count as relevant")
	jsonFlag(flags, &f.json)
}

// onlyAudits refuses flags that mean something to an audit alone.
func onlyAudits(cmd *cobra.Command) error {
	for _, name := range []string{"seed", "answers", "relevant", "json"} {
		if cmd.Flags().Changed(name) {
			return usageError{"--" + name + " belongs to --audit", auditExample}
		}
	}
	return nil
}

// auditing is one sitting of an audit.
type auditing struct {
	*winnow.Audit
	wanted int
	said   map[string]bool   // answers of earlier sittings
	file   map[string]string // labels by identity, of a file that answers; nil where a person does
	means  *regexp.Regexp    // which of them are relevant
	list   *os.File
	out    io.Writer
	keys   keys
	pages  *study.Library // where pages stand that no second look keeps; nil where they are nowhere
	silent int            // pages of which the file says nothing
	given  []audited      // by keys, in this sitting
}

// audited is a page that somebody answered for.
type audited struct {
	study.Label
	skipped bool
}

// auditRun asks about pages of a run that are drawn by lot.
func auditRun(cmd *cobra.Command, dir string, f *labelFlags) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	defer leaving(cmd, "the answers that were given stand in the list; the same command goes on")()
	s, file, err := f.open(cmd, dir)
	if err != nil {
		return err
	}
	defer s.close()
	if s.list, err = study.OpenList(file); err != nil {
		return err
	}
	err = s.sit(file)
	if err = errors.Join(err, s.list.Close()); err != nil {
		return err
	}
	figures, err := s.Tell()
	if err != nil {
		return err
	}
	told, err := run.ReadFigures(dir)
	if err != nil {
		return err
	}
	if f.json {
		return jsonTo(cmd.OutOrStdout()).Encode(struct {
			Run string `json:"run"`
			audit.Figures
			Remains *audit.Remains `json:"remains"` // by this audit, or one of more answers; null where no second look was taken
			Labels  string         `json:"labels"`
			Silent  int            `json:"unanswered"` // pages that the file of answers does not have
		}{dir, figures, told.Remains, file, s.silent})
	}
	if figures.Asked+figures.Known == 0 {
		_, err := fmt.Fprintln(s.out, "\nno page has an answer, so that nothing more is known than before")
		return err
	}
	printAudit(s.out, &figures)
	printRemains(s.out, told.Remains)
	return nil
}

func (f *labelFlags) check(cmd *cobra.Command) error {
	switch {
	case f.audit < 1:
		return usageError{fmt.Sprintf("--audit is %d, want at least 1; 60 pages take a quarter of an hour", f.audit), auditExample}
	case f.answers == "" && cmd.Flags().Changed("relevant"):
		return usageError{"--relevant belongs to --answers", auditExample + " --answers labels.tsv --relevant ^tea"}
	}
	for _, name := range []string{"pool", "round"} {
		if cmd.Flags().Changed(name) {
			return usageError{"--" + name + " does not go with --audit: the lot says which pages are asked about", auditExample}
		}
	}
	return nil
}

// open finds what is to be asked, and what was answered.
func (f *labelFlags) open(cmd *cobra.Command, dir string) (s *auditing, file string, err error) {
	ran, err := run.OpenAll(dir)
	if err != nil {
		return nil, "", misuse(fmt.Errorf("%w; --audit is of the folder of a run", err))
	}
	folders := ran.Parts
	if len(folders) == 0 {
		folders = []string{dir}
	}
	s = &auditing{wanted: f.audit, said: map[string]bool{}, out: cmd.OutOrStdout(), keys: keysOf(cmd.InOrStdin())}
	if f.json {
		s.out = cmd.ErrOrStderr()
	}
	if f.answers != "" {
		if s.means, err = regexp.Compile(f.relevant); err != nil {
			return nil, "", usageError{fmt.Sprintf("--relevant %s: is no regular expression: %v", f.relevant, err), auditExample + " --answers labels.tsv --relevant ^tea"}
		}
		if s.file, err = labelsByIdentity(f.answers); err != nil {
			return nil, "", err
		}
	}
	if pages, err := study.OpenRunLibrary(folders[0]); err == nil { // without one there is less to show
		s.pages = pages
	}
	defer whileLooked(cmd.ErrOrStderr(), dir)()
	if s.Audit, err = winnow.OpenAudit(dir, folders, f.seed, s.pages != nil && s.pages.Recorded()); err != nil {
		return nil, "", errors.Join(err, s.close())
	}
	file = s.List(f.labels)
	earlier, err := study.ReadLabels(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, "", err
	}
	for _, l := range earlier {
		s.said[l.Address] = l.Relevant
	}
	return s, file, nil
}

// close gives up the pages.
func (s *auditing) close() error {
	if s.pages == nil {
		return nil
	}
	return s.pages.Close()
}

// sit asks until there are as many answers as are wanted.
func (s *auditing) sit(file string) error {
	greeted := false
	for {
		if s.Asked() >= s.wanted {
			back, err := s.regrets()
			if err != nil {
				return err
			}
			if !back {
				break
			}
			continue
		}
		url, ok := s.Next()
		if !ok {
			fmt.Fprintln(s.out, "no pages are left to ask about")
			break
		}
		if said, ok := s.said[url]; ok {
			s.Answer(said)
			continue
		}
		if !greeted {
			greeted = true
			fmt.Fprintf(s.out, "%d of %s given; answers go to %s\n", s.Asked(), run.Several(s.wanted, "answer"), file)
		}
		var err error
		if s.file != nil {
			err = s.look(url)
		} else {
			err = s.ask(url)
		}
		if errors.Is(err, errQuit) {
			break
		}
		if err != nil {
			return err
		}
	}
	if s.silent > 0 {
		fmt.Fprintf(s.out, "%s drawn have no line in the file of answers, and count as the others of their stratum do\n", plural(s.silent))
	}
	return nil
}

// look takes the answer from the file.
func (s *auditing) look(url string) error {
	id, err := page.Canonical(url)
	line, ok := s.file[id]
	if err != nil || !ok {
		s.silent++
		s.Pass()
		return nil
	}
	return s.answer(url, s.means.MatchString(line))
}

// ask shows a page and takes the answer. What the judge says of it is not shown: it would be believed.
func (s *auditing) ask(url string) error {
	about := s.About(url)
	if about.Text == "" && s.pages != nil {
		if p, ok, err := s.pages.Page(url); err == nil && ok {
			about.Text = snippet(p.Doc)
		}
	}
	if printPage(s.out, about.Title, url, about.Text); about.Text == "" {
		fmt.Fprintln(s.out, "  (its text was not kept: the address shows it)")
	}
	key, err := relevance(s.keys, s.out, fmt.Sprintf("%d of %d: relevant? y/n/s/%sq ", s.Asked()+1, s.wanted, undoable(s.given)), "skip, nobody can tell", len(s.given) > 0)
	switch {
	case err != nil:
		return err
	case key == undo:
		return s.takeBack()
	case key == 's':
		s.Pass()
	default:
		fmt.Fprintln(s.out, map[byte]string{'y': "relevant", 'n': "other"}[key])
		err = s.answer(url, key == 'y')
	}
	s.given = append(s.given, audited{study.Label{Address: url, Relevant: key == 'y'}, key == 's'})
	return err
}

// regrets takes the last answer of all back where that is wished, before what they come to is told.
func (s *auditing) regrets() (back bool, err error) {
	if len(s.given) == 0 {
		return false, nil
	}
	key, err := s.keys.ask(s.out, fmt.Sprintf("\nthat was the last of %d: u takes it back, any other key tells what they come to ", s.wanted))
	fmt.Fprintln(s.out)
	switch {
	case err == io.EOF:
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read the answer: %w", err)
	case key != undo:
		return false, nil
	}
	return true, s.takeBack()
}

// takeBack takes the last answer of this sitting out of the list again, and asks for it anew.
func (s *auditing) takeBack() (err error) {
	last := s.given[len(s.given)-1]
	if s.list, err = study.Current(s.list); err != nil {
		return err
	}
	if !last.skipped {
		if err := study.TakeBack(s.list, last.Label); err != nil {
			fmt.Fprintf(s.out, "not taken back: %v\n", err)
			return nil
		}
	}
	fmt.Fprintln(s.out, "taken back")
	s.given = s.given[:len(s.given)-1]
	for s.Back() != last.Address { // what earlier sittings have answered since is taken again
	}
	return nil
}

// answer writes an answer down before anything else is done with it.
func (s *auditing) answer(url string, relevant bool) (err error) {
	if s.list, err = study.Current(s.list); err != nil {
		return err
	}
	if err := study.WriteLabel(s.list, study.Label{Address: url, Relevant: relevant}); err != nil {
		return err
	}
	s.Answer(relevant)
	return nil
}

// printAudit tells what an audit came to.
func printAudit(w io.Writer, f *audit.Figures) {
	fmt.Fprintf(w, "\naudit: %s by lot, of %s that were fetched and judged; %d are kept\n", run.Several(f.Asked, "answer"), plural(f.Pages), f.Kept)
	if f.Known > 0 {
		fmt.Fprintf(w, "%s had a label before: they were not drawn, and count for themselves\n", plural(f.Known))
	}
	tell := func(name string, i *audit.Interval, means string) {
		if i == nil {
			fmt.Fprintf(w, "  %-9s  not known  %s\n", name, means)
			return
		}
		fmt.Fprintf(w, "  %-9s  %.2f, from %.2f to %.2f  %s\n", name, i.Estimate, i.Low, i.High, means)
	}
	tell("precision", f.Precision, "of the pages that are kept are relevant")
	tell("recall", f.Recall, "of the relevant pages that were fetched are kept")
	fmt.Fprintf(w, "  missed     %.0f, from %.0f to %.0f  relevant pages were fetched and are not kept\n\n", f.Missed.Estimate, f.Missed.Low, f.Missed.High)
	t := measure.Table{Head: []string{"", "the judge's number", "pages", "known", "answers", "relevant"}}
	for _, s := range f.Strata {
		t.Rows = append(t.Rows, []string{s.Name, fmt.Sprintf("%.2f to %.2f", s.From, s.To), fmt.Sprint(s.Pages), fmt.Sprint(s.Known), fmt.Sprint(s.Asked), fmt.Sprint(s.Relevant)})
	}
	t.Text(w)
	fmt.Fprintln(w, "the intervals hold the truth in 95 of 100 audits; 'thresher label RUN --audit N' with a larger N makes them narrower")
}
