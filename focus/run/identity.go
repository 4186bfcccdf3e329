package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/shell"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// identityOf are the values of the keys that make a crawl the one it is, in a crawl file as it ran, and its scope. Mistakes in it
// do not matter: it may be of another version. The name is that by which others parse it, too.
func identityOf(name string, yaml []byte) (map[string]string, *crawlfile.ScopeConfig) {
	c := crawlfile.Default()
	if n, err := strict.Parse(name, yaml); err == nil {
		n.Decode(&c)
	}
	all, own := strict.Values(c), map[string]string{}
	for _, key := range crawlfile.Settable() {
		if crawlfile.InIdentity(key) {
			own[key] = all[key]
		}
	}
	return own, &c.Scope
}

// changed says in words what makes this crawl another one than that of the folder; nothing where they are the same.
func (f *Folder) changed(before Standing, yaml []byte, strategy *rank.Strategy) ([]string, error) {
	ran, err := os.ReadFile(filepath.Join(f.Dir, FileCrawl))
	if err != nil {
		return nil, noCrawlFile(f.Dir, err)
	}
	var said []string
	if before.Strategy != strategy.Name {
		said = append(said, fmt.Sprintf("the strategy was %s and is %s", before.Strategy, strategy.Name))
	} else if before.Fingerprint != strategy.Fingerprint() && !f.written(strategy) {
		what := "the strategy " + strategy.Name
		if strategy.HasModel() {
			what += ", or the file of a model of it,"
		}
		said = append(said, what+" is not what it was (--strategy "+shell.Word(filepath.Join(f.Dir, FileStrategy))+" is what it was)")
	}
	others := Differences(filepath.Join(f.Dir, FileCrawl), ran, yaml, nil)
	if len(others) > 0 {
		if _, err := asItRan(filepath.Join(f.Dir, FileCrawl), ran); err != nil {
			return nil, notReadable(f.Dir, err)
		}
	}
	named := func(said string) bool { return strings.HasPrefix(said, "topic.model ") }
	if before.Model != f.standing.Model && !slices.ContainsFunc(others, named) {
		others = append(others, "the file of topic.model is not what it was")
	}
	return append(said, others...), nil
}

// written tells whether the strategy that stands in the folder is the given one as it is understood today: an older version, which knew
// fewer parameters, made another fingerprint of it. What a model holds does not stand there.
func (f *Folder) written(strategy *rank.Strategy) bool {
	was, err := strategyOf(f.Dir)
	return err == nil && !strategy.HasModel() && was.Fingerprint() == strategy.Fingerprint()
}

// About is what a crawl is, as machines that share it tell one another: its file and its strategy.
func About(yaml, strategy []byte) map[string]string {
	return map[string]string{FileCrawl: string(yaml), FileStrategy: string(strategy)}
}

// Differences says in words which keys of a crawl's identity two crawl files do not share, but for some. A scope that has become
// wider is the same. The path is that of the one that ran.
func Differences(path string, ran, yaml []byte, but []string) (said []string) {
	if bytes.Equal(ran, yaml) { // as is usual: nothing of them need be understood
		return nil
	}
	was, scope := identityOf(path, ran)
	is, wider := identityOf(crawlfile.Asked, yaml)
	for _, key := range crawlfile.Settable() {
		if was[key] != is[key] && !slices.Contains(but, key) && !scope.Widened(key, wider) {
			said = append(said, difference(key, was[key], is[key]))
		}
	}
	return said
}

// difference says how a value differs from what it was: of a long list which items came and went, and of other long ones where they part.
func difference(key, was, is string) string {
	if len(was) > shown || len(is) > shown {
		before, after := itemsOf(was), itemsOf(is)
		came := slices.DeleteFunc(slices.Clone(after), func(item string) bool { return slices.Contains(before, item) })
		went := slices.DeleteFunc(slices.Clone(before), func(item string) bool { return slices.Contains(after, item) })
		switch {
		case len(came) > 0 && len(went) > 0:
			return fmt.Sprintf("%s has %s, and %s no more", key, brief(strings.Join(came, ", ")), brief(strings.Join(went, ", ")))
		case len(came) > 0:
			return fmt.Sprintf("%s has %s besides what it had", key, brief(strings.Join(came, ", ")))
		case len(went) > 0:
			return fmt.Sprintf("%s has %s no more", key, brief(strings.Join(went, ", ")))
		}
		was, is = parted(was, is)
	}
	return fmt.Sprintf("%s was %s and is %s", key, brief(was), brief(is))
}

// itemsOf are the items of a list, as Flow shows them; of what is no list none.
func itemsOf(value string) (items []string) {
	n, err := strict.Parse("", []byte(value))
	if err != nil {
		return nil
	}
	for _, item := range n.Items() {
		items = append(items, strict.Flow(item))
	}
	return items
}

// parted are two texts from a little before the place where they part.
func parted(a, b string) (string, string) {
	const before = 20
	x, y := []rune(a), []rune(b)
	at := 0
	for at < min(len(x), len(y)) && x[at] == y[at] {
		at++
	}
	if at -= before; at <= 0 {
		return a, b
	}
	return "…" + string(x[at:]), "…" + string(y[at:])
}

// shown is how much of a value a message shows.
const shown = 60

// brief is a value short enough for a message.
func brief(value string) string {
	if value == "" {
		return "nothing"
	}
	if cut := page.Cut(value, shown); cut != value {
		return cut + "…"
	}
	return value
}

// DigestOf is what a file holds, in few letters; empty where there is none.
func DigestOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
