package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/configs"
	"github.com/thresher-crawler/thresher/testdata/webs"
)

// demoRun is where the demonstration is written.
var demoRun = filepath.Join("runs", "demo")

func demoCommand() *cobra.Command {
	var quiet bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Crawl a small built-in web, to see what a crawl looks like",
		Long: `Demo runs the quickstart: it looks for sailing on 300 pages of a generated web with 40 hosts, in English and Chinese.
It needs no network and no file. What it finds is in runs/demo, which starts afresh each time.`,
		Example: "  thresher demo",
		Args:    noArguments("thresher demo"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return demo(cmd, quiet)
		},
	}
	cmd.Flags().BoolVar(&quiet, "quiet", false, "no progress on stderr")
	return cmd
}

// demo crawls the quickstart as it is built in, and offers what can be done with its run.
func demo(cmd *cobra.Command, quiet bool) error {
	home, err := temporary("demo", "the web of the demonstration")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	file, err := unpackDemo(home)
	if err != nil {
		return err
	}
	args := []string{file, "--store", demoRun, "--fresh"}
	if quiet {
		args = append(args, "--quiet")
	}
	crawl := crawlCommand()
	crawl.SetArgs(args)
	crawl.SetOut(cmd.OutOrStdout())
	crawl.SetErr(cmd.ErrOrStderr())
	crawl.SilenceUsage, crawl.SilenceErrors = true, true
	if err := crawl.ExecuteContext(cmd.Context()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), `
what next
  thresher list harvest --run %[1]s             the pages that were kept
  thresher why http://daily.test/ --run %[1]s   why a page was visited, and what became of it
  thresher init mytopic                             a topic of your own
`, demoRun)
	return err
}

// temporary makes a folder that is thrown away after its use.
func temporary(name, use string) (folder string, err error) {
	if folder, err = os.MkdirTemp("", "thresher-"+name+"-"); err != nil {
		return "", fmt.Errorf("a folder for %s: %w; let TMPDIR name a folder that can be written in", use, err)
	}
	return folder, nil
}

// unpackDemo writes the quickstart and its web below a folder, as they stand in the project, and answers the crawl file.
func unpackDemo(home string) (file string, err error) {
	if err := webs.Quickstart(filepath.Join(home, "testdata", "webs", "quickstart")); err != nil {
		return "", fmt.Errorf("the web of the demonstration: %w", err)
	}
	file = filepath.Join(home, "configs", "quickstart.yaml")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		return "", fmt.Errorf("the crawl file of the demonstration: %w", err)
	}
	if err := os.WriteFile(file, configs.Quickstart, 0o600); err != nil {
		return "", fmt.Errorf("the crawl file of the demonstration: %w", err)
	}
	return file, nil
}
