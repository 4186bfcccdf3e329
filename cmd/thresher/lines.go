package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// errCancelled is the end of questions that a person broke off.
var errCancelled = errors.New("cancelled; nothing was written")

// editor takes lines that a person types and may change before they count. The terminal's own editing takes every character
// for one column, which garbles Chinese; here each has its width, and the line is drawn anew after every key, so that a
// window may change its size meanwhile.
type editor struct {
	in    *os.File
	out   io.Writer
	ahead []byte // typed after it, or the beginning of a character
}

func newEditor(in *os.File, out io.Writer) *editor { return &editor{in: in, out: out} }

// linesOf is how a person is asked for lines: with an editor on a terminal, where what was typed before a question answers
// nothing, and plainly anywhere else.
func linesOf(in io.Reader, out io.Writer) asker {
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return newEditor(f, out)
	}
	return &plainLines{in: bufio.NewReader(in), out: out}
}

// plainLines are lines of a file or a pipe; io.EOF after the last.
type plainLines struct {
	in  *bufio.Reader
	out io.Writer
}

func (p *plainLines) ask(prompt, _ string) (string, error) {
	fmt.Fprint(p.out, prompt)
	said, err := p.in.ReadString('\n')
	if err != nil && (said == "" || !errors.Is(err, io.EOF)) {
		fmt.Fprintln(p.out)
		return "", err
	}
	return strings.TrimSpace(said), nil
}

// line is what stands on the screen.
type line struct {
	prompt string
	text   []rune
	cursor int
}

// ask reads one line; begin stands in it to begin with. Ctrl-C, and Ctrl-D on an empty line, are errCancelled.
func (l *editor) ask(prompt, begin string) (string, error) {
	fd := int(l.in.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return "", err
	}
	defer term.Restore(fd, before)
	if err := forgetTyped(l.in); err != nil {
		return "", err
	}
	l.ahead = nil
	s := line{prompt: prompt, text: []rune(begin), cursor: len([]rune(begin))}
	for {
		l.draw(&s)
		key, err := l.key()
		if err != nil {
			fmt.Fprint(l.out, "\r\n")
			return "", err
		}
		switch done := s.press(key); {
		case key == "\x03" || key == "\x04" && len(s.text) == 0:
			fmt.Fprint(l.out, "\r\n")
			return "", errCancelled
		case done:
			fmt.Fprint(l.out, "\r\n")
			return strings.TrimSpace(string(s.text)), nil
		}
	}
}

// key is one key: a character, a control character, or the bytes of an arrow and the like.
func (l *editor) key() (string, error) {
	for {
		if n := keyLength(l.ahead); n > 0 {
			key := string(l.ahead[:n])
			l.ahead = l.ahead[n:]
			return key, nil
		}
		buffer := make([]byte, 256)
		n, err := l.in.Read(buffer)
		if n == 0 && err == nil {
			err = io.EOF
		}
		if err == io.EOF {
			return "", errCancelled
		}
		if err != nil {
			return "", err
		}
		l.ahead = append(l.ahead, buffer[:n]...)
	}
}

// keyLength is how many bytes the first key has; 0 while it is not whole.
func keyLength(typed []byte) int {
	switch {
	case len(typed) == 0:
		return 0
	case typed[0] != '\x1b':
		if !utf8.FullRune(typed) {
			return 0
		}
		_, size := utf8.DecodeRune(typed)
		return size
	case len(typed) == 1:
		return 1 // the escape key: the bytes of other keys come together
	case typed[1] != '[' && typed[1] != 'O':
		return 2
	}
	for i := 2; i < len(typed); i++ {
		if c := typed[i]; '@' <= c && c <= '~' {
			return i + 1
		}
	}
	return 0
}

// press does what a key says; it tells whether the line is done.
func (s *line) press(key string) (done bool) {
	switch key {
	case "\r", "\n":
		return true
	case "\x7f", "\b":
		s.cut(s.cursor-1, s.cursor)
	case "\x1b[3~", "\x04":
		s.cut(s.cursor, s.cursor+1)
	case "\x1b[D", "\x1bOD", "\x02":
		s.cursor = max(s.cursor-1, 0)
	case "\x1b[C", "\x1bOC", "\x06":
		s.cursor = min(s.cursor+1, len(s.text))
	case "\x1b[H", "\x1bOH", "\x1b[1~", "\x01":
		s.cursor = 0
	case "\x1b[F", "\x1bOF", "\x1b[4~", "\x05":
		s.cursor = len(s.text)
	case "\x15":
		s.cut(0, s.cursor)
	case "\x0b":
		s.cut(s.cursor, len(s.text))
	case "\x17":
		from := s.cursor
		for from > 0 && s.text[from-1] == ' ' {
			from--
		}
		for from > 0 && s.text[from-1] != ' ' {
			from--
		}
		s.cut(from, s.cursor)
	default:
		if r, size := utf8.DecodeRuneInString(key); size == len(key) && r != utf8.RuneError && unicode.IsPrint(r) {
			s.text = append(s.text[:s.cursor:s.cursor], append([]rune{r}, s.text[s.cursor:]...)...)
			s.cursor++
		}
	}
	return false
}

// cut takes characters out.
func (s *line) cut(from, to int) {
	from, to = max(from, 0), min(to, len(s.text))
	if from < to {
		s.text = append(s.text[:from:from], s.text[to:]...)
		s.cursor = from
	}
}

// draw draws the line where it stands. Of one that is wider than the window, the part around the cursor is shown.
func (l *editor) draw(s *line) {
	wide, _, err := term.GetSize(int(l.in.Fd()))
	if err != nil || wide <= 0 {
		wide = 80
	}
	room := max(wide-columns(s.prompt)-1, 4)
	from := s.cursor
	for used := 0; from > 0; from-- {
		if used += width(s.text[from-1]); used > room {
			break
		}
	}
	to, used := from, 0
	for ; to < len(s.text) && used+width(s.text[to]) <= room; to++ {
		used += width(s.text[to])
	}
	fmt.Fprintf(l.out, "\r\x1b[K%s%s", s.prompt, string(s.text[from:to]))
	if back := columns(string(s.text[s.cursor:to])); back > 0 {
		fmt.Fprintf(l.out, "\x1b[%dD", back)
	}
}
