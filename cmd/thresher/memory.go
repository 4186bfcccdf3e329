package main

import (
	"bytes"
	"io"
	"log"
	"os"
	"runtime/debug"

	"github.com/thresher-crawler/thresher/focus"
)

// garbage is how much may wait to be thrown away, in percent of what is in use: a crawl makes much of it, and collecting more
// seldom costs less time. What is in use may be many pages of many MB that arrive together, so that the percentage has its price.
const garbage = 150

// boundMemory sets the bound of the crawl file, and lets the collector of memory work less often than is usual. What the
// environment says counts more.
func boundMemory(config focus.Config) {
	if os.Getenv("GOMEMLIMIT") == "" && config.Memory > 0 {
		debug.SetMemoryLimit(int64(config.Memory))
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
}

// quietServers keeps the lines of net/http about servers that talk out of turn from the terminal: there is nothing that
// anybody could do about them. All other lines pass.
func quietServers(to io.Writer) { log.SetOutput(withoutServers{to}) }

type withoutServers struct{ to io.Writer }

func (w withoutServers) Write(line []byte) (int, error) {
	for _, said := range []string{"Unsolicited response received on idle HTTP channel", "http2: "} {
		if bytes.Contains(line, []byte(said)) {
			return len(line), nil
		}
	}
	return w.to.Write(line)
}
