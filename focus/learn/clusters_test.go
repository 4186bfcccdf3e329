package learn

import (
	"fmt"
	"slices"
	"testing"
)

func TestTheBanditsBonus(t *testing.T) {
	const alpha = 2.8284271247461903
	for _, v := range []struct {
		mean       float64
		own, tries int
		want       float64
	}{{1.5, 4, 10, 3.645966}, {3, 10, 100, 4.919410}, {2, 1, 1, 2}, {2, 0, 0, 2}} {
		bonus, value := UpperBound(v.mean, alpha, v.own, v.tries)
		near(t, fmt.Sprintf("mean %v, %d of %d tries", v.mean, v.own, v.tries), value, v.want)
		near(t, "its bonus", bonus, v.want-v.mean)
	}
}

func TestPathsThatAreAlikeComeTogether(t *testing.T) {
	c := NewClusters(.75)
	list := []string{"body/div.main/div.box/ul/li", "body/div.main/div.box/ul/li/b", "body/div.top/p", "body/div.main/div.box/ul/li.last", "a"}
	var got []int
	for _, path := range list {
		cluster, fresh := c.Of(path)
		if !fresh {
			t.Errorf("%s came twice", path)
		}
		got = append(got, cluster)
	}
	if want := []int{0, 0, 1, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("clusters %v, want %v", got, want)
	}
	if again, fresh := c.Of(list[1]); again != 0 || fresh {
		t.Errorf("a known path is in %d, fresh %v", again, fresh)
	}
	if c.Name(1) != "body/div.top/p" || c.Len() != 3 || !slices.Equal(c.Paths(), list) {
		t.Errorf("%d clusters, the second called %s; paths %v", c.Len(), c.Name(1), c.Paths())
	}
	if each := NewClusters(1); true {
		for i, path := range list {
			if got, _ := each.Of(path); got != i {
				t.Errorf("with alike 1, %s is in %d", path, got)
			}
		}
	}
}

func TestGuessLearnsSpelling(t *testing.T) {
	g := NewGuess(10, .5)
	if _, ok := g.Probability("/sport/1.html"); ok {
		t.Error("it guesses before it has learned")
	}
	for i := range 400 {
		g.Add(fmt.Sprintf("http://a.example/sport/%d.html", i), true)
		g.Add(fmt.Sprintf("http://a.example/money/%d.html", i), false)
		if i == 4 {
			if _, ok := g.Probability("x"); !ok {
				t.Error("the first batch is full and it does not guess")
			}
		}
	}
	sport, _ := g.Probability("http://a.example/sport/999.html")
	money, _ := g.Probability("http://a.example/money/999.html")
	if !(sport > .8 && money < .2) {
		t.Errorf("sport %.3f, money %.3f", sport, money)
	}
	g.Add("half a batch", true)
	again := NewGuess(10, .5)
	if !again.Restore(g.State()) {
		t.Fatal("its own state is refused")
	}
	for i := range 15 {
		g.Add(fmt.Sprint(i), i%2 == 0)
		again.Add(fmt.Sprint(i), i%2 == 0)
	}
	if !slices.Equal(g.weights, again.weights) || !slices.Equal(g.waiting, again.waiting) {
		t.Error("restored, it learns something else")
	}
	if again.Restore(GuessState{Index: []uint32{1 << 20}, Weight: []float32{1}}) || again.Restore(GuessState{Index: []uint32{1}}) {
		t.Error("a damaged state is accepted")
	}
}
