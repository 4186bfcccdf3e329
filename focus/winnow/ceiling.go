package winnow

// Ceiling is F1 of what could be kept of a run at the most: by a judge that has learned what is true of four fifths of its pages,
// at its best threshold, on the rest. truth tells it of pages by their numbers; others are left out. Relevant pages that were not
// kept for a second look are missed. ok is false where there is nothing to learn.
func Ceiling(dir string, folders []string, truth map[uint64]bool) (f1 float64, ok bool, err error) {
	o, err := optionsOf(dir, folders)
	if err != nil {
		return 0, false, err
	}
	s, err := gather(folders, &o, true)
	if err != nil {
		return 0, false, err
	}
	var pages []Page
	var is []bool
	relevant := 0
	for i := range s.pages {
		if yes, known := truth[s.pages[i].ID]; known {
			pages, is = append(pages, s.pages[i]), append(is, yes)
			if yes {
				relevant++
			}
		}
	}
	if relevant < leastSure || len(pages)-relevant < leastSure {
		return 0, false, nil
	}
	missed := 0
	for id, yes := range truth {
		if _, looked := s.at[id]; yes && !looked {
			missed++
		}
	}
	f1, err = Most(pages, is, missed, o)
	return f1, err == nil, err
}
