package rank

import (
	"fmt"
	"strings"
)

// Explain zips the tree with its numbers into lines for a person.
func (s *Strategy) Explain(numbers []float32) string {
	if len(numbers) != len(s.nodes) {
		return fmt.Sprintf("%d numbers for the %d nodes of strategy %s: the link was scored by another strategy\n", len(numbers), len(s.nodes), s.Name)
	}
	var b strings.Builder
	for i, n := range s.nodes {
		if i > 0 && i == s.hedge {
			b.WriteString("hedge\n")
		}
		fmt.Fprintf(&b, "%-8s %s%s", number(numbers[i]), strings.Repeat("  ", n.Depth), n.Name)
		if n.Use != n.Name {
			fmt.Fprintf(&b, " (%s)", n.Use)
		}
		if n.Over != "" {
			fmt.Fprintf(&b, ", %s over all links", n.Over)
		}
		if n.Weight != 1 {
			fmt.Fprintf(&b, " ×%g", n.Weight)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// number is a number of an explanation; a dash stands for "no evidence".
func number(v float32) string {
	if v != v {
		return "–"
	}
	return fmt.Sprintf("%.4g", v)
}
