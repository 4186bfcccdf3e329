package focus

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/study"
)

// rewritten changes the frame of a kind in a snapshot, as a program that writes it would.
func rewritten(t *testing.T, raw []byte, kind byte, change func(body []byte)) []byte {
	t.Helper()
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	var out []byte
	for found := false; len(raw) > 0; {
		size, w := binary.Uvarint(raw)
		frame := bytes.Clone(raw[:w+4+int(size)])
		raw = raw[len(frame):]
		if body := frame[w+4:]; body[0] == kind && !found {
			found = true
			change(body[1:])
			binary.LittleEndian.PutUint32(frame[w:], crc32.Checksum(body, castagnoli))
		}
		if body := frame[w+4:]; len(raw) == 0 { // the end says the checksum of all in front of it
			binary.LittleEndian.PutUint32(body[len(body)-4:], crc32.Checksum(out, castagnoli))
			binary.LittleEndian.PutUint32(frame[w:], crc32.Checksum(body, castagnoli))
		}
		out = append(out, frame...)
	}
	return out
}

// everyFile is what a folder holds, but for the lock.
func everyFile(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == run.FileLock {
			return err
		}
		raw, err := os.ReadFile(path)
		all[path] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What a later thresher wrote is not damaged: a crawl, a repair and those who look on say who can read it, and leave it
// as it is, whichever of a run's files it is.
func TestWhatALaterThresherWroteIsLeftAlone(t *testing.T) {
	config := drawnCrawl(t, "apprentice")
	config.Budget.Pages = 30
	crawled(t, context.Background(), config, nil)
	const snapHead, snapLearned = 1, 2
	part := func(n int) func([]byte) []byte { // the first byte of what one of the pupils has learned
		return func(raw []byte) []byte {
			return rewritten(t, raw, snapLearned, func(body []byte) {
				r := pack.Reader{Left: body[1:]}
				var b []byte
				for range n + 1 {
					b = r.Bytes()
				}
				body[len(body)-len(r.Left)-len(b)] = 99
			})
		}
	}
	for name, c := range map[string]struct {
		file   string
		change func([]byte) []byte
	}{
		"the log": {"log-*", func(raw []byte) []byte {
			raw[8]++
			binary.LittleEndian.PutUint32(raw[30:], crc32.Checksum(raw[:30], crc32.MakeTable(crc32.Castagnoli)))
			return raw
		}},
		"the snapshot": {"snapshot-*", func(raw []byte) []byte {
			return rewritten(t, raw, snapHead, func(body []byte) { body[8]++ })
		}},
		"what was learned": {"snapshot-*", func(raw []byte) []byte {
			return rewritten(t, raw, snapLearned, func(body []byte) { body[0]++ })
		}},
		"what the topic has learned":    {"snapshot-*", part(0)},
		"what the strategy has learned": {"snapshot-*", part(1)},
		"how the run stands": {run.FileRun, func(raw []byte) []byte {
			return bytes.Replace(raw, []byte(`"format": 1,`), []byte(`"format": 2, "pages": {"fetched": 30},`), 1)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			later := config
			later.Store = filepath.Join(t.TempDir(), "run")
			image(t, config.Store, later.Store)
			files, err := filepath.Glob(filepath.Join(later.Store, run.FileState, c.file))
			if err != nil || len(files) == 0 {
				t.Fatalf("no %s: %v", c.file, err)
			}
			raw, err := os.ReadFile(files[0])
			if err == nil {
				err = os.WriteFile(files[0], c.change(raw), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			before := everyFile(t, later.Store)
			later.Budget.Pages = 60
			refused := func(who string, err error) {
				t.Helper()
				if err == nil || !strings.Contains(err.Error(), "a newer thresher wrote it") || strings.Contains(err.Error(), "damaged") || strings.Contains(err.Error(), "thresher repair") {
					t.Errorf("%s: %v", who, err)
				}
			}
			_, err = NewWith(later)
			refused("crawl", err)
			_, err = Repair(later.Store)
			refused("repair", err)
			if c.file == run.FileRun {
				_, err = run.Open(later.Store)
				refused("whoever looks on", err)
			}
			after := everyFile(t, later.Store)
			for _, name := range slices.Sorted(maps.Keys(after)) {
				open := strings.HasPrefix(before[name], after[name]) && strings.HasPrefix(filepath.Base(name), "log-")
				if after[name] != before[name] && !open { // what no outcome ends is cut off whenever a log is opened
					t.Errorf("%s was changed: %d bytes, and there were %d", name, len(after[name]), len(before[name]))
				}
			}
			if len(after) != len(before) {
				t.Errorf("%d files, and there were %d", len(after), len(before))
			}
		})
	}
}

// So it is with lessons, and with what one crawl hands on to another.
func TestLaterLessonsAndExperience(t *testing.T) {
	config := drawnCrawl(t, "apprentice")
	config.Budget.Pages = 30
	crawled(t, context.Background(), config, nil)
	other := config
	other.Store = ""
	c, err := NewWith(other)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for name, err := range map[string]error{
		"a lesson":               c.relearn([]byte{c.state()[0] + 1, 1}),
		"a lesson of the topic":  c.steps.topic.Relearn([]byte{99, 1}),
		"a lesson of the memory": c.steps.memory.Relearn([]byte{99, 1}),
		"an experience":          c.steps.memory.Begin([]byte{99, 1}, 1),
	} {
		if err == nil || !strings.Contains(err.Error(), "a newer thresher wrote it") || strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: %v", name, err)
		}
	}
	file := filepath.Join(config.Store, crawlfile.FileExperience)
	raw, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, bytes.Replace(raw, []byte(`"format":1,`), []byte(`"format":2,"hosts":{},`), 1), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := study.ReadExperience(config.Store); err == nil || !strings.Contains(err.Error(), "a newer thresher wrote it") || !strings.Contains(err.Error(), file) {
		t.Errorf("experience: %v", err)
	}
}
