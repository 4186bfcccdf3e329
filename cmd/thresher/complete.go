package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/seek"
)

// complete teaches a command, and all below it, to complete crawl files and the flags that commands share.
func complete(cmd *cobra.Command) {
	if strings.Contains(cmd.Use, " FILE") && cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = filesOf("yaml", "yml")
	}
	completeFlags(cmd)
	for _, sub := range cmd.Commands() {
		complete(sub)
	}
}

// completionOfKnown lets completion, a command of Cobra's own, speak of mistakes as the others do.
func completionOfKnown(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	completion.Args = knownCommand
	for _, shell := range completion.Commands() {
		shell.Args = noArguments(completion.CommandPath() + " --help")
	}
}

// completeFlags completes the values of flags, as far as the command has them.
func completeFlags(cmd *cobra.Command) {
	strategy := func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		config := focus.Default()
		if len(args) > 0 {
			config.File = args[0]
		}
		return config.Strategies(), cobra.ShellCompDirectiveDefault
	}
	known := map[string]completion{
		"store": foldersOnly, "web": foldersOnly, "run": foldersOnly, "from": foldersOnly, "labelled": foldersOnly, "strategy": strategy, "compare": strategy, "baseline": strategy,
		"tune": foldersOnly, "show": foldersOnly, "train": foldersOnly,
		"engine":   cobra.FixedCompletions(append(seek.Builtin(), "searxng="), cobra.ShellCompDirectiveDefault),
		"find":     oneOf(findings()...),
		"language": oneOf("auto", "en", "zh"),
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		complete := known[f.Name]
		if complete == nil {
			complete = valuesFor(cmd, f)
		}
		if complete == nil {
			return
		}
		if err := cmd.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
			panic(err) // a mistake of the program: the flag is there, so it was registered twice
		}
	})
}
