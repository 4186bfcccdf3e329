package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os/signal"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/index"
)

const mcpExample = "thresher mcp runs/quickstart"

func mcpCommand() *cobra.Command {
	var f collectionFlags
	cmd := &cobra.Command{
		Use:   "mcp [FILE|RUN...]",
		Short: "Let a language model search a harvest (Model Context Protocol)",
		Long: `Mcp speaks the Model Context Protocol on stdin and stdout, for programs that hand tools to a language model. They start it
themselves, and it ends when they close its stdin; what it has to say to a person stands on stderr.

Its tools are search, read (a page as Markdown), why (how the crawl came to an address, and what became of it) and sites, over
the runs that are named (the newest where none is), or those of crawl files. A fifth, ask, searches the web for a question as
'thresher ask' does. It is there for runs whose crawl file says ask: true (a run has the file as it was crawled by; name the
file instead to have it as it stands), and not with --read-only.`,
		Example: "  " + mcpExample + "\n  thresher mcp solar.yaml runs/quickstart",
		Args:    namedRuns(mcpExample),
		RunE:    func(cmd *cobra.Command, args []string) error { return speak(cmd, &f, args) },
	}
	f.register(cmd.Flags())
	return cmd
}

// librarian has the tools, and answers by them from a library.
type librarian struct {
	*library
	weights index.Weights
	ready   chan struct{}   // closed when the indexes are up to date
	failed  error           // why they are not
	heard   context.Context // ends when nobody is there who would hear an answer
}

// speak answers on stdin and stdout until nobody asks any more.
func speak(cmd *cobra.Command, f *collectionFlags, args []string) error {
	weights, err := f.read()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), endings()...)
	defer stop()
	heard, gone := context.WithCancel(ctx)
	defer gone()
	opened, err := openLibrary(cmd, f, args, func(c crawlfile.Config) bool { return c.Ask })
	if err != nil {
		return err
	}
	defer opened.close()
	l := &librarian{library: opened, weights: weights, ready: make(chan struct{}), heard: heard}
	var working sync.WaitGroup
	working.Go(func() { // a client does not wait for an answer as long as a large harvest takes
		if l.failed = l.now().update(ctx, cmd.ErrOrStderr(), false); l.failed != nil && ctx.Err() == nil {
			fmt.Fprintln(cmd.ErrOrStderr(), l.failed)
		}
		close(l.ready)
		if l.failed == nil {
			l.watch(ctx)
		}
	})
	out := &uncut{w: cmd.OutOrStdout()}
	in := &hearer{in: bufio.NewReader(cmd.InOrStdin()), most: longestLine, wrong: out, gone: gone}
	err = l.server().Run(ctx, patient{&mcp.IOTransport{Reader: in, Writer: out}})
	if ctx.Err() != nil {
		err = nil // it was told to end
	}
	stop()
	working.Wait()
	l.rest()
	return err
}

// hearer is what is read, and calls gone when nothing more comes: answers to what was asked before are still written, but a crawl
// that is under way for one has nobody left to find for. A line that is no JSON, or no message, is answered as such, and is not the end of all.
type hearer struct {
	in    *bufio.Reader
	most  int // bytes of a line
	wrong io.Writer
	gone  func()
	line  []byte
	rest  []byte // of the line

	batches bool // several messages may come in one line
}

// longestLine is how long a line may be. It is less than what would end the server.
const longestLine = 15 << 20

func (h *hearer) Read(b []byte) (n int, err error) {
	for n == 0 || n < len(b) && (len(h.rest) > 0 || h.hasLine()) { // what has come is handed on at once
		if len(h.rest) == 0 {
			if err := h.next(); err != nil {
				return n, err
			}
		}
		took := copy(b[n:], h.rest)
		n, h.rest = n+took, h.rest[took:]
	}
	return n, nil
}

// hasLine tells whether a whole line has come already.
func (h *hearer) hasLine() bool {
	come, _ := h.in.Peek(h.in.Buffered()) // which is there
	return bytes.IndexByte(come, '\n') >= 0
}

// next takes the next line. What is no message is answered, and leaves nothing.
func (h *hearer) next() error {
	whole, err := h.takeLine()
	answer := ""
	switch {
	case !whole:
		answer = tooLong
	case err != nil && len(h.line) == 0:
		h.gone()
		return err
	case len(bytes.TrimSpace(h.line)) > 0:
		answer = h.amiss(h.line)
	}
	if answer != "" {
		_, err := io.WriteString(h.wrong, answer)
		return err
	}
	h.rest = h.line
	return nil
}

// takeLine reads a line, and all of one that is too long; whole tells that it is there.
func (h *hearer) takeLine() (whole bool, err error) {
	if h.line = h.line[:0]; cap(h.line) > 1<<20 {
		h.line = nil
	}
	for whole = true; ; {
		piece, err := h.in.ReadSlice('\n')
		if whole = whole && len(h.line)+len(piece) <= h.most; whole {
			h.line = append(h.line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
	}
}

// The answers to a line that is no JSON, to one that is no message (JSON-RPC 2.0, 5.1), and to one that is too long for either.
const (
	noJSON    = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: the line is no JSON"}}` + "\n"
	noMessage = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request: want jsonrpc 2.0, an id that is a whole number or a text, and a method"}}` + "\n"
	tooLong   = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request: the line is longer than 15 MiB"}}` + "\n"
)

// amiss is the answer to a line that the protocol does not know; empty for one that it does. Several messages in one line are known by
// its earlier versions alone, and the first message says which is spoken.
func (h *hearer) amiss(line []byte) string {
	if !json.Valid(line) {
		return noJSON
	}
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) == nil && len(batch) > 0 && h.batches {
		if slices.ContainsFunc(batch, func(one json.RawMessage) bool { return !isMessage(one) }) {
			return noMessage
		}
		return ""
	}
	if !isMessage(line) {
		return noMessage
	}
	var begins struct {
		Method string
		Params struct{ ProtocolVersion string }
	}
	if json.Unmarshal(line, &begins) == nil && begins.Method == "initialize" {
		h.batches = begins.Params.ProtocolVersion < "2025-06-18"
	}
	return ""
}

// isMessage tells of a line that the server can read. An answer that says to no request that it belongs to it would end it,
// and of a number that is not whole it would take the whole part.
func isMessage(line []byte) bool {
	read, err := jsonrpc.DecodeMessage(line)
	answer, answers := read.(*jsonrpc.Response)
	var of struct{ ID any }
	if err != nil || answers && !answer.ID.IsValid() || json.Unmarshal(line, &of) != nil {
		return false
	}
	number, _ := of.ID.(float64)
	return number == math.Trunc(number)
}

// Close leaves stdin to the end of the process: who reads it may be reading now.
func (h *hearer) Close() error { return nil }

// uncut is what is written to, a line at a time, which stays open.
type uncut struct {
	mu sync.Mutex
	w  io.Writer
}

func (u *uncut) Write(p []byte) (int, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.w.Write(p)
}

func (u *uncut) Close() error { return nil }

// collections are those that can be searched now, as soon as they are up to date.
func (l *librarian) collections(ctx context.Context) (collections, error) {
	select {
	case <-l.ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if l.failed != nil {
		return nil, l.failed
	}
	return l.now(), nil
}

// one are the collections that a tool is to look at: all, or the one of a name.
func (l *librarian) one(ctx context.Context, name string) (collections, error) {
	all, err := l.collections(ctx)
	if err != nil || name == "" {
		return all, err
	}
	var names []string
	for _, c := range all {
		if c.Name() == name {
			return collections{c}, nil
		}
		names = append(names, c.Name())
	}
	return nil, fmt.Errorf("there is no collection %q; there is %s", name, strings.Join(names, ", "))
}
