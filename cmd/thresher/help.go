package main

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// manual holds the chapters of the manual. A chapter is a Markdown file whose first line is its title; adding one is
// adding the file.
//
//go:embed help/*.md
var manual embed.FS

// chapters are the names of the chapters, in alphabetical order.
func chapters() []string {
	files, err := fs.Glob(manual, "help/*.md")
	if err != nil {
		panic(err) // a mistake of the program: the pattern is the one above
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(path.Base(file), ".md")
	}
	slices.Sort(files)
	return files
}

// chapter is the text of a chapter; ok says whether there is one of that name.
func chapter(name string) (text string, ok bool) {
	if name == "中文" {
		name = "chinese"
	}
	raw, err := manual.ReadFile("help/" + name + ".md")
	return string(raw), err == nil
}

// chapterTitle is the first line of a chapter.
func chapterTitle(name string) string {
	text, _ := chapter(name)
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimPrefix(first, "# ")
}

// helpCommand tells of commands, as every Cobra program does, and shows the chapters of the manual.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | CHAPTER]",
		Short: "Show how to use a command, or a chapter of the manual",
		Long:  "Help shows how to use a command, or a chapter of the manual:\n\n" + contents(),
		Example: `  thresher help crawl
  thresher help topics`,
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return helpNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Root().Help()
			}
			if text, ok := chapter(args[0]); ok && len(args) == 1 {
				if screen := terminalOf(cmd.OutOrStdout()); screen != nil {
					text = fill(text, screenWidth(screen))
				}
				_, err := fmt.Fprint(cmd.OutOrStdout(), text)
				return err
			}
			about, rest, err := cmd.Root().Find(args)
			if err != nil || about == cmd.Root() || len(rest) > 0 {
				return unknownHelp(cmd.Root(), strings.Join(args, " "))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// contents lists the chapters, one a line.
func contents() string {
	var b strings.Builder
	for _, name := range chapters() {
		fmt.Fprintf(&b, "  %-12s%s\n", name, chapterTitle(name))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// helpNames are all the words that help knows.
func helpNames(root *cobra.Command) []string {
	names := chapters()
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// unknownHelp refuses a word that is neither a command nor a chapter.
func unknownHelp(root *cobra.Command, word string) error {
	message := fmt.Sprintf("there is no command and no chapter %q", word)
	if near := strict.Nearest(word, helpNames(root)); near != "" {
		message += fmt.Sprintf("; did you mean %q?", near)
	}
	return usageError{message, "thresher help"}
}
