package crawlfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A model is looked for beside the file it is named in, be that a strategy's or a crawl's.
func TestModelsStandBesideTheFileThatNamesThem(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "config", "small.layers"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "mine"), 0o755); err != nil {
		t.Fatal(err)
	}
	crawl := "seeds: [https://a.example/]\npolite: {contact: you@example.org}\nstrategy: "
	for name, text := range map[string]string{
		"m.layers": string(raw), "mine/m.layers": string(raw),
		"mine/by-words.yaml": "rank: {use: layers, with: {model: m.layers}}\nselect: rounds\n",
		"path.yaml":          crawl + "mine/by-words.yaml\n",
		"here.yaml":          crawl + "{from: layers, rank: {use: layers, with: {model: m.layers}}}\n",
		"upwards.yaml":       crawl + "{from: layers, rank: {use: layers, with: {model: mine/../m.layers}}}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for file, model := range map[string]string{"path.yaml": "mine/m.layers", "here.yaml": "m.layers", "upwards.yaml": "m.layers"} {
		config, err := Load(filepath.Join(dir, file))
		if err != nil {
			t.Error(err)
			continue
		}
		s, err := config.LoadStrategy(nil)
		if err != nil || len(s.Untrained()) > 0 || !strings.Contains(string(s.YAML()), "model: "+filepath.Join(dir, model)) {
			t.Errorf("%s: %v\n%s", file, err, s.YAML())
		}
		roundTrip(t, config)
	}
}
