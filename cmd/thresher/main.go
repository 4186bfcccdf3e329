// Command thresher harvests the pages of one topic from the web and leaves the rest where it is.
//
// Every command is one file of this package; this file has what they share: the root they hang on, and how a mistake
// becomes a message and an exit code.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// The exit codes. Misuse is a mistake in what was given, on the command line or in a file; everything else that goes
// wrong has failed.
const (
	exitDone   = 0
	exitFailed = 1
	exitMisuse = 2
)

// commands are the commands of the program. Adding one is adding a file and a line here.
var commands = []func() *cobra.Command{
	demoCommand,
	initCommand,
	seedsCommand,
	crawlCommand,
	checkCommand,
	whyCommand,
	judgeCommand,
	extractCommand,
	trainCommand,
	labelCommand,
	listCommand,
	cardCommand,
	etiquetteCommand,
	forgetCommand,
	identityCommand,
	compareCommand,
	learnCommand,
	measureCommand,
	winnowCommand,
	suggestCommand,
	recordCommand,
	replayCommand,
	exportCommand,
	indexCommand,
	searchCommand,
	askCommand,
	serveCommand,
	mcpCommand,
	injectCommand,
	pauseCommand,
	resumeCommand,
	stopCommand,
	blockCommand,
	budgetCommand,
	repairCommand,
	versionCommand,
}

func main() {
	spareGojieba()
	boundProgram()
	os.Exit(execute(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

// execute runs one command line and answers the exit code.
func execute(ctx context.Context, args []string, out, errs io.Writer) int {
	out, errs = onScreen(out), onScreen(errs)
	defer finish(errs)
	said := &stdout{Writer: out}
	if terminalOf(out) == nil {
		out = said
	}
	defer finish(out)
	root := newRoot()
	root.SetArgs(withQuery(root, args))
	root.SetOut(out)
	root.SetErr(errs)
	completionOfKnown(root)
	unknown := helpOfKnown(root)
	err := cmp.Or(root.ExecuteContext(ctx), *unknown)
	if err == nil {
		err = said.failed()
	}
	if err == nil || readEnough(err) {
		return exitDone
	}
	return explain(errs, err)
}

// stdout is stdout where it is no terminal. What could not be written there it remembers, so that no command ends well whose answer is cut
// short, whoever wrote the line.
type stdout struct {
	io.Writer

	mu  sync.Mutex
	err error // the first
}

func (o *stdout) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.err = cmp.Or(o.err, err)
	}
	return n, err
}

func (o *stdout) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// readEnough tells of an error that it says nothing but that nobody reads stdout any more: thresher export | head. Of several
// errors that are joined it is never said.
func readEnough(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if path, ok := err.(*fs.PathError); ok && path.Path == os.Stdout.Name() && errors.Is(err, syscall.EPIPE) {
			return true
		}
	}
	return false
}

// newRoot is the program with all its commands.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "thresher",
		Short: "Harvest the pages of one topic from the web",
		Long: `Thresher is a focused crawler: it follows the links that promise pages of your topic, keeps what is relevant, and can
explain for every link why it was followed or refused.

A crawl is one YAML file. Exit codes: 0 done, 1 failed, 2 misuse (a mistake on the command line or in a file).

Chapters of the manual (thresher help CHAPTER):
` + contents(),
		Example: `  thresher crawl configs/quickstart.yaml
  thresher check configs/quickstart.yaml
  thresher why https://www.example.org/ --run runs/quickstart`,
		Args: knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), welcome)
			return err
		},
		PersistentPreRunE: checkWritten,

		Version:       thisBuild().Version,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if cmd.HasSubCommands() { // that there is no such command is said before what is wrong with its flags
			if wrong := cmd.ValidateArgs(cmd.Flags().Args()); wrong != nil {
				return wrong
			}
		}
		return usageError{flagMistake(cmd, err), firstExample(cmd)}
	})
	for _, command := range commands {
		root.AddCommand(command())
	}
	root.SetHelpCommand(helpCommand())
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if screen := terminalOf(cmd.OutOrStdout()); screen != nil {
			cmd.Long = fill(cmd.Long, screenWidth(screen))
		}
		help(cmd, args)
	})
	complete(root)
	return root
}

// helpOfKnown lets --help behind a word that is no command say so, which it leaves where it points to, and show no help.
func helpOfKnown(root *cobra.Command) *error {
	var unknown error
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd.HasSubCommands() {
			unknown = cmd.ValidateArgs(cmd.Flags().Args())
		}
		if unknown == nil {
			help(cmd, args)
		}
	})
	return &unknown
}

// wanted is what the value of a flag is, by its type.
var wanted = map[string]string{"int": "a whole number", "uint": "a whole number from 0 on", "uint64": "a whole number from 0 on", "int64": "a whole number",
	"float64": "a number such as 0.5", "duration": "a time such as 1.5s", "bool": "true or false"}

// flagMistake says what is wrong with a flag, and not which function of the program has found it out.
func flagMistake(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := strict.Nearest(cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName()), known); near != "" {
			return fmt.Sprintf("%v; did you mean --%s?", err, near)
		}
		if meant := meantFlag(cmd.Flags(), unknown.GetSpecifiedName()); meant != "" {
			return fmt.Sprintf("%v; did you mean %s?", err, meant)
		}
	}
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		if want := wanted[wrong.GetFlag().Value.Type()]; want != "" {
			return fmt.Sprintf("--%s is %q, want %s", wrong.GetFlag().Name, wrong.GetValue(), want)
		}
	}
	return err.Error()
}

// welcome is what somebody sees who gives no command.
const welcome = `thresher harvests the pages of one topic from the web, and leaves the rest where it is.
  thresher demo    crawls a small web that is built in, and says what to do next
  thresher help    lists the commands and the chapters of the manual
`

// knownCommand refuses a first word that is no command.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	message := fmt.Sprintf("there is no command %q", args[0])
	if _, err := os.Stat(args[0]); err == nil && filepath.Ext(args[0]) == ".yaml" {
		return usageError{message, cmd.CommandPath() + " crawl " + shell.Word(args[0])}
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	if near := strict.Nearest(args[0], names); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return usageError{message, cmd.CommandPath() + " --help"}
}

// firstExample is the first line of a command's examples.
func firstExample(cmd *cobra.Command) string {
	first, _, _ := strings.Cut(cmd.Example, "\n")
	if first == "" {
		return cmd.CommandPath() + " --help"
	}
	return strings.TrimSpace(first)
}

// usageError is a mistake on the command line, and a line that shows how it is done.
type usageError struct{ message, hint string }

func (e usageError) Error() string { return e.message }

// explain writes an error for a person and answers the exit code.
func explain(w io.Writer, err error) int {
	var usage usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(w, "thresher: %s\n  try: %s\n", shown(usage.message), usage.hint)
		return exitMisuse
	}
	if problems, ok := strict.Problems(err); ok {
		printProblems(w, problems)
		return exitMisuse
	}
	message := linesOnce(err.Error())
	if remedy := run.Remedy(err); remedy != "" {
		message += "; " + remedy + ", and run the command again"
	}
	fmt.Fprintf(w, "thresher: %s\n", shown(message))
	if errors.As(err, new(misused)) {
		return exitMisuse
	}
	return exitFailed
}

// linesOnce leaves out lines that were said before: what fails in the end has often failed on the way.
func linesOnce(message string) string {
	var lines []string
	for line := range strings.SplitSeq(message, "\n") {
		if line == "" || !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// misused is an error of what somebody named on the command line: a file that is not there, or is none of the kind.
type misused struct{ error }

func (e misused) Unwrap() error { return e.error }

func misuse(err error) error {
	if err == nil {
		return nil
	}
	return misused{err}
}

// printProblems writes the mistakes of files, one a line, and how many they are.
func printProblems(w io.Writer, problems []strict.Problem) {
	for _, p := range problems {
		fmt.Fprintln(w, shown(p.String()))
	}
	if len(problems) > 1 {
		fmt.Fprintf(w, "thresher: %d mistakes\n", len(problems))
	}
}
