package main

import (
	"context"
	"log/slog"
)

// spoken hands the messages of a crawl to somebody who shows lines. Errors end the command, which prints them itself.
type spoken func(line string)

// toldBy is a logger whose messages are shown by say.
func toldBy(say func(line string)) *slog.Logger { return slog.New(spoken(say)) }

func (l spoken) Enabled(_ context.Context, level slog.Level) bool { return level < slog.LevelError }

func (l spoken) Handle(_ context.Context, r slog.Record) error {
	l(r.Message)
	return nil
}

func (l spoken) WithAttrs([]slog.Attr) slog.Handler { return l }

func (l spoken) WithGroup(string) slog.Handler { return l }
