package text

import (
	"bufio"
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// The states of a character in a word: it begins, ends, continues or is the word.
const (
	begins = iota
	ends
	continues
	alone
	stateCount
)

// never is the logarithm of a probability of nothing, as the model writes it.
const never = -3.14e+100

// model is a hidden Markov model of the states of characters; it joins characters to words no dictionary holds.
type model struct {
	start [stateCount]float64
	trans [stateCount][stateCount]float64
	emit  [lastHan - firstHan + 1][stateCount]float64
}

// states is the working space of one cut by the model.
type states struct {
	paths [][stateCount]int8
	word  []bool // does a word end with this character?
}

var embeddedModel = sync.OnceValues(func() (*model, error) {
	b, err := unpack(modelName)
	if err != nil {
		return nil, err
	}
	return readModel(b)
})

// readModel reads the lines of the model that are not comments: how words start, the four rows of how state follows
// state, and for each state the characters with their weights.
func readModel(b []byte) (*model, error) {
	var lines []string
	scan := bufio.NewScanner(bytes.NewReader(b))
	scan.Buffer(nil, len(b)+1)
	for scan.Scan() {
		if line := strings.TrimSpace(scan.Text()); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	if len(lines) != 1+2*stateCount {
		return nil, fmt.Errorf("%s holds %d lines, want %d", modelName, len(lines), 1+2*stateCount)
	}
	m := new(model)
	err := readRow(&m.start, lines[0])
	for i := range stateCount {
		if err == nil {
			err = readRow(&m.trans[i], lines[1+i])
		}
	}
	for i := range m.emit {
		m.emit[i] = [stateCount]float64{never, never, never, never}
	}
	for i := range stateCount {
		if err == nil {
			err = m.readEmit(i, lines[1+stateCount+i])
		}
	}
	return m, err
}

func readRow(row *[stateCount]float64, line string) (err error) {
	fields := strings.Fields(line)
	if len(fields) != stateCount {
		return fmt.Errorf("%s: %d numbers in a row, want %d", modelName, len(fields), stateCount)
	}
	for i, f := range fields {
		if row[i], err = strconv.ParseFloat(f, 64); err != nil {
			return fmt.Errorf("%s: %w", modelName, err)
		}
	}
	return nil
}

func (m *model) readEmit(state int, line string) error {
	for pair := range strings.SplitSeq(line, ",") {
		char, number, _ := strings.Cut(pair, ":")
		weight, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return fmt.Errorf("%s: %w", modelName, err)
		}
		if r, _ := utf8.DecodeRuneInString(char); firstHan <= r && r <= lastHan {
			m.emit[r-firstHan][state] = weight
		}
	}
	return nil
}

var nothing = [stateCount]float64{never, never, never, never}

func (m *model) emission(r rune) *[stateCount]float64 {
	if firstHan <= r && r <= lastHan {
		return &m.emit[r-firstHan]
	}
	return &nothing
}

// cut answers for each character whether a word ends with it, by Viterbi's algorithm.
func (m *model) cut(s *states, runes []rune) []bool {
	s.paths, s.word = s.paths[:0], s.word[:0]
	var weight [stateCount]float64
	for y, e := range m.emission(runes[0]) {
		weight[y] = m.start[y] + e
	}
	s.paths, s.word = append(s.paths, [stateCount]int8{}), append(s.word, false)
	for _, r := range runes[1:] {
		last := weight
		var path [stateCount]int8
		for y, e := range m.emission(r) {
			weight[y], path[y] = never, ends
			for x := range stateCount {
				if w := last[x] + m.trans[x][y] + e; w > weight[y] {
					weight[y], path[y] = w, int8(x)
				}
			}
		}
		s.paths, s.word = append(s.paths, path), append(s.word, false)
	}
	state := int8(ends)
	if weight[alone] > weight[ends] {
		state = alone
	}
	for i := len(runes) - 1; i >= 0; i-- {
		s.word[i] = state == ends || state == alone
		state = s.paths[i][state]
	}
	return s.word
}
