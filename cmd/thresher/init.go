package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/whole"
	"github.com/thresher-crawler/thresher/focus/wire"
)

const initExample = `thresher init solar --terms photovoltaic,inverter,heliostat --contact you@example.org`

// initFlags are what a topic is told by.
type initFlags struct {
	terms, about, language, strategy, contact, labelled, find, web string
	examples, seeds, engines, directories, private                 []string
	fetch, force                                                   bool
}

func initCommand() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init NAME",
		Short: "Write the crawl file of a new topic",
		Long: `Init writes NAME.yaml, a commented crawl file, from whatever you have: words, a sentence, pages that are of the topic, or
labelled pages. It shows the words it took and their weights, warns of words that stand on pages about anything, and shows
what the threshold means by the pages that are at hand: those next to it, above and below, of the example and labelled pages,
or of a recorded web (--web). It needs no network: example pages that are addresses are kept as they are, unless --fetch allows fetching them for their
words. An existing file is not overwritten without --force.

On a terminal, without any of these flags, it asks. 不带参数在终端里运行时，它会逐项提问。`,
		Example: `  ` + initExample + `
  thresher init 旅游 --terms 旅游,景点,自由行:0.8
  thresher init bees --example hive.html --example https://www.example.org/bees --fetch --contact you@example.org
  thresher init solar --labelled pages
  thresher init solar`,
		Args: oneArgument("name", initExample),
		RunE: func(cmd *cobra.Command, args []string) error { return initialise(cmd, args[0], &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.terms, "terms", "", "words and phrases `A,B` of the topic; A:0.5 gives one a weight, less than 0 to what speaks against a page")
	flags.StringVar(&f.about, "about", "", "a `SENTENCE` that words are taken from")
	flags.StringArrayVar(&f.examples, "example", nil, "a page that is of the topic: a file or an address, `PAGE`; again for more")
	flags.StringVar(&f.labelled, "labelled", "", "labelled pages: a folder `DIR` with relevant/ and other/, or with labels.tsv")
	flags.StringArrayVar(&f.seeds, "seed", nil, "a start page `URL`; again for more")
	flags.StringArrayVar(&f.engines, "engine", nil, "a search `ENGINE` for thresher seeds; again for more")
	flags.StringArrayVar(&f.directories, "directory", nil, "a page of links, `URL`, for thresher seeds; again for more")
	flags.StringArrayVar(&f.private, "private", nil, "a `HOST`, address or network that is not public and may be visited; again for more")
	flags.StringVar(&f.language, "language", "auto", "the language of the words: zh, en or auto")
	flags.StringVar(&f.strategy, "strategy", initStrategy, "the strategy: a `NAME`, or the path of its file")
	flags.StringVar(&f.find, "find", balanced, "how much is kept: `more`, balanced or surer")
	flags.StringVar(&f.web, "web", "", "a recorded web `DIR` whose pages show what the threshold means; the file does not name it")
	flags.StringVar(&f.contact, "contact", "", "an e-mail or web `ADDRESS` that hosts can write to")
	flags.BoolVar(&f.fetch, "fetch", false, "fetch example pages that are addresses, for their words")
	flags.BoolVar(&f.force, "force", false, "overwrite a file that is there")
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	return cmd
}

// initStrategy is what a new crawl file begins with: it starts from the weights of sites, which thresher seeds finds out, and
// learns.
const initStrategy = "apprentice"

// balanced is how much is kept where nobody says more.
const balanced = "balanced"

// findings are the words that say how much is kept.
func findings() []string {
	var words []string
	for _, f := range topic.Findings() {
		words = append(words, f.Word)
	}
	return words
}

func initialise(cmd *cobra.Command, name string, f *initFlags) error {
	file, err := newFile(name)
	if errors.Is(err, errThere) {
		if err = nil; !f.force {
			err = usageError{file + " is there already; --force overwrites it", "thresher check " + shell.Word(file)}
		}
	}
	if err != nil {
		return err
	}
	if f.web != "" {
		library, err := study.OpenLibrary(f.web)
		if err != nil {
			return usageError{"--web " + f.web + ": " + err.Error(), initExample + " --web webs/mine"}
		}
		library.Close()
	}
	d := draft{name: strings.TrimSuffix(filepath.Base(file), ".yaml"), file: file, initFlags: *f, out: cmd.OutOrStdout(), errs: cmd.ErrOrStderr()}
	if err := d.readStrategy(); err != nil {
		return err
	}
	told := f.terms != "" || f.about != "" || f.labelled != "" || len(f.examples) > 0 || d.bySeeds()
	terminal, ok := cmd.InOrStdin().(*os.File)
	switch {
	case !told && ok && term.IsTerminal(int(terminal.Fd())):
		err = d.interview(newEditor(terminal, cmd.OutOrStdout()))
	case !told:
		return usageError{"init needs something to tell the topic by: --terms, --about, --example or --labelled, or --seed with --strategy adaptive (it asks only on a terminal)", initExample}
	default:
		err = d.fromFlags()
	}
	if err != nil {
		return err
	}
	text, err := d.compose()
	if err != nil {
		return err
	}
	if err := writeNew(file, text, f.force); err != nil {
		return err
	}
	fmt.Fprintf(d.out, "%s written\n", file)
	d.showTerms()
	d.showPrivate()
	if err := d.showCut(text); err != nil {
		return err
	}
	fmt.Fprintf(d.out, "  next: %s\n", d.next())
	return nil
}

// showCut shows what the threshold means by the pages that are at hand, or says why it cannot.
func (d *draft) showCut(text []byte) error {
	config, err := crawlfile.Read(d.file, text)
	if err != nil {
		return err
	}
	strategy, err := config.LoadStrategy(nil)
	if err != nil {
		return err
	}
	why := "no page is at hand: --example FILE, --labelled DIR or a recorded web (--web DIR) show it here, and thresher check " + shell.Word(d.file) + " when pages were crawled"
	var cut *shownCut
	switch {
	case d.web != "":
		config.Web = d.web
		why = "no page of " + d.web + " can be judged: thresher check " + shell.Word(d.file) + " --web " + shell.Word(d.web) + " says more"
		cut = cutOf(&config, strategy)
	case len(d.pages.examples) < len(d.examples) && d.fetch:
		why = "the topic has example pages that could not be had"
	case len(d.pages.examples) < len(d.examples):
		why = "the topic has example pages that were not fetched: --fetch allows it"
	default:
		cut = d.pages.cut(&config, strategy)
	}
	if cut == nil {
		fmt.Fprintf(d.out, "  what the threshold means is not shown: %s\n", why)
		return nil
	}
	cut.print(d.out, "  ")
	return nil
}

// readStrategy finds out which judge and which content rule belong to the strategy.
func (d *draft) readStrategy() error {
	config := focus.Default()
	config.Strategy = crawlfile.StrategyConfig{Name: d.strategy}
	s, err := config.LoadStrategy(nil)
	if err != nil {
		return err
	}
	d.judge, d.content = s.Judge, cmp.Or(s.Content, "main_text")
	return nil
}

// bySeeds tells whether start pages are enough to tell the topic by: the judge measures by the centre of pages.
func (d *draft) bySeeds() bool { return topic.TraitsOf(d.judge).Pages && len(d.seeds) > 0 }

// errThere tells of a topic that has a crawl file already.
var errThere = errors.New("is there already")

// newFile is the file of a new topic, which is not there yet: errThere where it is.
func newFile(name string) (string, error) {
	base := strings.TrimSuffix(strings.TrimSuffix(name, ".yaml"), ".yml")
	if ending := filepath.Ext(base); ending == ".yaml" || ending == ".yml" {
		return "", usageError{fmt.Sprintf("%q ends as a crawl file twice: want a word, and NAME.yaml is written where you are", name), initExample}
	}
	if strings.ContainsAny(base, `/\`+"\x00\n") || strings.Trim(base, ". ") == "" || strings.HasPrefix(base, "-") {
		return "", usageError{fmt.Sprintf("%q is no name for a topic: want a word, and NAME.yaml is written where you are", name), initExample}
	}
	file := base + ".yaml"
	_, err := os.Lstat(file)
	switch {
	case err == nil:
		return file, errThere
	case errors.Is(err, fs.ErrNotExist):
		return file, nil
	}
	return "", err
}

// writeNew writes a file, whole or not at all; one that has come up meanwhile is not overwritten.
func writeNew(file string, text []byte, force bool) error {
	if !force {
		place, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		place.Close()
	}
	err := whole.Write(file, text)
	if err != nil && !force {
		os.Remove(file) // what was held for it
	}
	return err
}

// next is the command that comes next.
func (d *draft) next() string {
	switch {
	case len(d.seeds) > 0:
		return "thresher crawl " + shell.Word(d.file)
	case len(d.engines)+len(d.directories) > 0:
		return "thresher seeds " + shell.Word(d.file)
	}
	return "thresher seeds " + shell.Word(d.file) + " --engine searxng=https://search.example.org"
}

// allowed are the hosts that may be visited though they are not public: those that were named here, and those of the environment.
func (d *draft) allowed() []string {
	config := focus.Default()
	if err := config.Override(); err != nil {
		return d.private // whoever fetches says what is wrong
	}
	return slices.Concat(config.Fetch.Private, d.private)
}

// showPrivate says of hosts that were named, and will not be visited because they are not public, how they are.
func (d *draft) showPrivate() {
	guard := wire.PrivateNetworksConfig{Allow: d.allowed()}
	var hosts []string
	for _, address := range slices.Concat(d.seeds, d.examples, d.directories, d.engines) {
		if at := strings.Index(address, "=http"); at > 0 && !isWebAddress(address) { // of an engine
			address = address[at+1:]
		}
		if host := page.Portless(page.Host(address)); isWebAddress(address) && guard.Refuses(host) && !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	for _, host := range hosts {
		fmt.Fprintf(d.out, "  %s is on no public address, and is not visited: --private %s lets it be, or in %s\n    fetch: {private: [%s]}\n", host, shell.Word(host), d.file, inList(host))
	}
}

// showTerms shows the words that were taken, and warns of common ones.
func (d *draft) showTerms() {
	if len(d.words) == 0 && len(d.examples) == 0 && d.bySeeds() {
		fmt.Fprintln(d.out, "  the start pages are the topic: pages like them are kept")
		return
	}
	if len(d.words) == 0 {
		cure := ""
		if !d.fetch {
			cure = "; with --fetch words are taken from them now"
		}
		fmt.Fprintln(d.out, "  no words yet: the crawl will take the topic from the example pages"+cure)
		return
	}
	fmt.Fprintln(d.out, "  word                            weight")
	doubts := topic.Doubts(d.words)
	for i, t := range d.words {
		unsought := slices.ContainsFunc(doubts, func(doubt topic.Doubt) bool { return doubt.At == i && doubt.Unsought })
		fmt.Fprintf(d.out, "  %s%s %6.2f%s\n", t.Term, strings.Repeat(" ", max(31-columns(t.Term), 0)), t.Weight, remark(t.Term, unsought))
	}
	if untold := topic.Untold(d.about, d.words); len(untold) > 0 {
		fmt.Fprintf(d.out, "  in no term: %s; 未收入词表，需要就用 --terms 写出\n", strings.Join(untold, " "))
	}
	for _, doubt := range doubts {
		fmt.Fprintf(d.out, "  %s\n", doubt.Why)
	}
	if foreign := topic.Foreign(d.about); foreign != "" {
		fmt.Fprintln(d.out, "  the sentence "+foreign+" (--terms); 句子似乎不是中文或英文，虚词也会成为主题词，请用 --terms 写出")
	}
	byPages := len(d.examples) > 0 || d.corpus.Relevant != ""
	if toldByFew(cmp.Or(d.judge, topic.DefaultJudge), byPages, topic.Spec{Language: d.language, Terms: d.words}) {
		fmt.Fprintln(d.out, "  "+poorJudge)
	}
}

// checkTopic holds a draft to what a crawl file may say.
func (d *draft) checkTopic(text []byte) error {
	config, err := crawlfile.Read(d.file, text)
	if err != nil {
		return fmt.Errorf("the file would not be accepted: %w", err)
	}
	_, err = config.LoadStrategy(nil)
	return err
}
