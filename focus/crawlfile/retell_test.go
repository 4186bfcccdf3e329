package crawlfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRetellLeavesTheFileAsItsWriterWroteIt(t *testing.T) {
	for _, c := range []struct{ have, want string }{
		{"topic:\n  # mine\n  terms:\n    - solar   # the best\n    - wind # out\n    - {term: sun, weight: 0.5}\n  # how much\n  threshold: 0.3\nseeds: [https://a.example/]\n",
			"topic:\n  # mine\n  terms:\n    - solar   # the best\n    - {term: sun, weight: 0.5}\n    - {term: heat pump, weight: 1}\n    - {term: 光伏, weight: -0.5}\n  # how much\n  threshold: 0.3\nseeds: [https://a.example/]\n"},
		{"topic: {terms: [solar, wind]} # short\nseeds: [https://a.example/]\n", "topic: {terms: [solar, heat pump, {term: 光伏, weight: -0.5}]} # short\nseeds: [https://a.example/]\n"},
		{"topic:\n    terms: [ wind,   solar ]     # two words\nseeds: [https://a.example/]\n", "topic:\n    terms: [ solar, heat pump, {term: 光伏, weight: -0.5} ]     # two words\nseeds: [https://a.example/]\n"},
		{"topic:\n  about: solar power\n  language: en\nseeds: [https://a.example/]\n", "topic:\n  terms:\n    - {term: heat pump, weight: 1}\n    - {term: 光伏, weight: -0.5}\n  about: solar power\n  language: en\nseeds: [https://a.example/]\n"},
		{"topic:\r\n  terms:\r\n  - {term: solar}\r\n  - {term: wind,\r\n     weight: 2}\r\nseeds: [https://a.example/]\r\n",
			"topic:\r\n  terms:\r\n  - {term: solar}\r\n  - {term: heat pump, weight: 1}\r\n  - {term: 光伏, weight: -0.5}\r\nseeds: [https://a.example/]\r\n"},
	} {
		file := crawlFile(t, c.have)
		if err := Retell(file, []byte(c.have), []TermConfig{{"heat pump", 1}, {"光伏", -.5}}, []string{"wind"}); err != nil {
			t.Errorf("%s: %v", c.have, err)
		}
		if have, _ := os.ReadFile(file); string(have) != c.want {
			t.Errorf("have\n%s\nwant\n%s", have, c.want)
		}
	}
}

func TestRetellWritesNothingRatherThanSomethingElse(t *testing.T) {
	good := "topic: {terms: [solar]}\nseeds: [https://a.example/]\n"
	for what, c := range map[string]struct{ read, there, says string }{
		"a file edited meanwhile":       {good, good + "# mine\n", "meanwhile"},
		"a list by another name":        {"topic:\n  terms: *t\nengines: &t [solar=https://a.example]\nseeds: [https://a.example/]\n", "", "nothing was written"},
		"a list in braces without room": {"topic: {about: solar power}\nseeds: [https://a.example/]\n", "", "braces"},
		"a file that is wrong by now":   {"topic: {termz: [solar]}\n", "", "termz"},
	} {
		if c.there == "" {
			c.there = c.read
		}
		file := crawlFile(t, c.there)
		err := Retell(file, []byte(c.read), []TermConfig{{"heat pump", 1}}, nil)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "- {term: heat pump, weight: 1}") {
			t.Errorf("%s: %v", what, err)
		}
		if after, _ := os.ReadFile(file); string(after) != c.there {
			t.Errorf("%s: the file is now %s", what, after)
		}
	}
	web, err := filepath.Abs(filepath.Join("..", "..", "testdata", "config", "tiny-web"))
	if err != nil {
		t.Fatal(err)
	}
	recorded := "web: " + web + "\nweb_topic: solar\n"
	err = Retell(crawlFile(t, recorded), []byte(recorded), []TermConfig{{"heat pump", 1}}, nil)
	if err == nil || !strings.Contains(err.Error(), "web_topic: takes the terms from a recorded web") || strings.Contains(err.Error(), "by hand, below topic") {
		t.Errorf("terms beside web_topic: %v", err)
	}
	file := crawlFile(t, good)
	if err := Retell(file, []byte(good), nil, []string{"solar"}); err == nil {
		t.Error("the only term was taken out")
	}
}
