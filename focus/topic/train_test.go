package topic

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/text"
)

// labelled draws n pages, a third of them relevant.
func labelled(n int) (relevant, other []*text.Doc) {
	for i, d := range pages(n) {
		if i%3 == 0 {
			relevant = append(relevant, d)
		} else {
			other = append(other, d)
		}
	}
	return relevant, other
}

func TestEveryKindOfJudgeLearns(t *testing.T) {
	relevant, other := labelled(240)
	for _, kind := range []string{"bayes", "svm", "logistic", "vector", "best"} {
		m, r, err := Train(relevant, other, TrainOptions{Kind: kind, Words: 20})
		if err != nil {
			t.Fatal(err)
		}
		if r.F1 < .95 || r.AP < .95 || r.Weak() || len(m.Doubts()) > 0 {
			t.Errorf("%s on pages that are easily told apart:\n%s", kind, r)
		}
		if kind != "best" && m.Kind != kind {
			t.Errorf("%s gives a %s", kind, m.Kind)
		}
		if r.Source.MacroF1 < .7 || r.Source.MacroF1 > 1 {
			t.Errorf("%s: macro F1 %.3f from one part", kind, r.Source.MacroF1)
		}
		if !strings.Contains(r.String(), "probability   pages") {
			t.Error("the report has no calibration table")
		}
		judged := mustNew(t, Spec{Judge: "classifier", Model: save(t, m)})
		if yes := judged.Judge(doc("football league goal cup coach")); !yes.Relevant || yes.Terms[0].Added <= 0 {
			t.Errorf("%s: a page of the topic is judged %+v", kind, yes)
		}
		if no := judged.Judge(doc("weather market stock cooking recipe garden")); no.Relevant || no.Relevance > .5 {
			t.Errorf("%s: another page is judged %+v", kind, no)
		}
		if judged.Sim("football") == 0 || judged.Sim("weather") > 0 {
			t.Errorf("%s: anchors are judged %v and %v", kind, judged.Sim("football"), judged.Sim("weather"))
		}
	}
}

// A judge of an older program has learned words that no page has now: "l'énergie", where French is cut into "énergie". It still
// judges, and says so.
func TestAJudgeOfOtherWordsSaysSo(t *testing.T) {
	relevant, other := labelled(60)
	m, _, err := Train(relevant, other, TrainOptions{Kind: "logistic"})
	if err != nil {
		t.Fatal(err)
	}
	for cut, doubts := range map[int]int{text.Version: 0, 0: 1, text.Version - 1: 1} {
		m.Cut = cut
		notes := mustNew(t, Spec{Judge: "classifier", Model: save(t, m)}).notes
		if len(notes) != doubts || doubts > 0 && !strings.HasSuffix(notes[0], ": train it anew") {
			t.Errorf("words of version %d: %q", cut, notes)
		}
	}
}

func save(t *testing.T, m *Model) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "judge.model")
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLabelsThatSayNothingGiveAWeakJudge(t *testing.T) {
	all := pages(120)
	_, r, err := Train(all[:40], all[40:], TrainOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Weak() || !strings.Contains(r.String(), "WEAK") {
		t.Errorf("labels at random give a judge that is trusted:\n%s", r)
	}
	all = pages(120)
	topic := mustNew(t, Spec{Judge: "classifier", Relevant: all[:40], Other: all[40:]})
	if len(topic.Notes()) == 0 || !strings.Contains(topic.Notes()[0], "weak") {
		t.Errorf("the topic says nothing of it: %q", topic.Notes())
	}
}

func TestThresholdForAPrecision(t *testing.T) {
	var r Report
	said := []float64{.9, .8, .7, .6, .5, .4}
	truth := []bool{true, true, false, true, false, false}
	r.threshold(said, truth, 0)
	if r.Threshold != .6 || r.Missed {
		t.Errorf("best F1 at %v", r.Threshold)
	}
	r.threshold(said, truth, 1)
	if r.Threshold != .8 || r.Precision != 1 || r.Recall != 2.0/3 {
		t.Errorf("precision 1 at %v: %+v", r.Threshold, r)
	}
	r.threshold([]float64{.9, .1}, []bool{false, true}, .9)
	if !r.Missed || r.Threshold != .1 {
		t.Errorf("a precision that is not to be had: %+v", r)
	}
}

func TestTrainedVectorOfTheSource(t *testing.T) {
	// Rows 1 and 2 speak for the topic, row 3 against it.
	set := learn.Labelled{
		X: []learn.Vector{
			{Index: []uint32{1, 2}, Value: []float32{3, 4}}, {Index: []uint32{1}, Value: []float32{2}},
			{Index: []uint32{3}, Value: []float32{1}}, {Index: []uint32{3, 2}, Value: []float32{1, 1}},
		},
		Y: []bool{true, true, false, false},
	}
	for _, choose := range []string{"chi2", "ig"} {
		w := vectorWeights(set, 4, &TrainOptions{Choose: choose, Words: 300})
		if w[3] != 0 || w[2] != 0 || w[1] != 1 {
			t.Errorf("%s: weights are %v: row 1 alone is likelier in the topic", choose, w)
		}
		near(t, "cosine", nearVector(w, set.X[0]), 1)
		near(t, "no word of the topic", nearVector(w, set.X[2]), 0)
	}
}

func TestModelFileComesBackWhole(t *testing.T) {
	relevant, other := labelled(120)
	spec := Spec{Terms: terms("football match"), Positions: map[string]float64{"title": 4}, Content: "by_kind"}
	m, _, err := Train(relevant, other, TrainOptions{Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	path := save(t, m)
	back, err := LoadModel(path)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := m.Bytes()
	two, _ := back.Bytes()
	if !bytes.Equal(one, two) || back.Content != "by_kind" || back.Positions["title"] != 4 || back.Terms[0] != "football match" {
		t.Errorf("came back as %+v", back.Description)
	}
	again, _, err := Train(relevant, other, TrainOptions{Spec: spec})
	if err != nil {
		t.Fatal(err)
	}
	if three, _ := again.Bytes(); !bytes.Equal(one, three) {
		t.Error("the same pages give another model")
	}
	line, _, _ := strings.Cut(string(one), "\n")
	if line != "thresher judge 1" {
		t.Errorf("the file begins with %q", line)
	}
}

func TestBadModelFilesAreRefused(t *testing.T) {
	relevant, other := labelled(30)
	m, _, err := Train(relevant, other, TrainOptions{Kind: "bayes"})
	if err != nil {
		t.Fatal(err)
	}
	good, _ := m.Bytes()
	path := filepath.Join(t.TempDir(), "judge.model")
	refused := func(what string, raw []byte, want string) {
		t.Helper()
		if err := os.WriteFile(path, raw, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := LoadModel(path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Fatalf("%s: error is %v, want %q and the file's name", what, err, want)
		}
	}
	for n := 0; n < len(good); n += 7 {
		want := "cut short"
		if n < len(modelMagic) {
			want = "is no model"
		}
		refused(fmt.Sprint("cut to ", n), good[:n], want)
	}
	for i := len(modelMagic) + 2; i < len(good); i += 11 {
		bad := bytes.Clone(good)
		bad[i] ^= 1
		refused(fmt.Sprint("byte turned ", i), bad, "cut short or damaged")
	}
	refused("foreign", []byte("\x89PNG\r\n\x1a\n and so on"), "is no model")
	refused("newer", bytes.Replace(good, []byte("judge 1"), []byte("judge 2"), 1), "a newer thresher wrote it")
	for _, missing := range []string{path, filepath.Join(t.TempDir(), "nowhere")} {
		if _, err := New(Spec{Judge: "classifier", Model: missing}); err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("a topic was made of a bad model: %v", err)
		}
	}
}

func TestTrainRefusesWhatItCannotLearnFrom(t *testing.T) {
	relevant, other := labelled(30)
	blank := []*text.Doc{doc(""), doc("")}
	for _, c := range []struct {
		what            string
		relevant, other []*text.Doc
		o               TrainOptions
		want            string
	}{
		{"one class", relevant, nil, TrainOptions{}, "0 other"},
		{"one page", relevant[:1], other, TrainOptions{}, "1 pages are labelled relevant"},
		{"no text", blank, blank, TrainOptions{}, "no words"},
		{"kind", relevant, other, TrainOptions{Kind: "forest"}, `kind is "forest"`},
		{"choose", relevant, other, TrainOptions{Choose: "luck"}, `chosen by "luck"`},
		{"folds", relevant, other, TrainOptions{Folds: 1}, "1 folds"},
		{"precision", relevant, other, TrainOptions{Precision: math.NaN()}, "precision is NaN"},
		{"spec", relevant, other, TrainOptions{Spec: Spec{Content: "all"}}, `content is "all"`},
	} {
		_, _, err := Train(c.relevant, c.other, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", c.what, err, c.want)
		}
	}
}

func TestMostTellingPagesAreUnsureAndUnlike(t *testing.T) {
	topic := mustNew(t, Spec{Terms: terms("football")})
	docs := []*text.Doc{
		doc("football league goal"), doc("football league goal"), doc("opera music film"), doc("weather report rain"), doc("stock market price"),
	}
	got := topic.MostTelling(docs, []float64{.5, .5, .45, .02, .98}, .5, 3)
	if fmt.Sprint(got) != "[0 2 3]" && fmt.Sprint(got) != "[0 2 4]" {
		t.Errorf("picked %v: want the first unsure page, not its copy, then the other unsure one", got)
	}
	if got := topic.MostTelling(docs[:2], []float64{1, 1}, .5, 10); len(got) != 2 {
		t.Errorf("picked %v of two pages", got)
	}
}
