package admit

import "testing"

// A page that a hook objects to says why it was refused first; one that is merely weak says both, or a second look would keep it.
func TestAVetoIsNotForgotten(t *testing.T) {
	for _, c := range []struct{ was, want Refused }{
		{"", "veto: too short"},
		{RefusedWeak, "not relevant: veto: too short"},
		{RefusedNoIndex, RefusedNoIndex},
		{"veto: an advert", "veto: an advert"},
		{"not relevant: veto: an advert", "not relevant: veto: an advert"},
	} {
		if got := c.was.Vetoed("too\n short"); got != c.want {
			t.Errorf("%q, vetoed: %q, want %q", c.was, got, c.want)
		}
	}
}
