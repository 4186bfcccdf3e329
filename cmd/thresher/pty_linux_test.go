package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// screen is a terminal that a test types on. It answers what was asked for only when that stands on it, so that nothing
// depends on who is faster.
type screen struct {
	t             *testing.T
	master, slave *os.File
	mu            sync.Mutex
	more          *sync.Cond
	shown         string
}

func newScreen(t *testing.T) *screen {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	fd := int(master.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	s := &screen{t: t, master: master, slave: slave}
	s.more = sync.NewCond(&s.mu)
	s.size(80)
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer)
			s.mu.Lock()
			s.shown += string(buffer[:n])
			s.more.Broadcast()
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { slave.Close(); master.Close() })
	return s
}

// size gives the window another width, and a height that goes with it.
func (s *screen) size(columns uint16) {
	s.t.Helper()
	rows := uint16(24)
	if columns > 80 {
		rows = 50
	}
	if err := unix.IoctlSetWinsize(int(s.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}); err != nil {
		s.t.Fatal(err)
	}
}

// isOver is what stands on the screen when a command line has ended.
const isOver = "\x00over"

// see waits until something stands on the screen, and forgets what stood before it.
func (s *screen) see(what string) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if _, rest, ok := strings.Cut(s.shown, what); ok {
			s.shown = rest
			return
		}
		if strings.Contains(s.shown, isOver) {
			s.t.Fatalf("it has ended, and there is no %q in %q", what, s.shown)
		}
		s.more.Wait()
	}
}

// keys types.
func (s *screen) keys(typed string) {
	s.t.Helper()
	if _, err := s.master.WriteString(typed); err != nil {
		s.t.Fatal(err)
	}
}

// run runs a command line on the terminal; the answer comes when it has ended.
func (s *screen) run(args ...string) <-chan error {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(s.slave)
	root.SetOut(onScreen(s.slave))
	root.SetErr(onScreen(s.slave))
	done := make(chan error, 1)
	go func() {
		done <- root.ExecuteContext(context.Background())
		fmt.Fprint(s.slave, isOver)
	}()
	return done
}

// TestInitOnATerminal: typed in Chinese, with corrections, in a window that changes its size.
func TestInitOnATerminal(t *testing.T) {
	files(t)
	s := newScreen(t)
	done := s.run("init", "旅游")
	s.see("要找什么")
	s.see("> ") // before that the terminal edits by itself, in its own way
	s.keys("国内旅行社")
	s.see("国内旅行社")
	s.keys("\x7f\x7f\x7f") // the whole characters go
	s.size(20)
	s.keys("景点介绍\r")
	s.see("属于这个主题的网页")
	s.see("> ")
	s.size(100)
	s.keys("\r")
	s.see("主题的词和短语")
	s.see("> ")
	s.keys("\x15旅游，景点\x1b[D\x1b[D自由行、\x05：0.5\r") // the line is cleared, and a word put in before the last
	s.see("自由行")
	s.see("已知的起始页")
	s.see("> ")
	s.keys("\r")
	s.see("联系方式")
	s.see("> ")
	s.keys("you@exampel.org\x1b[D\x1b[D\x1b[D\x1b[D\x7f\x7fle\r")
	s.see("抓取策略")
	s.see("> ")
	s.keys("\r")
	s.see("保留多少")
	s.see("> ")
	s.keys("\x15more\r")
	s.see("写入 旅游.yaml")
	s.see("> ")
	s.keys("\r")
	noError(t, <-done)
	text, err := os.ReadFile("旅游.yaml")
	for _, want := range []string{"{term: 旅游, weight: 1}", "{term: 自由行, weight: 1}", "{term: 景点, weight: 0.5}", "contact: you@example.org", "language: zh", "find: more", "# 国内景点介绍"} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s is not in\n%s%v", want, text, err)
		}
	}
}

// TestCancelOnATerminal: Ctrl-C anywhere, and Ctrl-D on an empty line, end without a file; the terminal is as it was.
func TestCancelOnATerminal(t *testing.T) {
	files(t)
	for _, end := range []string{"bees\x03", "\x04", "be\x04\x15\x04"} {
		s := newScreen(t)
		before, err := unix.IoctlGetTermios(int(s.slave.Fd()), unix.TCGETS)
		noError(t, err)
		done := s.run("init", "bees")
		s.see("> ")
		s.keys(end)
		if err := <-done; err != errCancelled {
			t.Errorf("%q: %v", end, err)
		}
		if after, err := unix.IoctlGetTermios(int(s.slave.Fd()), unix.TCGETS); err != nil || after.Lflag != before.Lflag || after.Iflag != before.Iflag {
			t.Errorf("%q: the terminal is not as it was: %v", end, err)
		}
	}
	if left, _ := os.ReadDir("."); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestProposalsAreAskedAboutOnATerminal: one is taken, one not, one changed; the file has what was taken.
func TestProposalsAreAskedAboutOnATerminal(t *testing.T) {
	web, engine := drawnWeb(t, "quickstart")
	t.Chdir(t.TempDir())
	must(t, "init", "sailing", "--terms", "sailing,yacht,regatta,keel,mast", "--contact", "you@example.org")
	s := newScreen(t)
	done := s.run("seeds", "sailing.yaml", "--engine", engine, "--web", web, "--set", "polite.delay=0s", "--set", "fetch.private=127.0.0.1", "--quiet", "--queries", "4")
	s.see("take it? y/n/e/a/q ")
	s.keys("x")
	s.see("? y: take it")
	s.see("take it? y/n/e/a/q ") // what is typed before the question stands there answers nothing
	s.keys("y")
	s.see("taken")
	s.see("take it? y/n/e/a/q ")
	s.keys("n")
	s.see("not taken")
	s.see("take it? y/n/e/a/q ")
	s.keys("e")
	s.see("start pages: ")
	s.keys("\x15not one\r")
	s.see("not is no address")
	s.see("start pages: ")
	s.keys("\x05\x15https://www.example.org/own\r")
	s.see("weight (0 to 1): ")
	s.keys("\x150.9\r")
	s.see("take it? y/n/e/a/q ")
	s.keys("q")
	s.see("2 sites added")
	noError(t, <-done)
	text, _ := os.ReadFile("sailing.yaml")
	if !strings.Contains(string(text), "  - https://www.example.org/own\n") || !strings.Contains(string(text), "weight: 0.9") || !strings.Contains(string(text), "fairwind.test") {
		t.Errorf("the file is now\n%s", text)
	}
}

// TestKeysTypedAheadTakeNoSuggestion: what is typed while the words are looked for answers no question.
func TestKeysTypedAheadTakeNoSuggestion(t *testing.T) {
	file, dir := fewWords(t)
	before := mustRead(t, file)
	s := newScreen(t)
	s.size(4096) // what names the file stands on one line, however long its path is
	s.keys("y\ny\ny\n")
	done := s.run("suggest", dir)
	s.see("y/n/weight/q ")
	s.keys("q\r")
	s.see("stays as it is")
	noError(t, <-done)
	if after, err := os.ReadFile(file); err != nil || string(after) != before {
		t.Errorf("%v: the file is now\n%s", err, after)
	}
}
