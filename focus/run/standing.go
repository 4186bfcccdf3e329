package run

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/shell"
)

// Standing is how a run stands, as its folder says.
type Standing struct {
	Name        string    `json:"name"`
	File        string    `json:"file,omitempty"` // the crawl file, as a whole path
	State       string    `json:"state"`          // running, finished or interrupted
	Reason      string    `json:"reason,omitempty"`
	Strategy    string    `json:"strategy"`
	Fingerprint string    `json:"fingerprint"`     // of the strategy
	Model       string    `json:"model,omitempty"` // of the file of topic.model
	Started     time.Time `json:"started"`
	Ended       time.Time `json:"ended,omitzero"`
	Pages       int       `json:"pages"`
	Relevant    int       `json:"relevant"`
	Kept        int       `json:"kept"`
	Waiting     int       `json:"waiting"`
}

// standingForm is a standing as it is written down. Sum is the checksum of what it is without; files without one are taken
// at their word.
type standingForm struct {
	Format int `json:"format"`
	Standing
	Sum string `json:"sum,omitempty"`
}

func (f standingForm) sum() string {
	f.Sum = ""
	text, _ := json.Marshal(f) // plain values: it cannot fail
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(text))
}

// standingFormat changes when a standing, or the folder around it, is read otherwise. Where none is said it is the first.
const standingFormat = 1

// ReadStanding reads how the run in a folder stands. It is os.ErrNotExist where there is no run.
func ReadStanding(dir string) (Standing, error) {
	if err := crawlfile.NoFolder(dir); err != nil {
		return Standing{}, err
	}
	if err := settled(dir, false); err != nil {
		return Standing{}, err
	}
	path := filepath.Join(dir, FileState, FileRun)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) && !orphaned(dir) {
		return Standing{}, fmt.Errorf("%s is not a run folder: %w", dir, err)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return Standing{}, fmt.Errorf("run folder %s: %w", dir, err)
	}
	if other := OtherFormat(text, standingFormat); other != nil {
		return Standing{}, fmt.Errorf("%s: %w", path, other)
	}
	var form standingForm
	if err == nil {
		err = json.Unmarshal(text, &form)
	}
	s := form.Standing
	if err == nil && s.State == "" {
		err = errors.New("it does not say how the run stands")
	}
	if err == nil && form.Sum != "" && form.Sum != form.sum() {
		err = errors.New("its checksum does not match")
	}
	if err != nil && OfMachine(dir) {
		return Standing{}, fmt.Errorf("%s is damaged: %v; %s", path, err, MoveAway(dir))
	}
	if err != nil {
		return Standing{}, fmt.Errorf("%s is damaged: %v; 'thresher repair --run %s' writes it again, --fresh starts over", path, err, shell.Word(dir))
	}
	return s, nil
}

// OtherFormat tells of an object of JSON that says it is of a later format, whatever else it says.
func OtherFormat(object []byte, reads int) error {
	var says struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(object, &says); err != nil || says.Format <= reads {
		return nil
	}
	return pack.Version(says.Format, reads)
}

// Newer tells of an error that what a later thresher wrote is met with.
func Newer(err error) bool {
	var other *pack.VersionError
	return errors.As(err, &other) && other.Newer()
}

// fileMachine is below state: the name under which a shared crawl knows the folder, for names of hosts and folders may be
// those of another machine too.
const fileMachine = "machine"

// Machine is the name of a run folder among all there are, for as long as its results are there.
func (f *Folder) Machine() (string, error) {
	path := filepath.Join(f.Dir, FileState, fileMachine)
	name, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		name = []byte(rand.Text())
		return string(name), WriteFile(path, name)
	}
	if err != nil {
		return "", err
	}
	return string(name), nil
}

// OfMachine tells of the folder of one machine of a shared crawl: what the machine goes on with is in Redis.
func OfMachine(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, FileState, fileMachine))
	return err == nil
}

// MoveAway says what helps where the folder of a machine is damaged.
func MoveAway(dir string) string {
	return fmt.Sprintf("the crawl itself is in Redis: move this folder away (mv '%s' '%s.damaged') and the machine begins a new one; what it harvested can be read there",
		dir, dir)
}

// Is tells whether a folder is that of a run, sound or damaged.
func Is(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, FileState, FileRun))
	return err == nil || orphaned(dir)
}

// orphaned tells of a folder with a run that does not say how it stands. Files of such names may be anybody's: there must be something in
// them that a run has written.
func orphaned(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, FileCrawl))
	return err == nil && (disk.Holds(filepath.Join(dir, FileState)) || hasLogged(dir) && hasVisited(dir))
}

// hasLogged tells of a folder with a log of which a line can be read, be it the names of the columns. Of one that the disk does not
// read it is believed.
func hasLogged(dir string) bool {
	f, err := os.Open(filepath.Join(dir, FileLog))
	if err != nil {
		return false
	}
	defer f.Close()
	name, _, _ := strings.Cut(logHeader, "\t")
	for line, err := range WholeLines(f) {
		if err != nil {
			return true
		}
		if d, err := lineOf(line); err == nil && d != nil || strings.HasPrefix(string(line), name+"\t") {
			return true
		}
	}
	return false
}

// hasJournal tells of a folder in which a frontier has told anything.
func hasJournal(dir string) bool {
	logs, err := filepath.Glob(filepath.Join(crawlfile.GlobEscape(filepath.Join(dir, FileState)), "log-*"))
	return err == nil && len(logs) > 0
}

// Reasons why crawls end that more than their words hang on.
const (
	NothingMore   = "nothing more to visit" // it came to its end
	StoppedByUser = "you stopped it"        // its context ended
	Repaired      = "repaired"              // and it was not gone on with since
)

// Stand writes down how a run stands in a folder that this process does not hold.
func Stand(dir string, s Standing) error { return (&Folder{Dir: dir, standing: s}).stand() }
