package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/ask"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/serve"
)

const serveExample = "thresher serve runs/quickstart"

func serveCommand() *cobra.Command {
	var f collectionFlags
	var listen string
	var may, crawls bool
	cmd := &cobra.Command{
		Use:   "serve [RUN...]",
		Short: "Search a harvest and watch a crawl in the browser",
		Long: `Serve shows the harvest of one run or several (the newest where none is named) as a search page, with a JSON API and a
feed. The indexes are updated when it starts, and for as long as it runs; until they are made its pages say how far that is.

/runs lists the runs that were named, or all below runs/, each with a page that follows the crawl while it goes on: the harvest
curve, finds as they come and why, what waits, hosts, refusals, and what limits it now. Its buttons pause, resume and stop the
crawl, add start pages, block hosts and raise the budget, as the commands do; with --read-only there are none.

With --ask the page also asks the web what the harvest does not have, as 'thresher ask' does: a small crawl for each question, one
at a time, whose answers show as they are judged and are searched with the rest afterwards.

With --crawl, for which no run is named, there is a page on which a topic is begun, as by init and seeds; its crawl is a process of
its own.

It answers this machine alone. If --listen names an address that others can reach, it makes up a token, which is part of the
address it prints; nobody is answered without it.`,
		Example: "  " + serveExample + "\n  thresher serve runs/a runs/b --listen 127.0.0.1:8080",
		Args:    namedRuns(serveExample),
		RunE:    func(cmd *cobra.Command, args []string) error { return serveRuns(cmd, &f, listen, may, crawls, args) },
	}
	f.register(cmd.Flags())
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:7700", "the `address` to answer at, HOST:PORT")
	cmd.Flags().BoolVar(&may, "ask", false, "let the page and programs ask the web, as 'thresher ask' does, by the manners and the scope of the runs")
	cmd.Flags().BoolVar(&crawls, "crawl", false, "let the page and programs begin topics: crawl files are written where the server runs, and crawls started below runs/")
	return cmd
}

func serveRuns(cmd *cobra.Command, f *collectionFlags, listen string, may, crawls bool, args []string) error {
	weights, err := f.read()
	if err != nil {
		return err
	}
	if may && f.readOnly {
		return usageError{"--ask fetches pages and keeps them, and with --read-only nothing is written", serveExample + " --ask"}
	}
	if crawls && f.readOnly {
		return usageError{"--crawl writes crawl files and starts crawls, and with --read-only nothing is written", "thresher serve --crawl"}
	}
	if crawls && len(args) > 0 {
		return usageError{fmt.Sprintf("--crawl serves all that is below runs/, where its crawls are, and goes with no run that is named: leave out %s", strings.Join(args, " ")), "thresher serve --crawl"}
	}
	if _, _, err := net.SplitHostPort(listen); err != nil {
		return usageError{fmt.Sprintf("--listen %s: want HOST:PORT", listen), serveExample + " --listen 127.0.0.1:7700"}
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), endings()...)
	defer stop()
	at, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
	if err != nil {
		return listening(err, listen)
	}
	defer at.Close()
	l, err := emptyLibrary(cmd, f), error(nil)
	if !crawls || len(run.RunsBelow("runs")) > 0 {
		l, err = openLibrary(cmd, f, args, func(crawlfile.Config) bool { return may })
	}
	if err != nil {
		return err
	}
	defer l.close()
	all := l.now()
	shared, err := sharedOf(args, func(named string) (string, error) { return (&runFlag{folder: named, of: cmd.Name()}).written(cmd) })
	if err != nil {
		return err
	}
	stands, silent, err := together(ctx, cmd, shared)
	defer silent()
	defer stop()
	if err != nil {
		return err
	}
	var begin serve.Begin
	if crawls {
		b := &beginning{cmd: cmd, program: ourselves, begun: l.begun}
		defer b.leave()
		begin = b.begin
	}
	s, err := serve.New(serve.Options{Begin: begin, Collections: func() []*index.Collection { return l.now() }, Making: l.making.Load, Weights: weights, Listen: listen,
		Runs: watched(args, all), Together: stands, Steer: steered(cmd, shared), ReadOnly: f.readOnly, Ask: serve.Asking{Of: l.mayAsk(), Ask: l.answer}})
	if err != nil {
		return err
	}
	address := url.URL{Scheme: "http", Host: toOpen(at.Addr()), Path: "/"}
	if s.Token != "" {
		address.RawQuery = url.Values{"token": {s.Token}}.Encode()
	}
	context.AfterFunc(ctx, stop) // the second time Ctrl-C waits for nothing
	return l.serve(ctx, stop, func() error { return s.Serve(ctx, at) }, address.String())
}

// serve answers while the indexes are made, which of a large harvest takes minutes, and goes on when they are. What it prints then is
// where results are found.
func (l *library) serve(ctx context.Context, stop func(), answer func() error, address string) error {
	all := l.now()
	if len(all) > 0 {
		l.making.Store(all[0])
	}
	served := make(chan error, 1)
	go func() {
		defer stop()
		served <- answer()
	}()
	told := whileSlow(l.cmd.ErrOrStderr(), address+" answers meanwhile, and says how far the index is")
	for i := range all {
		l.making.Store(all[i])
		if err := all[i:i+1].update(ctx, l.cmd.ErrOrStderr(), true); err != nil {
			told()
			if ctx.Err() != nil { // it was ended, as it always is
				err = nil
				fmt.Fprintf(l.cmd.ErrOrStderr(), "%s: stopped before its index was made: the next start begins it again\n", all[i].Dir)
			}
			stop()
			return cmp.Or(<-served, err)
		}
	}
	told()
	l.making.Store(nil)
	fmt.Fprintln(l.cmd.OutOrStdout(), address)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		l.watch(ctx)
	}()
	err := <-served
	<-watched
	return err
}

// toOpen is where a person who sits at this machine finds what listens at an address: one that stands for all addresses of the machine
// leads nowhere in some browsers.
func toOpen(at net.Addr) string {
	if tcp, ok := at.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return at.String()
}

// answer asks the web what the search page asks.
func (l *library) answer(ctx context.Context, q serve.Question, show func(found bool, k ask.Known) error) (serve.Answered, error) {
	got, c, err := l.ask(ctx, q.Of, q.Text, q.Pages, q.Seconds, func(event string, k ask.Known) error { return show(event == "found", k) })
	a := serve.Answered{Fetched: got.fetched, Over: got.over}
	if c != nil {
		a.Collection = c.Name()
	}
	return a, err
}

// watch brings collections up to date while a crawl goes on. One that took long is left in peace for as much longer, unless its harvest
// was written anew, so that nothing of it is found.
func (l *library) watch(ctx context.Context) {
	const least, most = 5 * time.Second, 10 * time.Minute
	seen := map[*index.Collection]string{} // nothing: a harvest may have grown since it was read
	said := ""
	rest, ended := least, time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(least):
		}
		if time.Since(ended) < rest && (said != "" || !l.now().rewritten()) {
			continue
		}
		began := time.Now()
		err := l.now().follow(ctx, l.cmd.ErrOrStderr(), seen)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			said = ""
		} else if said != err.Error() { // and not again every few seconds
			said = err.Error()
			fmt.Fprintln(l.cmd.ErrOrStderr(), said)
		}
		ended = time.Now()
		rest = min(max(least, 20*ended.Sub(began)), most)
	}
}

// rewritten tells whether one of them is not searched, because its harvest was written anew.
func (c collections) rewritten() bool { return slices.ContainsFunc(c, (*index.Collection).Rewritten) }

// follow brings those collections up to date whose harvests are not what was seen of them, or that another process has indexed since.
// One that could not be is tried again the next time.
func (c collections) follow(ctx context.Context, say io.Writer, seen map[*index.Collection]string) error {
	var all []error
	for _, one := range c {
		now := one.Signature() // what comes while it is read is seen the next time
		if now == seen[one] && !one.Behind() {
			continue
		}
		err := (collections{one}).update(ctx, say, false)
		if err == nil {
			seen[one] = now
		}
		all = append(all, err)
	}
	return errors.Join(all...)
}

// listening is the error of an address that cannot be listened at.
func listening(err error, at string) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s is in use by another program: give another address with --listen 127.0.0.1:7701", at)
	}
	if err = fmt.Errorf("%w; give another address with --listen", err); errors.As(err, new(*net.AddrError)) {
		return misuse(err)
	}
	return err
}
