package drawn

// dice are a source of chance (splitmix64) that gives the same numbers on every machine and with every version of Go:
// drawn webs are compared byte for byte.
type dice struct{ state uint64 }

func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// share is a number in [0,1).
func (d *dice) share() float64 { return float64(d.next()>>11) / (1 << 53) }

// below is a number from 0 to n-1.
func (d *dice) below(n int) int { return int(d.next() % uint64(n)) }

// between is a number from low to high.
func (d *dice) between(low, high int) int { return low + d.below(high-low+1) }

// chance is true with probability p.
func (d *dice) chance(p float64) bool { return d.share() < p }

// fork is a source of its own, so that what one thing is drawn with does not depend on what was drawn before it.
func (d *dice) fork(n int) *dice { return &dice{state: d.state ^ uint64(n+1)*0xd1342543de82ef95} }

// pick is one of a list.
func pick[T any](d *dice, list []T) T { return list[d.below(len(list))] }

// some are up to n of a list, each once, in the order they were drawn.
func some[T any](d *dice, list []T, n int) []T {
	n = min(n, len(list))
	at := make(map[int]bool, n)
	chosen := make([]T, 0, n)
	for len(chosen) < n {
		if i := d.below(len(list)); !at[i] {
			at[i] = true
			chosen = append(chosen, list[i])
		}
	}
	return chosen
}
