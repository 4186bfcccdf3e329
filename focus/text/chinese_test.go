//go:build cgo

package text

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yanyiwu/gojieba"
)

// chineseRuns are the runs of Chinese in a text, as segmenters get them.
func chineseRuns(s string) (runs []string) {
	for i := 0; i < len(s); {
		r, n := at(s, i)
		if classOf(r) != han {
			i += n
			continue
		}
		end, _ := scanRun(s, i, han)
		runs = append(runs, Fold(s[i:end]))
		i = end
	}
	return runs
}

// checkAgreement holds that gojieba and the pure-Go segmenter cut alike, to the last word and tag.
// search is what gojieba gives for a search.
func (j jieba) search(s string) (parts []part) {
	for _, w := range j.Tokenize(s, gojieba.SearchMode, true) {
		if _, n := at(s, w.Start); n < w.End-w.Start {
			parts = append(parts, part{w.Start, w.End})
		}
	}
	return parts
}

func checkAgreement(t *testing.T, a jieba, b *pureSegmenter, text string) (words int) {
	t.Helper()
	for _, run := range chineseRuns(text) {
		for _, d := range []depth{plain, joined, tagged} {
			x, y := a.cut(nil, run, d), b.cut(nil, run, d)
			if d == plain || d == joined {
				for i := range y {
					y[i].speech = Noun // gojieba tells no tags unless it is asked
				}
			}
			if !slices.Equal(x, y) {
				t.Fatalf("%s, depth %d: gojieba %v, pure Go %v", run, d, x, y)
			}
			words += len(x)
		}
		if x, y := a.search(run), b.search(nil, run); !slices.Equal(x, y) {
			t.Fatalf("%s, for a search: gojieba %v, pure Go %v", run, x, y)
		}
	}
	return words
}

func TestBackendsAgree(t *testing.T) {
	user := userDict{words: []userWord{{"甲骨水寨", 0, ""}, {"生活会", 90000, "v"}, {"觞", 4, ""}, {"大学生", 1, "n"}, {"和服务", 0, "nz"}}}
	for name, u := range map[string]userDict{"plain": {}, "user": user} {
		b := newPureSegmenter(u)
		a := startJieba(u, places(), nil).(jieba)
		words := 0
		for seed := range uint64(15) {
			words += checkAgreement(t, a, b, generated(seed, 3000, []string{"甲骨水寨", "生活会", "曲水流觞", "𠀀㐂"}))
		}
		if words < 10000 {
			t.Errorf("%s: only %d words compared", name, words)
		}
	}
}

func TestBackendsAgreeOnRecordedPages(t *testing.T) {
	docs := recordedDocs(t, "zh_portals", 40)
	a, b := startJieba(userDict{}, places(), nil).(jieba), newPureSegmenter(userDict{})
	words := 0
	for _, d := range docs {
		for _, s := range d.Segments {
			words += checkAgreement(t, a, b, s.Text)
		}
	}
	t.Logf("%d words alike", words)
}

// TestWithoutAnyFolder holds that gojieba is done without where its dictionaries cannot lie anywhere.
func TestWithoutAnyFolder(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	defer trouble.Store(nil)
	s := startJieba(userDict{}, []string{filepath.Join(blocked, "below")}, func() *pureSegmenter { return newPureSegmenter(userDict{}) })
	if got := s.cut(nil, "我来到北京清华大学", joined); len(got) != 4 {
		t.Errorf("%v, want four words", got)
	}
	if b := Backend(); !strings.HasPrefix(b, pureBackend) || !strings.Contains(b, blocked) {
		t.Errorf("backend %q, want the stand-in and why", b)
	}
}

// TestGojiebaCanBeSpared: where there is no room for its dictionaries the same words are cut in Go.
func TestGojiebaCanBeSpared(t *testing.T) {
	defer Spare(nil)
	Spare(errors.New("little memory"))
	s := loadSegmenter(userDict{}, func() *pureSegmenter { return newPureSegmenter(userDict{}) })
	if _, ok := s.(*pureSegmenter); !ok || Backend() != pureBackend+", for want of gojieba (little memory)" {
		t.Errorf("%T, %s", s, Backend())
	}
	if Spare(nil); Backend() != "gojieba" {
		t.Error(Backend())
	}
}
