package main

import (
	"context"
	"log/slog"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// spoken hands the messages of a crawl to somebody who shows lines. What steers a terminal is
// left out: hosts and pages speak in them. Errors end the command, which prints them itself.
type spoken struct {
	say   func(line string)
	least slog.Leveler
}

// toldBy is a logger whose messages are shown by say, from a level on.
func toldBy(say func(line string), least slog.Leveler) *slog.Logger {
	return slog.New(spoken{say, least})
}

func (l spoken) Enabled(_ context.Context, level slog.Level) bool {
	return l.least.Level() <= level && level < slog.LevelError
}

func (l spoken) Handle(_ context.Context, r slog.Record) error {
	l.say(sink.Plain(r.Message))
	return nil
}

func (l spoken) WithAttrs([]slog.Attr) slog.Handler { return l }

func (l spoken) WithGroup(string) slog.Handler { return l }
