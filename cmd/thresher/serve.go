package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/serve"
)

const serveExample = "thresher serve runs/quickstart"

func serveCommand() *cobra.Command {
	var f collectionFlags
	var listen string
	cmd := &cobra.Command{
		Use:   "serve [RUN...]",
		Short: "Search a harvest and watch a crawl in the browser",
		Long: `Serve shows the harvest of one run or several (the newest where none is named) as a search page, with a JSON API and a
feed. The indexes are updated when it starts, and for as long as it runs.

/runs lists the runs that were named, or all below runs/, each with a page that follows the crawl while it goes on: the harvest
curve, finds as they come and why, what waits, hosts, refusals, and what limits it now. Its buttons pause, resume and stop the
crawl, add start pages, block hosts and raise the budget, as the commands do; with --read-only there are none.

It answers this machine alone. If --listen names an address that others can reach, it makes up a token, which is part of the
address it prints; nobody is answered without it.`,
		Example: "  " + serveExample + "\n  thresher serve runs/a runs/b --listen 127.0.0.1:8080",
		RunE:    func(cmd *cobra.Command, args []string) error { return serveRuns(cmd, &f, listen, args) },
	}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:7700", "the `address` to answer at, HOST:PORT")
	return cmd
}

func serveRuns(cmd *cobra.Command, f *collectionFlags, listen string, args []string) error {
	weights, err := f.read()
	if err != nil {
		return err
	}
	if _, _, err := net.SplitHostPort(listen); err != nil {
		return usageError{fmt.Sprintf("--listen %s: want HOST:PORT", listen), serveExample + " --listen 127.0.0.1:7700"}
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s is in use by another program: give another address with --listen 127.0.0.1:7701", listen)
	}
	if err != nil {
		return err
	}
	defer l.Close()
	all, err := f.open(cmd, args)
	if err != nil {
		return err
	}
	defer all.Close()
	if err := all.update(ctx, cmd.ErrOrStderr(), true); err != nil {
		return err
	}
	s, err := serve.New(serve.Options{Collections: all, Weights: weights, Listen: listen,
		Runs: watched(args, all), Steer: steered(cmd, args, all), ReadOnly: f.readOnly})
	if err != nil {
		return err
	}
	at := url.URL{Scheme: "http", Host: l.Addr().String(), Path: "/"}
	if s.Token != "" {
		at.RawQuery = url.Values{"token": {s.Token}}.Encode()
	}
	fmt.Fprintln(cmd.OutOrStdout(), at.String())
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		all.watch(ctx, cmd)
	}()
	err = s.Serve(ctx, l)
	stop()
	<-watched
	return err
}

// watch brings collections up to date while a crawl goes on. One that took long is left in peace for as much longer.
func (c collections) watch(ctx context.Context, cmd *cobra.Command) {
	const least, most = 5 * time.Second, 10 * time.Minute
	seen := make([]string, len(c)) // nothing: a harvest may have grown since it was read
	said := ""
	rest := least
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(rest):
		}
		began := time.Now()
		err := c.follow(ctx, cmd.ErrOrStderr(), seen)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			said = ""
		} else if said != err.Error() { // and not again every few seconds
			said = err.Error()
			fmt.Fprintln(cmd.ErrOrStderr(), said)
		}
		rest = min(max(least, 20*time.Since(began)), most)
	}
}

// follow brings those collections up to date whose harvests are not what was seen of them. One that could not be is tried again
// the next time.
func (c collections) follow(ctx context.Context, say io.Writer, seen []string) error {
	var all []error
	for i, one := range c {
		now := one.Signature() // what comes while it is read is seen the next time
		if now == seen[i] {
			continue
		}
		err := (collections{one}).update(ctx, say, false)
		if err == nil {
			seen[i] = now
		}
		all = append(all, err)
	}
	return errors.Join(all...)
}
