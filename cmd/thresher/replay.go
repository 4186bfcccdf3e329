package main

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/replay"
)

const replayExample = "thresher replay testdata/webs/quickstart --listen 127.0.0.1:8888"

// replayFlags say how a recorded web is served.
type replayFlags struct {
	listen          string
	latency, jitter time.Duration
	recorded        bool
	log, ca         string
}

func replayCommand() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay DIR",
		Short: "Serve a recorded web to other programs, as a forward proxy",
		Long: `Replay serves a recorded web as a forward proxy, so that other crawlers can be measured on the same web. Addresses of
http are asked for as they are; https goes through CONNECT, with a certificate that is made for the occasion: its
authority is written to the file given with --ca, for the client to trust. Everything outside the web is a 404.`,
		Example: `  ` + replayExample + `
  curl --proxy http://127.0.0.1:8888 http://daily.test/
  thresher replay testdata/webs/quickstart --latency 50ms --jitter 20ms --log asked.tsv --ca ca.pem`,
		Args: oneArgument("folder of a recorded web", replayExample),
		RunE: func(cmd *cobra.Command, args []string) error { return serveWeb(cmd, args[0], &f) },
	}
	cmd.Flags().StringVar(&f.listen, "listen", "127.0.0.1:8888", "the `address` to listen on")
	cmd.Flags().DurationVar(&f.latency, "latency", 0, "how long an answer takes")
	cmd.Flags().DurationVar(&f.jitter, "jitter", 0, "up to so much is added, by address and always the same")
	cmd.Flags().BoolVar(&f.recorded, "recorded-latency", false, "an answer takes as long as when it was recorded")
	cmd.Flags().StringVar(&f.log, "log", "", "write what is asked for, in order, into this `file`")
	cmd.Flags().StringVar(&f.ca, "ca", "", "write the certificate that clients must trust for https into this `file`")
	writes(cmd.Flags(), "log", "ca")
	return cmd
}

func serveWeb(cmd *cobra.Command, dir string, f *replayFlags) (err error) {
	if f.latency < 0 || f.jitter < 0 {
		return usageError{"--latency and --jitter are times of 0 or more", replayExample + " --latency 50ms"}
	}
	web, err := replay.Open(dir)
	if err != nil {
		return misuse(err)
	}
	defer web.Close()
	o := replay.ProxyOptions{Jitter: f.jitter, Latency: func(string) time.Duration { return f.latency }}
	if f.recorded {
		o.Latency = web.Latency
	}
	if f.log != "" {
		file, err := os.Create(f.log)
		if err != nil {
			return err
		}
		defer file.Close()
		o.Log = file
	}
	proxy, err := replay.NewProxy(web, o)
	if err != nil {
		return err
	}
	if f.ca != "" {
		if err := os.WriteFile(f.ca, proxy.Certificate(), 0o644); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", f.listen)
	if err != nil {
		return listening(err, f.listen)
	}
	ctx, release := interruptible(cmd.Context(), io.Discard)
	defer release()
	announce(cmd.ErrOrStderr(), web, dir, listener.Addr().String())
	return proxy.Serve(ctx, listener)
}

func announce(w io.Writer, web *replay.Web, dir, at string) {
	name := cmp.Or(web.Name(), filepath.Base(dir))
	proxy := url.URL{Scheme: "http", Host: at}
	fmt.Fprintf(w, "serving %s; use %s as the proxy, Ctrl-C ends it\n", name, proxy.String())
}
