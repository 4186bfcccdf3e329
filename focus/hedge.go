package focus

import (
	"fmt"
)

// take says from which lane of the frontier the visit's link was taken, and for the hedge's, why.
func (v *Visit) take(lane int) {
	v.lane = lane
	if lane == 1 && v.Item.Via != 0 {
		v.Chosen = fmt.Sprintf("taken in the order of the hedge, where it promised %.4g", v.Item.Alt)
	}
}

// taken tells the strategy, once a visit, from which lane its link was taken: before it hears how the link turned out.
func (st *Steps) taken(v *Visit) {
	if !v.laned {
		v.laned = true
		st.memory.Taken(v.lane)
	}
}
