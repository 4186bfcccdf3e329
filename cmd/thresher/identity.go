package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/signing"
)

const identityExample = "thresher identity bot.pem"

func identityCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "identity KEY",
		Short: "Print what to publish of the key that signs requests",
		Long: `Identity prints the directory of a key that signs requests (fetch.key), in JSON: publish it below the address that fetch.key_at
names, at /.well-known/http-message-signatures-directory, as application/http-message-signatures-directory+json. Nothing of the
private half is in it. See 'thresher help access'.`,
		Example: "  " + identityExample,
		Args:    oneArgument("file with a key", identityExample),
		RunE: func(cmd *cobra.Command, args []string) error {
			key, err := signing.Open(args[0], "")
			if err != nil {
				return misuse(err)
			}
			_, err = io.WriteString(cmd.OutOrStdout(), key.Directory())
			return err
		},
	}
}
