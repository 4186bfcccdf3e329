package main

import (
	"bufio"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// keys are the answers of a person, one at a time; io.EOF after the last.
type keys interface {
	next() (byte, error)
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

func (k *lineKeys) next() (byte, error) {
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
type rawKeys struct {
	terminal *os.File
	ahead    []byte // pressed before they were asked for
}

func (k *rawKeys) next() (byte, error) {
	if len(k.ahead) == 0 {
		if err := k.wait(); err != nil {
			return 0, err
		}
	}
	key := k.ahead[0]
	if k.ahead = k.ahead[1:]; key == '\x1b' {
		k.ahead = nil // an arrow, or another key that is told in several bytes
	}
	if 'A' <= key && key <= 'Z' {
		key += 'a' - 'A'
	}
	return key, nil
}

// wait waits for a key.
func (k *rawKeys) wait() error {
	fd := int(k.terminal.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return err
	}
	buffer := make([]byte, 64)
	n, err := k.terminal.Read(buffer)
	if back := term.Restore(fd, before); err == nil {
		err = back
	}
	if err == nil && n == 0 {
		err = io.EOF
	}
	k.ahead = buffer[:n]
	return err
}
