package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// keys are the answers of a person, one at a time; io.EOF after the last. What was typed before it was asked for answers nothing.
type keys interface {
	ask(out io.Writer, question string) (byte, error)
}

// keysOf reads single keys from a terminal, and lines from anything else.
func keysOf(in io.Reader) keys {
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &rawKeys{terminal: f}
	}
	return &lineKeys{bufio.NewReader(in)}
}

// lineKeys are the first letters of lines.
type lineKeys struct{ in *bufio.Reader }

func (k *lineKeys) ask(out io.Writer, question string) (byte, error) {
	fmt.Fprint(out, question)
	line, err := k.in.ReadString('\n')
	line = strings.ToLower(strings.TrimSpace(line))
	switch {
	case line != "":
		return line[0], nil
	case err != nil:
		return 0, err
	}
	return '\n', nil
}

// rawKeys are keys as they are pressed. The terminal is as it was while nothing is asked.
type rawKeys struct{ terminal *os.File }

func (k *rawKeys) ask(out io.Writer, question string) (byte, error) {
	fd := int(k.terminal.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return 0, err
	}
	defer term.Restore(fd, before)
	if err := forgetTyped(k.terminal); err != nil {
		return 0, err
	}
	fmt.Fprint(out, question)
	buffer := make([]byte, 64) // an arrow, or another key, is told in several bytes
	n, err := k.terminal.Read(buffer)
	if err == nil && n == 0 {
		err = io.EOF
	}
	if err != nil {
		return 0, err
	}
	key := buffer[0]
	if 'A' <= key && key <= 'Z' {
		key += 'a' - 'A'
	}
	return key, nil
}
