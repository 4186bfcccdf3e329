package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/whole"
)

// labelledWebs opens labelled webs, each DIR or DIR:TOPIC; a folder's name may have a colon in it. None may stand there twice.
func labelledWebs(flag, example string, webs []string) (all []*study.LabelledWeb, closeAll func(), err error) {
	closeAll = func() {
		for _, t := range all {
			t.Close() // it was only read
		}
	}
	for i, w := range webs {
		dir, topic := w, ""
		if _, err := os.Stat(w); err != nil {
			if i := strings.LastIndex(w, ":"); i > 0 {
				dir, topic = w[:i], w[i+1:]
			}
		}
		t, err := study.OpenLabelledWeb(dir, topic)
		if err != nil {
			closeAll()
			return nil, nil, misuse(err)
		}
		all = append(all, t)
		if first := slices.IndexFunc(all, func(before *study.LabelledWeb) bool { return sameGround(before, t) }); first < i {
			closeAll()
			return nil, nil, usageError{fmt.Sprintf("--%s %s is %s again: what stands there twice counts twice; give it once", flag, w, webs[first]), example}
		}
	}
	return all, closeAll, nil
}

// sameGround tells of two labelled webs that they are one topic of one recorded web, wherever its folders are.
func sameGround(a, b *study.LabelledWeb) bool {
	return a.Fingerprint == b.Fingerprint && a.Topic == b.Topic
}

// learnFrom opens labelled webs, learns a model from them and writes it into a file; size is how many bytes it has.
func learnFrom[M interface{ Bytes() ([]byte, error) }](example string, webs []string, file string, learn func([]*study.LabelledWeb) (M, error)) (model M, size int, err error) {
	on, done, err := labelledWebs("web", example, webs)
	if err != nil {
		return model, 0, err
	}
	defer done()
	if model, err = learn(on); err != nil {
		return model, 0, err
	}
	raw, err := model.Bytes()
	if err != nil {
		return model, 0, err
	}
	return model, len(raw), writeModel(file, raw)
}

// writeModel writes a model whole or not at all; nothing where no file is wanted.
func writeModel(file string, raw []byte) error {
	if file == "" {
		return nil
	}
	if err := whole.Write(file, raw); err != nil {
		return fmt.Errorf("write the model: %w", err)
	}
	return nil
}

// printGrounds says what was learned from.
func printGrounds(w io.Writer, grounds []rank.Ground) {
	for _, g := range grounds {
		fmt.Fprintf(w, "%s:%s: %d pages on %d hosts, %d of the topic\n", g.Web, g.Topic, g.Pages, len(g.Hosts), g.Targets)
	}
}

// printModel says where the model is, and how the strategy and its factor, which go by the same name, take it.
func printModel(w io.Writer, file string, size int, strategy string) {
	if file == "" {
		fmt.Fprintln(w, "not written: give --out FILE to keep it")
		return
	}
	fmt.Fprintf(w, "written to %s (%d KB); in a crawl file: strategy: {from: %s, rank: {use: %s, with: {model: %s}}}\n",
		file, (size+512)>>10, strategy, strategy, file)
}
