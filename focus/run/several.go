package run

import (
	"fmt"
	"strings"
)

// Several is a number of things, as people say it: 1 page, 2 pages, 3 addresses, 4 queries.
func Several(n int, thing string) string {
	switch stem, y := strings.CutSuffix(thing, "y"); {
	case n == 1:
	case y:
		thing = stem + "ies"
	case strings.HasSuffix(thing, "s"):
		thing += "es"
	default:
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
