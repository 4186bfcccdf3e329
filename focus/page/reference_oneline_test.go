package page

import (
	"strings"
	"testing"
)

// TestOneLine: whatever is asked about, the answer is what the words are with one blank between them, and what is so already is not
// written anew.
func TestOneLine(t *testing.T) {
	for _, s := range []string{"", " ", "a", "a b", " a", "a ", "a  b", "a\tb", "a\u00a0b", "\u3000全角 空格", "a\xff b", "\xff", "a \n", "a b ", "  "} {
		if got, want := OneLine(s), strings.Join(strings.Fields(s), " "); got != want {
			t.Errorf("OneLine(%q) = %q, want %q", s, got, want)
		}
	}
	if n := testing.AllocsPerRun(100, func() { OneLine("Research groups of the department, 自动化研究所 的 新闻") }); n > 0 {
		t.Errorf("a line that is one takes %v allocations", n)
	}
}
