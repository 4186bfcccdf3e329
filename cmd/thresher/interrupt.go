package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"
)

// interruptible ends the context at the first Ctrl-C, and the process at the second.
func interruptible(ctx context.Context, say io.Writer) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, endings()...)
	done := make(chan struct{})
	go heed(signals, done, time.Now, func() {
		fmt.Fprintln(say, "\nstopping: finishing what is in flight; Ctrl-C again stops at once")
		cancel()
	}, func() { os.Exit(exitFailed) })
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}

// sameWish is how soon after the first signal another says the same once more: timeout sends its own to the process and then to its
// group, and of a terminal that is closed both the kernel and the shell tell.
const sameWish = time.Second / 2

// heed stops at the first signal, and ends at the next one that is a wish of its own.
func heed(signals <-chan os.Signal, done <-chan struct{}, now func() time.Time, stop, end func()) {
	var first time.Time
	for {
		select {
		case <-signals:
		case <-done:
			return
		}
		switch at := now(); {
		case first.IsZero():
			first = at
			stop()
		case at.Sub(first) >= sameWish:
			end()
			return
		}
	}
}

// leaving lets a signal end a command that nothing else of is to be finished, and says before that what is left.
func leaving(cmd *cobra.Command, left string) (stay func()) {
	signals, stays := make(chan os.Signal, 1), make(chan struct{})
	for _, s := range endings() {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		select {
		case s := <-signals:
			fmt.Fprintf(cmd.ErrOrStderr(), "\nthresher: interrupted: %s\n", left)
			endBy(s)
		case <-stays:
		}
	}()
	return func() {
		signal.Stop(signals)
		close(stays)
	}
}
