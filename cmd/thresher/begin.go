package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/serve"
	"github.com/thresher-crawler/thresher/focus/shell"
)

// beginning starts crawls for a server, as somebody would on the command line: by init, seeds and crawl, each in a process of its own.
type beginning struct {
	cmd     *cobra.Command
	program func(ctx context.Context, args ...string) *exec.Cmd
	begun   func(dir string) error // hears of the folder of a run that has begun

	mu    sync.Mutex
	going map[string]bool // the folders of crawls that have not ended
}

// goes notes that a crawl goes on, or does so no more.
func (b *beginning) goes(dir string, on bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.going == nil {
		b.going = map[string]bool{}
	}
	if delete(b.going, dir); on {
		b.going[dir] = true
	}
}

// leave says, when the server ends, which crawls go on without it.
func (b *beginning) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, dir := range slices.Sorted(maps.Keys(b.going)) {
		fmt.Fprintf(b.cmd.ErrOrStderr(), "the crawl in %s goes on; to stop it: thresher stop --run %s\n", dir, shell.Word(dir))
	}
}

// ourselves is this program, to be run once more; it ends with the context.
func ourselves(ctx context.Context, args ...string) *exec.Cmd {
	name, err := os.Executable()
	if err != nil {
		name = os.Args[0]
	}
	return exec.CommandContext(ctx, name, args...)
}

// begin writes the crawl file of a topic, looks for start pages where engines are named, and starts the crawl. It answers when the run
// has a folder, or has failed; the crawl goes on without us.
func (b *beginning) begin(ctx context.Context, t *serve.Topic) (dir string, err error) {
	file, err := newFile(t.Name)
	if errors.Is(err, errThere) {
		return "", fmt.Errorf("%s is there already: give the topic another name", file)
	}
	if err != nil {
		return "", err
	}
	for _, address := range t.Seeds {
		if !crawlfile.IsAddress(address) {
			return "", fmt.Errorf("%s is no address of a start page, such as https://www.example.org/", address)
		}
	}
	if t.Web == "" && t.Contact == "" {
		return "", errors.New("hosts want to know whom to write to: give a contact, an e-mail or web address")
	}
	name := strings.TrimSuffix(file, ".yaml")
	dir = filepath.Join("runs", name)
	if _, err := os.Lstat(dir); err == nil {
		return "", fmt.Errorf("there is a run in %s already: give the topic another name", dir)
	}
	args := []string{"init", name, "--terms=" + t.Terms, "--about=" + t.About, "--language=" + t.Language, "--contact=" + t.Contact}
	for _, address := range t.Seeds {
		args = append(args, "--seed="+address)
	}
	if err := b.run(ctx, args...); err != nil {
		return "", err
	}
	switch err := b.seedsAndCrawl(ctx, t, file, dir); {
	case errors.Is(err, errNoFolderYet): // the crawl goes on, and reads its file again and again
		return "", err
	case err != nil:
		return "", errors.Join(err, os.Remove(file)) // so that it can be begun again
	}
	if err := b.begun(dir); err != nil { // the crawl goes on all the same
		fmt.Fprintf(b.cmd.ErrOrStderr(), "%s: the crawl was started, and what it keeps is not searched until the server is started again: %v\n", dir, err)
	}
	return dir, nil
}

func (b *beginning) seedsAndCrawl(ctx context.Context, t *serve.Topic, file, dir string) error {
	if len(t.Engines) > 0 {
		args := []string{"seeds", file, "--yes", "--quiet"}
		for _, e := range t.Engines {
			args = append(args, "--engine="+e)
		}
		if err := b.run(ctx, args...); err != nil {
			return err
		}
	}
	args := []string{"crawl", file, "--quiet", "--store=" + dir}
	if t.Pages > 0 {
		args = append(args, "--budget="+strconv.Itoa(t.Pages))
	}
	if t.Web != "" {
		args = append(args, "--web="+t.Web)
	}
	return b.crawl(ctx, dir, args)
}

// run runs a command to its end; what it says is the error.
func (b *beginning) run(ctx context.Context, args ...string) error {
	var said bytes.Buffer
	p := b.program(ctx, args...)
	p.Stderr = &said
	if err := p.Run(); err != nil {
		return fmt.Errorf("%s: %s", args[0], firstOf(said.String(), err))
	}
	return nil
}

// firstOf is what a command said that failed, without the lines to try: whoever reads it has no command line.
func firstOf(said string, err error) string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(said)) {
		if !strings.HasPrefix(line, "  try: ") {
			lines = append(lines, strings.TrimPrefix(line, "thresher: "))
		}
	}
	return cmp.Or(strings.TrimSpace(strings.Join(lines, "")), err.Error())
}

// ending keeps the end of what a command says: a crawl may go on for weeks, with a line for each page (log: debug), and what it says last
// is why it has ended.
type ending struct{ said []byte }

const mostSaid = 8 << 10 // bytes

func (e *ending) Write(p []byte) (int, error) {
	if e.said = append(e.said, p...); len(e.said) > 2*mostSaid {
		last := e.said[len(e.said)-mostSaid:]
		e.said = append(e.said[:0], last[bytes.IndexByte(last, '\n')+1:]...)
	}
	return len(p), nil
}

func (e *ending) String() string { return string(e.said) }

// errNoFolderYet says that a crawl was started, and nobody waited until it could be seen.
var errNoFolderYet = errors.New("the crawl was started and has no folder yet: it is listed as soon as it has one")

// crawl starts a crawl and waits until its folder can be read as a run: what it is stands there a moment before how it crawls. What ends it later is said where the server says what it says.
func (b *beginning) crawl(ctx context.Context, dir string, args []string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var said ending
	p := b.program(context.WithoutCancel(ctx), args...)
	p.Stderr, p.SysProcAttr = &said, ownGroup()
	if err := p.Start(); err != nil {
		return err
	}
	b.goes(dir, true)
	ended := make(chan error, 1)
	go func() {
		err := p.Wait()
		b.goes(dir, false)
		if err != nil {
			err = errors.New(firstOf(said.String(), err))
			fmt.Fprintf(b.cmd.ErrOrStderr(), "%s: %v\n", dir, err)
		}
		ended <- err
	}()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		if _, err := run.OpenAll(dir); err == nil {
			return nil
		}
		select {
		case err := <-ended:
			if hasRun(dir) { // its page tells how it ended
				return nil
			}
			return cmp.Or(err, errors.New("the crawl has ended without a folder"))
		case <-ctx.Done():
			return errNoFolderYet
		case <-look.C:
		}
	}
}
