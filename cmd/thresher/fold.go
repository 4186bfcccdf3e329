package main

import (
	"io"
	"os"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// folded is a terminal on which no line is wider than the window: it is broken between words, and goes on below the place
// where its last column began. What is no terminal gets lines as they are, for programs that read them one by one.
type folded struct {
	screen *os.File

	mu   sync.Mutex
	line string // what was said of the line that was begun, unfolded
	at   int    // the column where it stands
	held string // its last word, if more of it may come
	data bool   // that line is JSON, and its columns are not counted
}

// onScreen folds lines on a terminal; everything else is answered as it is.
func onScreen(w io.Writer) io.Writer {
	if screen := terminalOf(w); screen != nil {
		return &folded{screen: screen}
	}
	return w
}

// unfolded writes lines as they are, on a terminal too.
func unfolded(w io.Writer) io.Writer {
	if f, ok := w.(*folded); ok {
		return f.screen
	}
	return w
}

// terminalOf is the terminal that something is written to; nil where it is none.
func terminalOf(w io.Writer) *os.File {
	if f, ok := unfolded(w).(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// screenWidth is how many columns a terminal has.
func screenWidth(screen *os.File) int {
	if wide, _, err := term.GetSize(int(screen.Fd())); err == nil && wide > 0 {
		return wide
	}
	return narrow
}

// narrow is the width of a terminal that does not tell its own.
const narrow = 80

// Write folds what is whole or begun. A line that is drawn over, and one of JSON, is left as it is. A word with which a piece of a line
// ends is held back, for the next may begin with the rest of it: what is to be seen before the line ends, a question, ends with a blank.
func (f *folded) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	wide := screenWidth(f.screen)
	text := f.held + string(p)
	f.held = ""
	var b strings.Builder
	for line := range strings.Lines(text) {
		said, whole := strings.CutSuffix(line, "\n")
		switch {
		case strings.Contains(said, "\r"):
			f.at, f.line = 0, ""
		case f.data, f.line == "" && strings.HasPrefix(said, "{"):
			f.data = true
		default:
			if !whole {
				said, f.held = lastWord(said)
			}
			f.line += said
			said, f.at = foldFrom(said, f.at, wide, hangOf(f.line+f.held, wide))
		}
		b.WriteString(said)
		if whole {
			b.WriteByte('\n')
			f.line, f.at, f.data = "", 0, false
		}
	}
	if _, err := io.WriteString(f.screen, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// finish shows what was held back, for nothing more comes.
func finish(w io.Writer) {
	f, ok := w.(*folded)
	if !ok {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	said, _ := foldFrom(f.held, f.at, screenWidth(f.screen), hangOf(f.line+f.held, screenWidth(f.screen)))
	f.held = ""
	io.WriteString(f.screen, said) // nobody can be told any more
}

// lastWord parts a line before the word that it ends with, and the blanks before it; a line that ends with a blank has none.
func lastWord(line string) (before, word string) {
	for rest := line; rest != ""; {
		_, next, after := nextWord(rest)
		if after == "" && next != "" {
			return line[:len(line)-len(rest)], rest
		}
		rest = after
	}
	return line, ""
}

// fold breaks a line, so that no part is wider than the window, and goes on so far in. A word that is wider by itself, such as an
// address, stays whole: it can be copied.
func fold(line string, wide, hang int) string {
	line, _ = foldFrom(line, 0, wide, hang)
	return line
}

// foldFrom folds a line of which so many columns were written before, and answers the column where it stands then.
func foldFrom(line string, at, wide, hang int) (string, int) {
	if at+columns(line) <= wide {
		return line, at + columns(line)
	}
	var b strings.Builder
	for line != "" {
		gap, word, rest := nextWord(line)
		line = rest
		in := max(0, min(hang, wide-columns(word))) // what would not fit below its column goes on further to the left
		if at > 0 && at+columns(gap) > in && at+columns(gap)+columns(word) > wide {
			b.WriteString("\n" + strings.Repeat(" ", in))
			at, gap = in, ""
		}
		b.WriteString(gap + word)
		at += columns(gap) + columns(word)
	}
	return b.String(), at
}

// hangOf is where a broken line goes on: below the last of its columns that begins on the left, and otherwise a little further
// in than it began.
func hangOf(line string, wide int) int {
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	left := wide * 2 / 5
	hang := min(indent+2, left)
	at := indent
	for text != "" {
		gap, word, rest := nextWord(text)
		if at += columns(gap); len(gap) > 1 && at <= left {
			hang = at
		}
		at += columns(word)
		text = rest
	}
	return hang
}

// nextWord parts a line after its first word. A Chinese character is a word of its own, together with what closes it.
func nextWord(line string) (gap, word, rest string) {
	text := strings.TrimLeft(line, " ")
	gap = line[:len(line)-len(text)]
	before := rune(0)
	for i, r := range text {
		switch {
		case r == ' ', i > 0 && opens(r) && !closes(r) && !unicode.In(before, unicode.Pi, unicode.Ps):
			return gap, text[:i], text[i:]
		case opens(r):
			i += utf8.RuneLen(r)
			for i < len(text) {
				next, size := utf8.DecodeRuneInString(text[i:])
				if !closes(next) {
					break
				}
				i += size
			}
			return gap, text[:i], text[i:]
		}
		before = r
	}
	return gap, text, ""
}

// columns is how wide a text is on a terminal. What makes words bold takes no room.
func columns(s string) (n int) {
	coded := false
	for _, r := range s {
		switch {
		case r == '\x1b':
			coded = true
		case coded:
			coded = !unicode.IsLetter(r)
		default:
			n += width(r)
		}
	}
	return n
}

// opens tells characters before which a line may be broken though there is no blank.
func opens(r rune) bool { return width(r) == 2 }

// closes tells characters that do not begin a line.
func closes(r rune) bool { return r >= 0x80 && unicode.In(r, unicode.Po, unicode.Pe, unicode.Pf) }

// fill sets a text that was broken for another width anew: its paragraphs and the items of its lists. What is indented, a
// table or a heading stays as it is.
func fill(text string, wide int) string {
	var b, open strings.Builder // open is a paragraph or an item that goes on
	hang := 0
	end := func() {
		if open.Len() > 0 {
			b.WriteString(fold(open.String(), wide, hang) + "\n")
			open.Reset()
		}
	}
	for line := range strings.Lines(text) {
		said := strings.TrimRight(line, " \n")
		inner := strings.TrimLeft(said, " ")
		indent := len(said) - len(inner)
		item := strings.HasPrefix(said, "- ") || strings.HasPrefix(said, "* ")
		switch {
		case said == "" || indent > hang || strings.ContainsRune("|#", rune(said[0])):
			end()
			b.WriteString(said + "\n")
			hang = 0
		case open.Len() > 0 && !item && (indent == hang || indent == 0 && hang > 0):
			open.WriteString(" " + inner)
		default:
			end()
			open.WriteString(said)
			if hang = indent; item {
				hang = 2
			}
		}
	}
	end()
	return b.String()
}
