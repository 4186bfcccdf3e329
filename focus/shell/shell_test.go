package shell

import (
	"os/exec"
	"testing"
)

var words = map[string]string{"runs/sailing-2": "runs/sailing-2", "帆船/Ärger.yaml": "帆船/Ärger.yaml", "": "''", "my topic.yaml": "'my topic.yaml'", "it's": `'it'\''s'`,
	"a;b": "'a;b'", "$HOME": "'$HOME'", "~": "'~'", "a\nb": "'a\nb'", "key=v,w@x:80%+": "key=v,w@x:80%+"}

func TestWord(t *testing.T) {
	for word, want := range words {
		if got := Word(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

// A shell reads every word as it was.
func TestAShellReadsTheSame(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	for word := range words {
		if got, err := exec.Command(sh, "-c", "printf %s "+Word(word)).Output(); err != nil || string(got) != word {
			t.Errorf("%q is read as %q: %v", word, got, err)
		}
	}
}
