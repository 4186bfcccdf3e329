package strict

import (
	"bytes"
	"iter"
	"strings"
	"unicode/utf8"
)

// Listed are the lines of a list that a person has written, or saved from a spreadsheet, by number and without their ends. Empty ones and those
// that begin with # are left out. The error is an *Error: it is no UTF-8.
func Listed(name string, data []byte) (iter.Seq2[int, string], error) {
	text, err := plain(name, data)
	if err != nil {
		return nil, err
	}
	return func(yield func(int, string) bool) {
		for number, line := range Lines(text) {
			if line[0] != '#' && !yield(number, line) {
				return
			}
		}
	}, nil
}

// Lines are the lines of a text that are not empty, by number and without their ends.
func Lines(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			if line = strings.TrimRight(line, "\r\n"); line != "" && !yield(number, line) {
				return
			}
		}
	}
}

// plain is the text of such a list, without the mark that some programs put before it, its lines ended as everybody's are.
func plain(name string, data []byte) (string, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if p := refuseCoding(name, data); p != nil {
		return "", Err([]Problem{*p})
	}
	if !bytes.Contains(data, []byte("\n")) { // those of old for the Mac
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	return string(data), nil
}

// refuseCoding finds the first place that is no text in UTF-8.
func refuseCoding(name string, data []byte) *Problem {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return problemAt(name, data, i, "not UTF-8; save the file as UTF-8")
		case r == 0:
			return problemAt(name, data, i, "a NUL byte; is this a text file?")
		}
		i += size
	}
	return nil
}

// problemAt is a problem at a byte of a file.
func problemAt(name string, data []byte, i int, want string) *Problem {
	line := 1 + bytes.Count(data[:i], []byte("\n"))
	start := bytes.LastIndexByte(data[:i], '\n') + 1
	return &Problem{File: name, Line: line, Column: 1 + utf8.RuneCount(data[start:i]), Want: want}
}
