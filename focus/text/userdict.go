package text

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// userWord is a line of a user dictionary.
type userWord struct {
	word      string // folded
	frequency int    // 0 means the median of the dictionary
	tag       string // may be empty
}

// userDict holds the words of a user dictionary that are Chinese alone. Nothing else may reach the segmenter.
type userDict struct {
	words []userWord
}

// Bounds of a user dictionary.
const (
	maxUserDict  = 64 << 20   // bytes
	maxUserWord  = 32         // characters; the longest word of the embedded dictionary has 16
	maxFrequency = 1000000000 // C++ reads it as an int
	maxTag       = 5          // letters
	maxComplaint = 10         // bad lines that are told of
)

// readUserDict reads a user dictionary: on each line a word, then, if wanted, its frequency and its tag, in this
// order; lines that begin with # are comments. Words in which other scripts occur come back as names, for the
// scanner. Each bad line is told of: a segmenter in C++ would end the process over it.
func readUserDict(path string) (dict userDict, names []string, err error) {
	if path == "" {
		return userDict{}, nil, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return userDict{}, nil, fmt.Errorf("user dictionary: %w", err)
	}
	if len(b) > maxUserDict {
		return userDict{}, nil, fmt.Errorf("user dictionary %q has %d bytes, at most %d are taken", path, len(b), maxUserDict)
	}
	var bad []error
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(b), "\uFEFF")) {
		number++
		w, err := readUserWord(line)
		switch {
		case err != nil && len(bad) == maxComplaint:
			return userDict{}, nil, errors.Join(append(bad, fmt.Errorf("%s: and more", path))...)
		case err != nil:
			bad = append(bad, fmt.Errorf("%s:%d: %w", path, number, err))
		case w.word == "":
		case isChinese(w.word):
			dict.words = append(dict.words, w)
		default:
			names = append(names, w.word)
		}
	}
	return dict, names, errors.Join(bad...)
}

// readUserWord reads one line; its word is empty if there is none on it.
func readUserWord(line string) (w userWord, err error) {
	if !utf8.ValidString(line) {
		return w, errors.New("not valid UTF-8: save the dictionary as UTF-8")
	}
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return w, nil
	}
	if strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && unicode.IsControl(r) }) {
		return w, fmt.Errorf("control character in %q", line)
	}
	fields := strings.Fields(line)
	w.word = Fold(fields[0])
	if n := utf8.RuneCountInString(w.word); n > maxUserWord {
		return w, fmt.Errorf("word of %d characters, at most %d are taken", n, maxUserWord)
	}
	if !strings.ContainsFunc(w.word, func(r rune) bool { return classOf(r) != gap }) {
		return w, fmt.Errorf("no letter in the word %q", fields[0])
	}
	rest := fields[1:]
	if len(rest) > 0 && isNumber(rest[0]) {
		if w.frequency, err = strconv.Atoi(rest[0]); err != nil || w.frequency < 1 || w.frequency > maxFrequency {
			return w, fmt.Errorf("frequency %q is not a whole number from 1 to %d", rest[0], maxFrequency)
		}
		rest = rest[1:]
	}
	if len(rest) > 0 && isTag(rest[0]) {
		w.tag, rest = rest[0], rest[1:]
	}
	if len(rest) > 0 {
		return w, fmt.Errorf("%q is too much: a line is a word, a frequency, a tag of 1 to %d letters a to z", rest[0], maxTag)
	}
	return w, nil
}

func isTag(s string) bool {
	return len(s) <= maxTag && !strings.ContainsFunc(s, func(r rune) bool { return r < 'a' || 'z' < r })
}

// lines are the words as cppjieba reads them: one, two or three columns, where the third must be there with the
// second.
func (d userDict) lines() []byte {
	var b bytes.Buffer
	for _, w := range d.words {
		b.WriteString(w.word)
		switch {
		case w.frequency > 0 && w.tag == "":
			fmt.Fprintf(&b, " %d n", w.frequency)
		case w.frequency > 0:
			fmt.Fprintf(&b, " %d %s", w.frequency, w.tag)
		case w.tag != "":
			b.WriteString(" " + w.tag)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// mixedNames are words of everyday Chinese in which scripts mix. Where none of them stands, Latin and Chinese beside
// each other are two words: 5G网络 is 5G and 网络.
var mixedNames = strings.Fields(`
	4S店 T恤 T恤衫 T台 B超 U盘 X光 X光片 X射线 K线 K线图 K歌 Q版 A股 B股 H股 A轮 B轮 C轮 C盘 D盘 卡拉OK AA制 PK赛 POS机 IC卡
	IP地址 SIM卡 SD卡 VIP卡 ATM机 CT机 α射线 β射线 γ射线 3D打印 C语言 R语言 X染色体 Y染色体 维生素A 维生素B 维生素C 维生素D
	维生素E 维生素K 阿Q 哆啦A梦 QQ号 QQ群 甲A 甲B O型血 A型血 B型血 AB型血`)
