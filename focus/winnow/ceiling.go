package winnow

// Ceiling is F1 of what could be kept of a run at the most: by a judge that has learned what is true of four fifths of its pages,
// at its best threshold, on the rest. truth tells it of pages by their numbers; others are left out. Relevant pages that were not
// kept for a second look are missed. ok is false where there is nothing to learn.
func Ceiling(dir string, folders []string, truth map[uint64]bool) (f1 float64, ok bool, err error) {
	o, err := optionsOf(dir, folders)
	if err != nil {
		return 0, false, err
	}
	s, err := linked(folders, &o)
	if err != nil {
		return 0, false, err
	}
	m := material{keys: s.keys, wordings: s.wordings}
	var is []bool
	relevant, at := 0, map[int]int{}
	for i := range s.pages {
		if yes, known := truth[s.pages[i].ID]; known {
			at[i] = len(m.pages)
			m.pages, m.links, is = append(m.pages, s.pages[i]), append(m.links, s.links[i]), append(is, yes)
			if yes {
				relevant++
			}
		}
	}
	if relevant < leastSure || len(m.pages)-relevant < leastSure {
		return 0, false, nil
	}
	m.texts = func(take func(int, string) error) error {
		return s.readTexts(func(i int, text string) error {
			if n, known := at[i]; known {
				return take(n, text)
			}
			return nil
		})
	}
	missed := 0
	for id, yes := range truth {
		if _, looked := s.at[id]; yes && !looked {
			missed++
		}
	}
	f1, err = mostOf(&m, is, missed, &o)
	return f1, err == nil, err
}
