package run

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/thresher-crawler/thresher/focus/ledger"
)

// fileCompared is what another strategy had found (crawl --compare).
const fileCompared = "compared.json"

// Compared is the harvest of a crawl that this one was compared with.
type Compared struct {
	Strategy string         `json:"strategy"`
	Pages    int            `json:"pages"`
	Relevant int            `json:"relevant"`
	Kept     int            `json:"kept"`
	Curve    []ledger.Point `json:"curve"`
}

// WriteCompared keeps what another strategy had found in the folder of a run.
func WriteCompared(dir string, c *Compared) error {
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, fileCompared), append(text, '\n'))
}

// ReadCompared is what another strategy had found; an error where nobody has compared.
func ReadCompared(dir string) (*Compared, error) {
	path := filepath.Join(dir, fileCompared)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var c Compared
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &c, nil
}
