//go:build ignore

// Command background_make writes background.txt.zst, which says how common words are where no crawl has counted them. It reads
// text that may be shipped, and nothing of any web:
//
//	Chinese: the dictionary in focus/text/dict (cppjieba, MIT), which says how often each word was met
//	English: the comments of Go's standard library (BSD), more than a million words, Newton's Opticks, which comes with it
//	         (public domain), and common.txt, for the words that are common on the web and in neither
//
// It is run by go generate ./focus/topic.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/thresher-crawler/thresher/focus/text"
)

const (
	onPage   = 400       // words of a usual page, without stop words
	onTheWeb = 1. / 1500 // how often a word of common.txt is met at least
	rare     = 2.5e-6    // what is met less often, on one page of a thousand, is left out: all such words weigh the same
	unmet    = 1e-6      // how often a word is met that one of the English texts does not have
	fewest   = 3         // what was met less often than this was met by chance
)

func main() {
	share := map[string]float64{}
	english(share)
	common(share)
	chinese(share)
	out, err := os.Create("background.txt.zst")
	check(err)
	w, err := zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	check(err)
	fmt.Fprintf(w, "# How many of a thousand pages have a word, as background_make.go works it out (%s, go generate); words that are not here are rarer.\n", runtime.Version())
	for _, word := range slices.Sorted(maps.Keys(share)) {
		if share[word] >= rare {
			fmt.Fprintf(w, "%s\t%.3g\n", word, 1000*(1-math.Exp(-onPage*share[word])))
		}
	}
	check(w.Close())
	check(out.Close())
}

// english counts the words of Go's own comments and of the Opticks. Each has words of its own, function and refraction:
// common is what is so in both, and so the geometric mean of the two is taken.
func english(share map[string]float64) {
	cutter, err := text.NewCutter(text.Options{Limit: -1})
	check(err)
	src := filepath.Join(runtime.GOROOT(), "src")
	counts := [2]map[string]float64{{}, {}}
	check(filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch {
		case d.Name() == "Isaac.Newton-Opticks.txt":
			raw, err := os.ReadFile(path)
			count(cutter, counts[1], string(raw))
			return err
		case strings.HasSuffix(path, ".go") && !strings.Contains(path, "testdata"):
			raw, err := os.ReadFile(path)
			count(cutter, counts[0], comments(string(raw)))
			return err
		}
		return nil
	}))
	a, b := shares(counts[0]), shares(counts[1])
	for word := range counts[0] {
		share[word] = math.Sqrt(max(a[word], unmet) * max(b[word], unmet))
	}
}

// shares is how often each word was met among all.
func shares(times map[string]float64) map[string]float64 {
	all := 0.0
	for _, n := range times {
		all += n
	}
	log.Printf("%.0f words, %d different", all, len(times))
	share := map[string]float64{}
	for word, n := range times {
		if n >= fewest {
			share[word] = n / all
		}
	}
	return share
}

func comments(source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		if said, ok := strings.CutPrefix(strings.TrimSpace(line), "// "); ok && !strings.HasPrefix(said, "Copyright") &&
			!strings.HasPrefix(said, "Use of this source") && !strings.HasPrefix(said, "license that can") {
			b.WriteString(said + "\n")
		}
	}
	return b.String()
}

func count(cutter *text.Cutter, words map[string]float64, s string) {
	for _, k := range cutter.Cut(nil, s) {
		if k.Term < "\u0100" {
			words[k.Term]++
		}
	}
}

// common takes the words that are common on the web.
func common(share map[string]float64) {
	raw, err := os.ReadFile("common.txt")
	check(err)
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, w := range strings.Fields(line) {
			word := text.Stem(text.Fold(w))
			share[word] = max(share[word], onTheWeb)
		}
	}
}

// chinese takes the frequencies of the dictionary.
func chinese(share map[string]float64) {
	raw, err := os.ReadFile("../text/dict/jieba.dict.utf8.zst")
	check(err)
	raw, err = text.Unpack(raw)
	check(err)
	times := map[string]float64{}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		n, err := strconv.ParseFloat(fields[1], 64)
		check(err)
		times[text.Fold(fields[0])] += n
	}
	check(lines.Err())
	for word, of := range shares(times) {
		if word >= "\u2e80" {
			share[word] = of
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
