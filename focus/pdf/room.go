package pdf

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// What a file may cost in its room.
const (
	mostWork   = 8 * time.Second  // of the processor, where the system bounds that
	longest    = 30 * time.Second // on the wall
	mostMemory = 256 << 20        // bytes
	mostOutput = 16 << 20
)

// ErrNotNow says that a file was not read, and that another attempt may: nothing was found wrong with it.
var ErrNotNow = errors.New("not read for now")

// The room is this program, started once more with roomKey in its environment. It says greeting before it is given anything, so that
// a file never goes to a program that is none (one that has linked this package as a library of C, and takes what it is given for a script).
const (
	roomKey  = "THRESHER_PDF_ROOM"
	greeting = "thresher: a room for PDF, 1\n"
)

// How a room ends, beside zero.
const (
	exitFatal  = 2  // the runtime gave up
	exitUnread = 81 // the reason stands on its standard error
	exitMemory = 82
)

// rooms are as many as are open at the same time.
var rooms = make(chan struct{}, max(2, runtime.GOMAXPROCS(0)/2))

func init() {
	if os.Getenv(roomKey) != "" {
		os.Exit(room(os.Stdin, os.Stdout, os.Stderr))
	}
}

// room reads one file. It begins before main does; what of the program is initialized before this package has run by then.
func room(in io.Reader, out, said io.Writer) int {
	signal.Ignore(os.Interrupt, terminate, hangUp) // whoever opened the room has been told, too, and finishes what is in flight
	if err := confine(mostMemory); err != nil {
		fmt.Fprintln(said, "its process cannot be bounded:", err)
		return exitUnread
	}
	debug.SetMemoryLimit(mostMemory * 3 / 4)
	go guard()
	if _, err := io.WriteString(out, greeting); err != nil {
		return 1
	}
	body, err := io.ReadAll(in)
	if err == nil {
		var d *Document
		if d, err = Read(body, Limits{}); err == nil {
			_, err = out.Write(d.HTML())
		}
	}
	if err != nil {
		fmt.Fprintln(said, err)
		return exitUnread
	}
	return 0
}

// guard ends the process where it has taken too much: not every system bounds it.
func guard() {
	took := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(5 * time.Millisecond) {
		if metrics.Read(took); took[0].Value.Uint64()-took[1].Value.Uint64() > mostMemory {
			os.Exit(exitMemory)
		}
	}
}

// HTML reads a PDF in a room of its own, and answers what it says as a page in HTML, in UTF-8. It says why where there is none; that is
// ErrNotNow where the file is not to blame, as when ctx has ended.
func HTML(ctx context.Context, body []byte) ([]byte, error) {
	if !bytes.Contains(body[:min(len(body), 1024)], []byte("%PDF-")) {
		return nil, ErrNoPDF
	}
	select {
	case rooms <- struct{}{}:
		defer func() { <-rooms }()
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: others were read for too long", ErrNotNow)
	}
	program, err := self()
	if err != nil {
		return nil, fmt.Errorf("this program cannot be started once more: %w", err)
	}
	return enter(ctx, program, body, longest)
}

// self is where this program stands; on Linux also after somebody has replaced its file.
func self() (string, error) {
	const running = "/proc/self/exe"
	if _, err := os.Stat(running); err == nil {
		return running, nil
	}
	return os.Executable()
}

// enter starts a room, and gives it a file once it has greeted.
func enter(ctx context.Context, program string, body []byte, longest time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	c := exec.CommandContext(ctx, program)
	c.SysProcAttr = apart()
	c.Env = []string{roomKey + "=1", "GOMAXPROCS=2", "GOTRACEBACK=none", "GOMEMLIMIT=" + strconv.Itoa(mostMemory*3/4)}
	if root, ok := os.LookupEnv("SystemRoot"); ok { // Windows starts nothing without it
		c.Env = append(c.Env, "SystemRoot="+root)
	}
	c.WaitDelay = time.Second
	said := &clipped{most: 400}
	c.Stderr = said
	in, err := c.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotNow, err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotNow, err)
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("%w: no process can be started for it: %w", ErrNotNow, err)
	}
	text, readErr := converse(in, out, body)
	ended := ctx.Err() != nil
	if readErr != nil && !ended {
		cancel()
	}
	if err = c.Wait(); err == nil && readErr == nil {
		return text, nil
	}
	return nil, reasonOf(c.ProcessState, cmp.Or(err, readErr), readErr, ended, said.String())
}

// reasonOf says why a room has not read its file. What it says itself goes before what can be seen of it from outside.
func reasonOf(state *os.ProcessState, err, readErr error, ended bool, said string) error {
	switch exit := state.ExitCode(); {
	case exit == exitUnread:
		return errors.New(strings.TrimSpace(said))
	case exit == exitMemory, exit == exitFatal && (strings.Contains(said, "memory") || strings.Contains(said, "thread")): // a thread needs memory, too
		return fmt.Errorf("it took more than %d MB", mostMemory>>20)
	case errors.Is(readErr, errOutput):
		return readErr
	case state.UserTime()+state.SystemTime() >= mostWork:
		return fmt.Errorf("it took longer than %s of the processor", mostWork)
	case errors.Is(readErr, errStranger) && (ended || exit >= 0):
		return readErr
	case ended:
		return fmt.Errorf("%w: there was no time left for it", ErrNotNow)
	case exit == exitFatal:
		return fmt.Errorf("reading it ended with %w", err)
	}
	return fmt.Errorf("%w: reading it ended with %w", ErrNotNow, err)
}

var errStranger = errors.New("this program, started once more, does not read PDF: is it a library of another one?")

var errOutput = fmt.Errorf("its text has more than %d MB", mostOutput>>20)

// converse waits for the greeting, hands over the file, and reads what is made of it.
func converse(in io.WriteCloser, out io.Reader, body []byte) ([]byte, error) {
	defer in.Close()
	hello := make([]byte, len(greeting))
	if _, err := io.ReadFull(out, hello); err != nil || string(hello) != greeting {
		return nil, errStranger
	}
	sent := make(chan struct{})
	go func() { // who has no use for the rest reads no further, and says why by how it ends
		defer close(sent)
		_, _ = in.Write(body)
		in.Close()
	}()
	text, err := io.ReadAll(io.LimitReader(out, mostOutput+1))
	if len(text) > mostOutput {
		err = errOutput
	}
	if err == nil {
		<-sent
	}
	return text, err
}

// clipped keeps the beginning of what is written.
type clipped struct {
	bytes.Buffer
	most int
}

func (c *clipped) Write(p []byte) (int, error) {
	c.Buffer.Write(p[:min(len(p), max(0, c.most-c.Len()))])
	return len(p), nil
}
