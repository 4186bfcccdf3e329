package crawlfile

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// Retell changes the terms of a crawl file: some are taken out, others are added below those that stand there. Comments and
// formatting stay as they are. read is the file as it was when the changes were thought of: what somebody has changed since
// is not overwritten. What comes of it is loaded before it takes the place of the file, in one step; where it does not say
// exactly what it said before and the changes, nothing is written.
func Retell(file string, read []byte, add []TermConfig, drop []string) error {
	path, err := filepath.EvalSymlinks(file)
	if err != nil {
		return Unreadable(file, err)
	}
	if config, err := Read(file, read); err == nil && config.WebTopic != "" {
		return config.Wrong("web_topic", errors.New("takes the terms from a recorded web, and others would count nothing beside it; nothing was written"))
	}
	after, err := retold(file, read, add, drop)
	if err == nil {
		err = exchangeFile(path, read, after)
	}
	if err != nil {
		return fmt.Errorf("nothing was written: %w; put it in by hand, below topic:\n%s", err, termsByHand(add, drop))
	}
	return nil
}

// retold is the text of a crawl file with other terms.
func retold(file string, text []byte, add []TermConfig, drop []string) ([]byte, error) {
	config, err := Read(file, text)
	if err != nil {
		return nil, err
	}
	root, err := strict.Parse(file, text)
	if err != nil {
		return nil, err
	}
	topic, _ := root.Get("topic")
	terms, _ := topic.Get("terms")
	var gone, items []string
	plain := len(terms.Items()) > 0 // words without a weight
	for _, n := range terms.Items() {
		var t TermConfig
		if t.SetDefaults(); len(t.DecodeNode(n)) == 0 && slices.Contains(drop, t.Term) {
			gone = append(gone, strict.Flow(n))
		}
		plain = plain && n.Kind() == strict.Text
	}
	for _, t := range add {
		item := strict.Flow(t)
		if plain && t.Weight == 1 {
			item = strict.Flow(t.Term)
		}
		items = append(items, item)
	}
	after, err := strict.Extend(file, text, "topic.terms", items...)
	if err == nil && len(gone) > 0 {
		after, err = strict.Remove(file, after, "topic.terms", gone...)
	}
	if err != nil {
		return nil, err
	}
	config.Topic.Terms = slices.Concat(slices.DeleteFunc(slices.Clone(config.Topic.Terms), func(t TermConfig) bool { return slices.Contains(drop, t.Term) }), add)
	now, err := Read(file, after)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(config.YAML(), now.YAML()) {
		return nil, errors.New("it would not say what it says now and the changes; something outside the file, such as THRESHER_TOPIC_TERMS, may count more")
	}
	return after, nil
}

// termsByHand are terms as a person would put them into a file.
func termsByHand(add []TermConfig, drop []string) string {
	var b strings.Builder
	if len(add) > 0 {
		b.WriteString("  terms:\n")
	}
	for _, t := range add {
		b.WriteString("    - " + strict.Flow(t) + "\n")
	}
	if len(drop) > 0 {
		b.WriteString("  and take out: " + strings.Join(drop, ", ") + "\n")
	}
	return b.String()
}
