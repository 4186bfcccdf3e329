package main

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
)

// What a page says of itself steers no terminal, and makes no line of its own.
func TestAPageSpeaksInItsOwnLine(t *testing.T) {
	var said []string
	logger := toldBy(func(line string) { said = append(said, line) }, slog.LevelDebug)
	v := &focus.Visit{Kept: true, Page: &page.Page{Title: "\x1b[2J\x1b]0;mine\aSolar\nwarning: all is lost\r\u202epanels"}}
	v.Item.URL = "http://www.example.org/"
	logger.Debug(cameOf(eventOf(v)))
	v.Kept, v.Refused = false, admit.Refused("veto: \x1b[31mred\nwarning: more")
	logger.Debug(cameOf(eventOf(v)))
	logger.Warn("a host says \x1b[2J\nand goes on")
	if all := strings.Join(said, "|"); len(said) != 3 || strings.ContainsAny(all, "\x1b\a\r\u202e") || strings.Contains(said[0]+said[1], "\n") || !strings.Contains(said[0], "Solar warning: all is lost") {
		t.Errorf("%q", said)
	}
}
