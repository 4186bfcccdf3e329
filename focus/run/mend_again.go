package run

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// MendAgain takes out of the files that rounds have left in a folder the lines that cannot be read, and what follows the last whole one:
// nobody goes on with them as a crawl does, which cuts it off.
func (m *Mended) MendAgain(below string) error {
	for _, of := range []struct {
		pattern, mark string
		read          func(line []byte) error
	}{
		{"harvest*.jsonl", "", func(line []byte) error { return new(sink.Record).UnmarshalJSON(line) }},
		{"look*.jsonl", "", func(line []byte) error { return new(sink.Seen).UnmarshalJSON(line) }},
		{sink.FileVisited, "", func(line []byte) error { return json.Unmarshal(line, new(sink.Visited)) }},
	} {
		if err := m.blankAll(below, of.pattern, of.read); err != nil {
			return err
		}
		paths, err := results(below, of.pattern)
		if err != nil {
			return err
		}
		for _, path := range paths {
			whole, off, err := m.cut(path)
			if err != nil {
				return err
			}
			if off > 0 {
				m.Damage = append(m.Damage, fmt.Sprintf("%s at byte %d: the last line is not whole", path, whole))
			}
		}
	}
	logs, err := filepath.Glob(filepath.Join(crawlfile.GlobEscape(below), "asked-*.log"))
	for _, path := range logs {
		if err == nil {
			err = m.blank(path, "#damaged", isLine)
		}
	}
	return err
}

func isLine(line []byte) error {
	_, err := lineOf(line)
	return err
}
