package run

import "testing"

// A run that goes on has no second look any more until it ends, whatever the figures of the last one said; what an audit said is left to
// whoever knows whether the harvest is another.
func TestARunThatGoesOnHasNoSecondLook(t *testing.T) {
	f, err := OpenFolder(t.TempDir(), Standing{Name: "tea"})
	noError(t, err)
	defer f.Close()
	noError(t, (&Figures{Look: &Look{Kept: 3}, Audited: "3-of"}).Write(f.Dir))
	noError(t, f.Begin([]byte("name: shark\n")))
	if now, err := ReadFigures(f.Dir); err != nil || now.Look != nil || now.Audited != "3-of" {
		t.Errorf("%v: %+v", err, now)
	}
}
