package main

import (
	"strings"

	"github.com/thresher-crawler/thresher/focus/extract"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// values finds out which values of pages are asked for and which of them are numbers, and names the columns of a table of text where
// nobody has.
func (f *exportFlags) values(dir string) {
	for _, field := range f.fields {
		if value, is := strings.CutPrefix(field, sink.ValueOf); is {
			f.named = append(f.named, value)
		}
	}
	var rules extract.Rules
	if config, err := run.ConfigOf(dir); err == nil { // where it cannot be read, the usual columns do
		rules = config.Extract
	}
	f.numbers = rules.Numbers()
	if f.to == "csv" && len(f.fields) == 0 {
		f.fields = sink.KeptColumns(rules.Names()...)
	}
}
