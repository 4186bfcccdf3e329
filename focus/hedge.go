package focus

import "fmt"

// take says from which lane of the frontier the visit's link was taken, and for the hedge's, why.
func (v *Visit) take(lane int) {
	v.lane = lane
	if lane == 1 && v.Item.Via != 0 {
		v.Chosen = fmt.Sprintf("taken in the order of the hedge, where it promised %.4g", v.Item.Alt)
	}
}
