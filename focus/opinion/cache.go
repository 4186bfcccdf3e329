package opinion

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
)

// FileCache is where a run folder remembers what models said.
const FileCache = "opinions.jsonl"

// cache remembers opinions in a file, a line each. A line that was cut by a kill is asked for again.
type cache struct {
	mu    sync.Mutex
	known map[string]Opinion
	found map[string]vector
	file  *os.File
}

type remembered struct {
	Digest string `json:"digest"`
	URL    string `json:"url,omitempty"`
	Opinion
	Vector vector `json:"vector,omitempty"` // of a page that others are held against
}

func openCache(path string) (*cache, error) {
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("read what models said: %w", err)
	}
	c := &cache{known: map[string]Opinion{}, found: map[string]vector{}}
	for line := range strings.Lines(string(raw)) {
		var r remembered
		switch {
		case json.Unmarshal([]byte(line), &r) != nil || r.Digest == "":
		case len(r.Vector) > 0:
			c.found[r.Digest] = r.Vector
		default:
			c.known[r.Digest] = r.Opinion
		}
	}
	if c.file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600); err != nil {
		return nil, fmt.Errorf("remember what models say: %w", err)
	}
	if len(raw) > 0 && raw[len(raw)-1] != '\n' {
		if _, err := c.file.WriteString("\n"); err != nil {
			return nil, errors.Join(fmt.Errorf("remember what models say: %w", err), c.file.Close())
		}
	}
	return c, nil
}

func (c *cache) get(key string) (o Opinion, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o, ok = c.known[key]
	return o, ok
}

func (c *cache) vector(key string) (v vector, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok = c.found[key]
	return v, ok
}

func (c *cache) put(r remembered) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(r.Vector) > 0 {
		c.found[r.Digest] = r.Vector
	} else {
		c.known[r.Digest] = r.Opinion
	}
	if _, err := c.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("remember what a model said: %w", err)
	}
	return nil
}

func (c *cache) Close() error { return c.file.Close() }

// Last is what a model said of a page the last time that it was asked about it, by the run folder's memory.
func Last(path, address string) (o Opinion, ok bool) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return o, false
	}
	for line := range strings.Lines(string(raw)) {
		var r remembered
		if json.Unmarshal([]byte(line), &r) == nil && r.URL == address && r.Model != "" {
			o, ok = r.Opinion, true
		}
	}
	return o, ok
}
