package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/text"
)

const labelExample = "thresher label runs/quickstart"

// labelFlags say which pages are shown and where the labels go.
type labelFlags struct {
	labels      string
	pool, round int
	auditFlags
}

func labelCommand() *cobra.Command {
	var f labelFlags
	cmd := &cobra.Command{
		Use:   "label RUN|DIR",
		Short: "Label the pages from which a judge would learn most",
		Long: `Label shows pages of a run (of the recorded web it crawled or recorded, or else the pages it kept; those at which thresher
winnow looks, which are all with second_look: all), of a recorded web, or of a folder of files, beginning with those the judge
is least sure of and that differ most from each other. Answer with a key: y (relevant), n (other), s (skip), u (take the last answer back, also a skip), q (quit). After every few answers a judge is
trained on all labels and chooses what comes next; its F1 on labels it had not seen is shown.

Each label is written at once, on a line of its own: address, tab, relevant or other. The next session goes on from there, and
several may go on at the same time. A page that
two lines label differently, as of two people, is told by whoever reads the list; take one of them out.
thresher train judge and the corpus of a crawl file read that file, and so does a recorded web, as its labels.tsv.

With --audit N it asks about N pages of a run drawn by lot instead, and tells how good the harvest is: precision (how much of
what is kept is relevant) and recall (how much of what is relevant is kept, of the pages that were fetched and that nothing
but the judge kept out), each with its 95 % interval. Kept pages, near misses and dropped ones are drawn apart, and the
judge's opinion is not shown. The keys are the same. The answers go to audit.tsv, from which no judge learns. An audit that was quit goes on where it was; a
larger N adds to it. Pages of labels.tsv are not asked about again: they count for themselves alone.`,
		Example: `  ` + labelExample + `
  ` + auditExample + `
  thresher label webs/mine --labels solar.tsv
  thresher train judge --relevant runs/quickstart/labels.tsv --out mine.model`,
		Args: oneArgument("run, recorded web or folder of pages", labelExample),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("audit") {
				return auditRun(cmd, args[0], &f)
			}
			if err := onlyAudits(cmd); err != nil {
				return err
			}
			return label(cmd, args[0], &f)
		},
	}
	cmd.Flags().StringVar(&f.labels, "labels", "", "the list of labels, `FILE.tsv`, to start or continue (default: labels.tsv in the folder, with --audit audit.tsv)")
	writesBut(cmd.Flags(), "labels", "*.tsv")
	f.auditFlags.register(cmd.Flags())
	cmd.Flags().IntVar(&f.pool, "pool", study.UsualPool, "how many pages to choose from")
	cmd.Flags().IntVar(&f.round, "round", study.UsualRound, "how many answers to collect before training again")
	cmd.ValidArgsFunction = foldersOnly
	return cmd
}

func label(cmd *cobra.Command, from string, f *labelFlags) error {
	if f.pool < 1 || f.round < 1 {
		return usageError{"--pool and --round are numbers of at least 1", labelExample + " --round 5"}
	}
	file := cmp.Or(f.labels, beside(from))
	l, err := study.NewLabelling(from, file, f.pool)
	if err != nil {
		return misuse(err)
	}
	defer l.Library.Close()
	list, err := study.OpenList(file)
	if err != nil {
		return err
	}
	defer leaving(cmd, "the labels that were given stand in "+file+"; the same command goes on")()
	s := &session{Labelling: l, list: list, size: lengthOf(list), out: cmd.OutOrStdout(), keys: keysOf(cmd.InOrStdin())}
	s.greet(file)
	switch err = s.Rounds(f.round, s.learn, s.ask); {
	case err == nil:
		fmt.Fprintln(s.out, "no pages are left to ask about")
	case errors.Is(err, errQuit):
		err = nil
	}
	s.part(file)
	return errors.Join(err, s.list.Close()) // some disks say only now that what was written is lost
}

// beside is the list of labels that belongs to a folder of pages, or to a file of them.
func beside(from string) string {
	if info, err := os.Stat(from); err == nil && !info.IsDir() {
		from = filepath.Dir(from)
	}
	return filepath.Join(from, "labels.tsv")
}

// session is one sitting: questions, answers, and what was learned from them.
type session struct {
	*study.Labelling
	list  *os.File
	size  int64 // of the list, as far as this sitting knows it
	out   io.Writer
	keys  keys
	given []given
	f1    float64 // of the last training; 0 before the first
}

// given is an answer of this sitting.
type given struct {
	page              *study.Unlabelled
	relevant, skipped bool
}

func (g given) label() study.Label { return study.Label{Address: g.page.Name, Relevant: g.relevant} }

var errQuit = errors.New("quit")

func (s *session) greet(file string) {
	fmt.Fprintf(s.out, "%s to choose from; labels go to %s\n", plural(len(s.Pool)), file)
	if s.Lost > 0 {
		fmt.Fprintf(s.out, "%s in it of pages that are not here, which teach nothing\n", run.Several(s.Lost, "label"))
	}
}

// learn trains on all labels and shows how F1 moved.
func (s *session) learn() error {
	err := s.Train()
	counts := fmt.Sprintf("%d relevant, %d other", len(s.Relevant), len(s.Other))
	switch {
	case err != nil:
		fmt.Fprintf(s.out, "\n-- %s: %v\n", counts, err)
	case s.Judge != nil:
		m := s.Judge.Model()
		moved := ""
		if s.f1 > 0 {
			moved = fmt.Sprintf(" (%+.2f)", m.F1-s.f1)
		}
		s.f1 = m.F1
		fmt.Fprintf(s.out, "\n-- %s: F1 %.2f%s, macro F1 %.2f, on labels it had not seen\n", counts, m.F1, moved, m.MacroF1)
	case len(s.Relevant)+len(s.Other) > 0:
		fmt.Fprintf(s.out, "\n-- %s: a judge is trained from %d of each on\n", counts, study.Fewest)
	}
	return nil
}

// lengthOf is how large an open file is; less than any where that cannot be known.
func lengthOf(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil {
		return -1
	}
	return info.Size()
}

// meanwhile takes the label that another sitting has given a page since this one began, if it has: the two work on one list, and a
// page needs one answer.
func (s *session) meanwhile(c *study.Unlabelled) bool {
	if lengthOf(s.list) == s.size {
		return false
	}
	labels, _ := study.ReadLabels(s.list.Name()) // the next sitting says what is wrong with it
	for _, l := range labels {
		if l.Address == c.Name {
			s.Take(c.Page.Doc, l.Relevant)
			s.Drop(c)
			return true
		}
	}
	return false
}

// ask shows a page and takes the answer, unless somebody else has answered. To take the one before back is to be asked of that page again, and then of this.
func (s *session) ask(c *study.Unlabelled) error {
	for !s.meanwhile(c) {
		key, err := s.show(c)
		if err == nil {
			s.list, err = study.Current(s.list)
		}
		switch {
		case err != nil:
			return err
		case key == 's':
			s.given = append(s.given, given{page: c, skipped: true})
			s.Drop(c)
			return nil
		case key != undo:
			return s.answer(c, key == 'y')
		}
		last := s.given[len(s.given)-1]
		if err := s.takeBack(last); err != nil {
			fmt.Fprintf(s.out, "not taken back: %v\n", err)
			continue
		}
		fmt.Fprintln(s.out, "taken back")
		s.given = s.given[:len(s.given)-1]
		s.Untake(last.page)
		if err := s.ask(last.page); err != nil {
			return err
		}
	}
	return nil
}

// takeBack takes what was written of an answer out of the list again.
func (s *session) takeBack(g given) error {
	if g.skipped {
		return nil
	}
	label := g.label()
	err := study.TakeBack(s.list, label)
	if err == nil {
		s.size -= int64(len(label.Line())) // what another sitting has written is not known by that
	}
	return err
}

// show shows a page, and waits for a key.
func (s *session) show(c *study.Unlabelled) (key byte, err error) {
	printPage(s.out, c.Page.Title, c.Name, snippet(c.Page.Doc))
	return relevance(s.keys, s.out, c.Belief()+" relevant? y/n/s/"+undoable(s.given)+"q ", "skip", len(s.given) > 0)
}

// undoable is the key of undo in a question, where there is an answer to take back.
func undoable[A any](given []A) string {
	if len(given) == 0 {
		return ""
	}
	return "u/"
}

// undo takes an answer back.
const undo = 'u'

// relevance asks of a page until the answer is y, n or s, or to take the one before back where it can be; to quit is an error.
func relevance(from keys, out io.Writer, question, skip string, back bool) (key byte, err error) {
	for {
		key, err := from.ask(out, question)
		if err == io.EOF {
			key, err = 'q', nil
		}
		if err != nil {
			return 0, fmt.Errorf("read the answer: %w", err)
		}
		switch key {
		case 'y', 'n':
			return key, nil
		case 's':
			fmt.Fprintln(out, "skipped")
			return key, nil
		case 'q', 3, 4: // Ctrl-C and Ctrl-D of a terminal that passes keys on
			fmt.Fprintln(out, "quit")
			return 0, errQuit
		}
		said := "? y: relevant, n: other, s: " + skip + ", q: quit"
		if back {
			if key == undo {
				return key, nil
			}
			said += ", u: take the last answer back"
		}
		fmt.Fprintln(out, said)
	}
}

// answer writes a label down before anything else is done with it.
func (s *session) answer(c *study.Unlabelled, relevant bool) error {
	if s.meanwhile(c) {
		fmt.Fprintln(s.out, "labelled by another sitting meanwhile, which stays")
		return nil
	}
	answer := given{page: c, relevant: relevant}
	if err := study.WriteLabel(s.list, answer.label()); err != nil {
		return err
	}
	word := "other"
	if relevant {
		word = "relevant"
	}
	fmt.Fprintln(s.out, word)
	label := answer.label()
	s.size += int64(len(label.Line()))
	s.given = append(s.given, answer)
	s.Take(c.Page.Doc, relevant)
	s.Drop(c)
	return nil
}

func (s *session) part(file string) {
	all, labels := len(s.Relevant)+len(s.Other)+s.Lost, 0
	for _, g := range s.given {
		if !g.skipped {
			labels++
		}
	}
	if labels, err := study.ReadLabels(file); err == nil {
		all = len(labels) // with those of another sitting
	}
	fmt.Fprintf(s.out, "\n%s given, %d in all, in %s\n", run.Several(labels, "label"), all, file)
	if len(s.Relevant) >= study.Fewest && len(s.Other) >= study.Fewest {
		fmt.Fprintf(s.out, "  next: thresher train judge --relevant %s --out judge.model\n", shell.Word(file))
	}
}

// printPage shows a page of which something is asked: how it is called, where it stands, and how its text begins.
func printPage(w io.Writer, title, address, text string) {
	fmt.Fprintf(w, "\n%s\n%s\n", clip(cmp.Or(title, "(no title)"), 100), clip(address, 200))
	if text != "" {
		fmt.Fprintf(w, "  %s\n", clip(text, 300))
	}
}

// snippet is how the main text of a page begins, links in its sentences included; where nobody looked for it, all text that
// is no list of links.
func snippet(d *text.Doc) string {
	var b strings.Builder
	for _, s := range d.Segments {
		main := d.Main == nil || int(s.Block) < len(d.Main) && s.Block >= 0 && d.Main[s.Block]
		if main && (s.Position == text.Body || s.Position == text.Emphasis || s.Position == text.Anchor && !s.Aside) {
			if apart(b.String(), s.Text) {
				b.WriteByte(' ')
			}
			b.WriteString(s.Text)
		}
		if b.Len() > 2000 {
			break
		}
	}
	return strings.TrimSpace(b.String())
}

// apart tells whether a blank stands between two pieces of a text: none before a comma, and none in Chinese.
func apart(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return before != "" && !strings.ContainsRune(",.;:!?)]…", first) && (last < 0x2e80 || first < 0x2e80)
}
