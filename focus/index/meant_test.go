package index

import "testing"

// TestMeant holds that a query with a word that no page has is told with the word that is written most like it.
func TestMeant(t *testing.T) {
	h := small(t)
	h.keep("http://tea.example.com/hills", article("Garden of hills", "Hills and tea."))
	c, _ := opened(t, h.dir)
	for query, want := range map[string]string{
		"graden":                         "garden",
		"tea gardn -coffee":              "tea garden -coffee",
		"Growwing site:x.test":           "growing site:x.test",
		"oxidised":                       "", // there
		"teb":                            "", // too short to tell
		"hilll2":                         "", // a name
		"zzzzzzzz":                       "",
		"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz": "", // as long as may be
		"здравствуйте":                   "",
		"张益糖":                            "",
		`"graden"`:                       "", // as it stands, or not at all
		"premiumm leaves assamm":         "prémium leaves assam",
		"gardn.example.com/tea":          "garden.example.com/tea",
		"gardnings gardn":                "gardnings garden",
		"site:gardn.test gardn":          "site:gardn.test garden",
		`"green gardn" gardn`:            `"green gardn" garden`,
		"-gardn gardn":                   "-gardn garden",
		"gardn gardn":                    "garden garden",
		"gard\u00adn":                    "garden", // a hyphen that nobody sees
		"红茶gardn茶":                       "红茶garden茶",
	} {
		if got := asked(t, c, query).Meant; got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// TestMeantIsThere: a word that was on pages alone that are gone leads nowhere.
func TestMeantIsThere(t *testing.T) {
	h := small(t)
	last := h.keep("http://tea.example.com/hills", article("Garden of hills", "Hills and tea."))
	gone := false
	c, _ := opened(t, h.dir, Options{Kept: func() (Kept, error) {
		return func(id uint64) (float64, bool) { return 0, !gone || id != last }, nil
	}})
	for _, want := range []string{"garden", ""} {
		if got := asked(t, c, "gardn").Meant; got != want {
			t.Errorf("the page gone %v: %q, want %q", gone, got, want)
		}
		gone = true
		updated(t, c)
	}
}
