package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/text"
)

// build is what this program was built from. Its JSON is what version --json prints.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`   // empty where the build does not know it
	Changed  bool   `json:"changed"`  // the working copy had changes on top of the commit
	Go       string `json:"go"`       //
	Platform string `json:"platform"` //
	Words    string `json:"words"`    // what cuts Chinese into words
}

func versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show the version of the program and how it was built",
		Example: `  thresher version
  thresher version --json`,
		Args: noArguments("thresher version"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := thisBuild()
			if asJSON {
				return jsonTo(cmd.OutOrStdout()).Encode(b)
			}
			commit := b.Commit
			switch {
			case commit == "":
				commit = "unknown"
			case b.Changed:
				commit += " with changes"
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "thresher %s\ncommit    %s\ngo        %s\nplatform  %s\nwords     %s\n",
				b.Version, commit, b.Go, b.Platform, b.Words)
			return err
		},
	}
	jsonFlag(cmd.Flags(), &asJSON)
	return cmd
}

func thisBuild() build {
	b := build{Version: "development", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Words: text.Backend()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Changed = s.Value == "true"
		}
	}
	return b
}
