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
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// What a file may cost in its room.
const (
	longest    = 8 * time.Second
	mostMemory = 256 << 20 // bytes
	mostOutput = 16 << 20
	patience   = 20 * time.Second // how long a file waits for a room while others are read
)

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

// room reads one file. It begins before main does, and before anything else of the program that is not a variable.
func room(in io.Reader, out, said io.Writer) int {
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

// HTML reads a PDF in a room of its own, and answers what it says as a page in HTML, in UTF-8. It says why where there is none.
func HTML(body []byte) ([]byte, error) {
	if !bytes.Contains(body[:min(len(body), 1024)], []byte("%PDF-")) {
		return nil, ErrNoPDF
	}
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case rooms <- struct{}{}:
		defer func() { <-rooms }()
	case <-wait.C:
		return nil, fmt.Errorf("others were read for more than %s", patience)
	}
	program, err := self()
	if err != nil {
		return nil, fmt.Errorf("this program cannot be started once more: %w", err)
	}
	return enter(program, body, longest)
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
func enter(program string, body []byte, longest time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	c := exec.CommandContext(ctx, program)
	c.Env = []string{roomKey + "=1", "GOMAXPROCS=2", "GOTRACEBACK=none", "GOMEMLIMIT=" + strconv.Itoa(mostMemory*3/4)}
	if root, ok := os.LookupEnv("SystemRoot"); ok { // Windows starts nothing without it
		c.Env = append(c.Env, "SystemRoot="+root)
	}
	c.WaitDelay = time.Second
	said := &clipped{most: 400}
	c.Stderr = said
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("no process can be started for it: %w", err)
	}
	text, readErr := converse(in, out, body)
	if readErr != nil {
		cancel()
	}
	err = c.Wait()
	switch exit := c.ProcessState.ExitCode(); {
	case errors.Is(readErr, errStranger):
		return nil, readErr
	case ctx.Err() == context.DeadlineExceeded:
		return nil, fmt.Errorf("it took longer than %s", longest)
	case len(text) > mostOutput:
		return nil, fmt.Errorf("its text has more than %d MB", mostOutput>>20)
	case exit == exitMemory, exit == exitFatal && strings.Contains(said.String(), "memory"):
		return nil, fmt.Errorf("it took more than %d MB", mostMemory>>20)
	case exit == exitUnread:
		return nil, errors.New(strings.TrimSpace(said.String()))
	case err != nil || readErr != nil:
		return nil, fmt.Errorf("reading it ended with %w", cmp.Or(err, readErr))
	}
	return text, nil
}

var errStranger = errors.New("this program, started once more, does not read PDF: is it a library of another one?")

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
		err = io.ErrShortBuffer
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
