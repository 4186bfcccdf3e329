package strict

import (
	"bytes"
	"unicode/utf8"
)

// Plain is the text of a list that a person has written, or saved from a spreadsheet: without the mark that some programs put before it,
// its lines ended as everybody's are. The error is an *Error: it is no UTF-8.
func Plain(name string, data []byte) (string, error) {
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
