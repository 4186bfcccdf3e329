package focus_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// taught trains a judge on pages of a host.
func taught(t *testing.T, host, file string) {
	t.Helper()
	pages := func(word string) (list []*page.Page) {
		for i := range 6 {
			body := fmt.Sprintf("<p>%s</p>", strings.Repeat(fmt.Sprint(word, " number ", i, " of ", host, " "), 9))
			list = append(list, page.Parse([]byte(body), fmt.Sprintf("http://%s/%s/%d", host, word, i), page.Options{}))
		}
		return list
	}
	config := focus.DefaultSetting()
	config.Topic.Judge = "classifier"
	if err := study.TrainJudge(&config.Config, pages("boats"), pages("cakes"), file); err != nil {
		t.Fatal(err)
	}
}

func TestAJuryOfTheSameSchoolIsNotIndependent(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	taught(t, "a.example", file("a"))
	taught(t, "b.example", file("b"))
	other := file("a2") // learned from the same pages, and is another model
	m, err := topic.LoadModel(file("a"))
	if err != nil {
		t.Fatal(err)
	}
	m.Threshold = .9
	if err := m.Save(other); err != nil {
		t.Fatal(err)
	}
	m.Sources = nil // as older programs wrote it
	if err := m.Save(file("old")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ jury, own, why, said string }{
		{"a", "", "", "different pages of 1 hosts"},
		{"a", "a", "by the same model", "different pages"},
		{"a", "a2", "on the same material", "different pages"},
		{"a", "b", "", "different pages"},
		{"old", "a", "", "is an old one that does not name the pages and hosts"},
	} {
		j, err := study.NewJury(file(c.jury))
		if err != nil {
			t.Fatal(err)
		}
		config := focus.DefaultSetting()
		if c.own != "" {
			config.Topic.Model = file(c.own)
		}
		why, err := j.Shares(&config.Config)
		if err != nil || (why == "") != (c.why == "") || !strings.Contains(why, c.why) {
			t.Errorf("%s beside %s: %q, %v; want %q", c.jury, c.own, why, err, c.why)
		}
		if !strings.Contains(j.Provenance(), c.said) {
			t.Errorf("%s: %s", c.jury, j.Provenance())
		}
	}
}
