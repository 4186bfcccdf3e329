package main

import (
	"fmt"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// worded are the flags whose values are words, and not names of files, which may be of any bytes.
var worded = []string{"about", "set", "terms"}

// checkWords refuses words of a command line that are no UTF-8.
func checkWords(cmd *cobra.Command) error {
	for _, name := range worded {
		flag := cmd.Flags().Lookup(name)
		if flag == nil || !flag.Changed {
			continue
		}
		values := []string{flag.Value.String()}
		if several, ok := flag.Value.(pflag.SliceValue); ok {
			values = several.GetSlice()
		}
		for _, value := range values {
			if err := inUTF8("--"+name, value, firstExample(cmd)); err != nil {
				return err
			}
		}
	}
	return nil
}

// inUTF8 refuses what is not in UTF-8, as a terminal gives it that is set to GBK: it would be taken for other words.
func inUTF8(what, said, example string) error {
	if utf8.ValidString(said) {
		return nil
	}
	return usageError{fmt.Sprintf("%s is %.40q, which is not UTF-8: set the terminal to UTF-8 (LANG=zh_CN.UTF-8, LANG=C.UTF-8)", what, said), example}
}
