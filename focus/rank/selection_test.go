package rank

import (
	"reflect"
	"strings"
	"testing"
)

func TestASelectionIsAWordOrHasParameters(t *testing.T) {
	s := load(t, "rank: {use: anchor}\nselect: {use: genetic, with: {crossover: pairs, pc: 0.8, pm: 0.2}}\n")
	if g := *s.Select.Params.(*Genetic); s.Select.Use != "genetic" || g.Crossover != "pairs" || g.Pc != 0.8 || g.P0 != 2 || !s.Select.Holds() {
		t.Errorf("have %+v", s.Select)
	}
	again := load(t, string(s.YAML()))
	if !reflect.DeepEqual(again.Select, s.Select) || again.Fingerprint() != s.Fingerprint() {
		t.Errorf("written down and read again it is %+v, was %+v:\n%s", again.Select, s.Select, s.YAML())
	}
	plain := load(t, "rank: {use: anchor}\nselect: rounds\n")
	if plain.Select.Params.(*Rounds).Queues != 9 || !plain.Select.Holds() || load(t, "rank: {use: anchor}\nselect: lifo\n").Select.Holds() {
		t.Errorf("have %+v", plain.Select)
	}
	if plain.Fingerprint() == load(t, "rank: {use: anchor}\nselect: {use: rounds, with: {queues: 3}}\n").Fingerprint() {
		t.Error("another number of queues is another strategy")
	}
	if !strings.Contains(string(load(t, "rank: {use: anchor}\nselect: {use: fifo}\n").YAML()), "select: fifo\n") {
		t.Error("a rule without parameters is not written as a word")
	}
}

func TestSelectionsNamePlaceAndCure(t *testing.T) {
	for yaml, want := range map[string]string{
		"select: bset":                                      `s.yaml:1:9: strategy.select: unknown word "bset"; did you mean "best"?`,
		"select: {use: gentic}":                             `s.yaml:1:15: strategy.select.use: unknown word "gentic"; did you mean "genetic"?`,
		"select: {use: best, with: {x: 1}}":                 "strategy.select.with: best has no parameters; take it out",
		"select: {with: {x: 1}}":                            "strategy.select: has no use; write select:",
		"select: {use: rounds, queues: 3}":                  "strategy.select.queues: unknown key",
		"select: {use: rounds, with: {queue: 3}}":           `strategy.select.with.queue: unknown key; did you mean "queues"?`,
		"select: {use: rounds, with: {queues: 0}}":          "strategy.select.with.queues: is 0, want 1 to 1000",
		"select: {use: genetic, with: {pc: 0.5}}":           "strategy.select.with.pc: and pm are 0.6 together, want 1",
		"select: {use: genetic, with: {pc: .nan}}":          "strategy.select.with.pc: is .nan, want 0 to 1",
		"select: {use: genetic, with: {crossover: halves}}": "strategy.select.with.crossover: unknown word",
		"select: {use: groups, with: {batch: 0}}":           "strategy.select.with.batch: is 0, want 1 to 100000",
		"select: {use: groups, with: {queues: 9}}":          "strategy.select.with.queues: unknown key",
		"select: [best]":                                    "strategy.select: is a list, want one of best",
	} {
		_, err := Load("s.yaml", []byte(yaml+"\nrank: {use: anchor}\n"), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\nhave %v\nwant %s", yaml, err, want)
		}
	}
}
