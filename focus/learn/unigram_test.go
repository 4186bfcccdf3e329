package learn

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// repeat writes "cours:2 exam:1" out as words.
func repeat(t *testing.T, counts string) []string {
	t.Helper()
	var words []string
	for _, f := range strings.Fields(counts) {
		w, n, ok := strings.Cut(f, ":")
		if !ok || len(n) != 1 {
			t.Fatalf("bad count %q", f)
		}
		words = append(words, slices.Repeat([]string{w}, int(n[0]-'0'))...)
	}
	return words
}

func layers(t *testing.T, n int, smoothing string, lambda float64) *Unigram {
	t.Helper()
	u, err := NewUnigram(n, smoothing, lambda)
	if err != nil {
		t.Fatal(err)
	}
	u.Add(1, repeat(t, "cours:6 homework:4"))
	u.Add(2, repeat(t, "depart:5 cours:1 peopl:4"))
	u.Add(3, repeat(t, "univers:8 depart:2"))
	return u
}

// numbers are the numbers of words.
func numbers(r *Ready, words ...string) (n []int32) {
	for _, w := range words {
		n = append(n, r.Number(w))
	}
	return n
}

func logsOf(u *Unigram, words []string) (logs []float64, known int) {
	logs = make([]float64, len(u.Totals))
	r := u.Ready()
	return logs, r.sum(logs, numbers(r, words...))
}

func classOf(u *Unigram, words ...string) int {
	r := u.Ready()
	return r.Class(numbers(r, words...))
}

func TestLayersOfTheSource(t *testing.T) {
	for _, c := range []struct {
		words string
		want  []float64
		class int
	}{
		{"cours homework", []float64{.24, 1.0 / 75, 7.0 / 225}, 1},
		{"depart cours", []float64{7.0 / 50, 1.0 / 20, 7.0 / 150}, 1}, // the back-off's flaw: class 2 has both words
		{"zzz univers", []float64{4.0 / 15, 4.0 / 15, 4.0 / 5}, 3},
		{"depart peopl cours", []float64{7.0 / 375, 1.0 / 50, 7.0 / 1125}, 2},
	} {
		u := layers(t, 3, "backoff", 0)
		logs, _ := logsOf(u, strings.Fields(c.words))
		for i := range logs {
			near(t, c.words, math.Exp(logs[i]), c.want[i])
		}
		if got := classOf(u, strings.Fields(c.words)...); got != c.class {
			t.Errorf("%s: class %d, want %d", c.words, got, c.class)
		}
	}
	logs, known := logsOf(layers(t, 3, "backoff", 0), []string{"cours", "homework"})
	for i, want := range []float64{-1.427116, -4.317488, -3.470190} {
		near(t, "log", logs[i], want)
	}
	if known != 2 {
		t.Errorf("%d words known, want 2", known)
	}
	if got := classOf(layers(t, 9, "backoff", 0), "zzz"); got != 9 {
		t.Errorf("no evidence: class %d, want the farthest", got)
	}
}

// A word that stands in the second and third of four classes of 11, 5, 9 and 2 words is 2 of 27 in the others.
func TestBackOffOfFourClasses(t *testing.T) {
	u, err := NewUnigram(4, "backoff", 0)
	if err != nil {
		t.Fatal(err)
	}
	for class, words := range []string{"course:6 homework:5", "people:1 department:4", "people:1 university:8", "campus:2"} {
		u.Add(class+1, repeat(t, words))
	}
	logs, _ := logsOf(u, []string{"people"})
	for i, want := range []float64{.0741, .2, .1111, .0741} {
		if have := math.Exp(logs[i]); math.Abs(have-want) > 5e-5 {
			t.Errorf("class %d: %.4f, want %.4f", i+1, have, want)
		}
	}
}

func TestJelinekMercerRewardsWordsThatAreThere(t *testing.T) {
	u := layers(t, 3, "jm", .9)
	logs, _ := logsOf(u, []string{"depart", "cours"})
	near(t, "class 1", math.Exp(logs[0]), (.1*7/30)*(.9*.6+.1*7/30))
	near(t, "class 2", math.Exp(logs[1]), (.9*.5+.1*7/30)*(.9*.1+.1*7/30))
	if got := classOf(u, "depart", "cours"); got != 2 {
		t.Errorf("class %d, want 2: it has both words", got)
	}
}

func TestUnigramRefusesNonsense(t *testing.T) {
	for want, make := range map[string]func() (*Unigram, error){
		"smoothing is": func() (*Unigram, error) { return NewUnigram(3, "laplace", 0) },
		"0 classes":    func() (*Unigram, error) { return NewUnigram(0, "jm", .9) },
		"lambda is N":  func() (*Unigram, error) { return NewUnigram(3, "jm", math.NaN()) },
		"lambda is 1":  func() (*Unigram, error) { return NewUnigram(3, "jm", 1) },
	} {
		if _, err := make(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error is %v, want %s", err, want)
		}
	}
}

func TestModelsAreSavedAsTheyAre(t *testing.T) {
	u := layers(t, 9, "jm", .9)
	raw, err := json.Marshal(u)
	if err != nil {
		t.Fatal(err)
	}
	var back Unigram
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(u, &back) {
		t.Errorf("came back as %+v", back)
	}
}

// contextGraph has two layers of the words w1 and w2, counted 3:1 and 1:3, in one document each.
func contextGraph(t *testing.T) *Bayes {
	b := NewBayes(2, 1)
	b.Add(0, repeat(t, "w1:3 w2:1"))
	b.Add(1, repeat(t, "w1:1 w2:3"))
	return b
}

func TestContextGraphLayers(t *testing.T) {
	b := contextGraph(t)
	joint := b.joint([]string{"w1", "w1", "w2", "never seen"})
	near(t, "joint 0", math.Exp(joint[0]), .074074)
	near(t, "joint 1", math.Exp(joint[1]), .037037)
	p, best := b.Posterior([]string{"w1", "w1", "w2"})
	near(t, "posterior", p[0], .666667)
	if best != 0 {
		t.Errorf("winner is %d", best)
	}
	if p[best] < .6 || p[best] >= .7 {
		t.Errorf("posterior %v is not between the thresholds .6 (layer 0) and .7 (other)", p[best])
	}
	empty, _ := NewBayes(4, 1).Posterior([]string{"w1"})
	near(t, "nothing seen", empty[3], .25)
}

func BenchmarkUnigramClass(b *testing.B) {
	u, err := NewUnigram(9, "backoff", 0)
	if err != nil {
		b.Fatal(err)
	}
	words := strings.Fields("cours homework depart peopl univers syllabu exam note lectur")
	for i, w := range words {
		u.Add(i+1, []string{w, words[(i+1)%len(words)]})
	}
	r := u.Ready()
	text := numbers(r, words...)
	b.ReportAllocs()
	for b.Loop() {
		r.Class(text)
	}
}
