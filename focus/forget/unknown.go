package forget

import (
	"fmt"
	"strings"
)

// Unknown tells of hosts of which a run has no address: it never met them, or forgot them before.
type Unknown struct{ Hosts []string }

func (u *Unknown) Error() string {
	return fmt.Sprintf("the run knows no address on %s: 'thresher etiquette' shows its hosts, and 'thresher block' keeps one out that it has not met", strings.Join(u.Hosts, ", "))
}
