package winnow

import (
	"net/url"
	"path"
	"slices"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/learn"
)

// What a list is. A page that says what a single other one says may as well be a chapter beside the whole book, and stays.
const (
	listSaid     = .85 // of a list, at least, is said by the kept pages that it leads to
	listOnePage  = .75 // of it, at most, is said by one of them
	leastSaying  = 6   // passages; of fewer nothing is known
	commonFrom   = 4   // so many pages and one in so many of those that it leads to say their frame, and not their own
	leastShelved = 3   // lists in a directory; from then on a page there that says what a single other one says is one, too
)

// lists finds lists among the pages that are kept.
type lists struct {
	pages    []Page
	passages [][]uint64     // of the pages that are kept and no lists; see junk.Passages
	at       map[uint64]int // by key of an address
	shelf    map[string]int // lists by directory
}

// best keeps the best pages, so many that repeat no others.
func (r *Report) best(n int, s *sheaf, o *Options) {
	for of, kept := n, 0; ; of += n - kept {
		r.Top(of, s.pages, o.Labels)
		r.leaveCopies(s, o)
		if kept = r.kept(); kept >= n || of >= len(s.pages) {
			break
		}
	}
	r.from = r.least(s.pages, o.Labels)
}

// kept is how many of the pages that were looked at are kept.
func (r *Report) kept() (n int) {
	for i := range r.Verdicts {
		if r.Verdicts[i].Kept {
			n++
		}
	}
	return n
}

// leaveCopies leaves out what comes in and repeats a page that is kept, and the lists of pages that are kept.
func (r *Report) leaveCopies(s *sheaf, o *Options) {
	there := map[string]bool{}
	for i, v := range r.Verdicts {
		if v.Kept && v.Before {
			there[s.digest[i]] = true
		}
	}
	for i := range r.Verdicts {
		if v := &r.Verdicts[i]; v.Kept && !v.Before {
			v.Kept = !there[s.digest[i]]
			there[s.digest[i]] = true
		}
	}
	r.leaveLists(s, o)
	r.count()
}

// leaveLists takes the lists out of what is kept: in a blog each text stands on the pages of its day, its tags and its author, too.
// Who wants pages that repeat others wants these, and what somebody has said is relevant stays.
func (r *Report) leaveLists(s *sheaf, o *Options) {
	for i := range r.Verdicts {
		r.Verdicts[i].List = false
	}
	if o.copies {
		return
	}
	l, single := r.listsAmong(s), []int{}
	for i := range s.pages {
		address := s.pages[i].URL
		if len(l.passages[i]) < leastSaying || o.Labels[address] || slices.Contains(o.Examples, address) {
			continue
		}
		switch said, most := l.said(i); {
		case said < listSaid:
		case most > listOnePage:
			single = append(single, i)
		default:
			l.leave(r, i)
		}
	}
	for _, i := range single {
		if l.shelf[directory(s.pages[i].URL)] >= leastShelved {
			l.leave(r, i)
		}
	}
}

// listsAmong is what lists are found by among the pages that are kept.
func (r *Report) listsAmong(s *sheaf) *lists {
	l := &lists{pages: s.pages, passages: make([][]uint64, len(s.pages)), at: map[uint64]int{}, shelf: map[string]int{}}
	learn.Each(len(s.pages), func(i int) {
		if r.Verdicts[i].Kept {
			l.passages[i] = s.passagesOf(i)
		}
	})
	for i := range s.pages {
		if !r.Verdicts[i].Kept {
			continue
		}
		for _, k := range s.pages[i].Keys {
			if _, taken := l.at[k]; !taken {
				l.at[k] = i
			}
		}
	}
	return l
}

// passagesOf are the passages of a page; they are worked out once.
func (s *sheaf) passagesOf(i int) []uint64 {
	if s.passages[i] == nil {
		s.passages[i] = junk.Passages(s.pages[i].Title, s.pages[i].Text)
	}
	return s.passages[i]
}

func (l *lists) leave(r *Report, i int) {
	r.Verdicts[i].Kept, r.Verdicts[i].List = false, true
	l.passages[i] = nil // what it says is said by others alone from now on
	l.shelf[directory(l.pages[i].URL)]++
}

// directory is where a page stands by its address: /tag/keel/ beside /tag/jib/.
func directory(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host + path.Dir(path.Clean(u.Path))
}

// leadsTo are the pages that are kept and no lists to which a page leads, each once.
func (l *lists) leadsTo(i int) (to []int) {
	for _, link := range l.pages[i].Links {
		if n, ok := l.at[link.To]; ok && n != i && l.passages[n] != nil {
			to = append(to, n)
		}
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// said is how much of a page the kept pages say that it leads to, and how much one of them at the most. What many of them say is their
// frame, and counts as nothing that is said.
func (l *lists) said(i int) (all, most float64) {
	to, own := l.leadsTo(i), l.passages[i]
	by := make([]int, len(own)) // how many pages say each passage
	for _, n := range to {
		both(own, l.passages[n], func(at int) { by[at]++ })
	}
	frame := max(commonFrom, len(to)/commonFrom+1)
	saying, there := 0, 0
	for _, pages := range by {
		if pages < frame {
			saying++
			there += min(pages, 1)
		}
	}
	if saying < leastSaying {
		return 0, 0
	}
	for _, n := range to {
		alone := 0
		both(own, l.passages[n], func(at int) {
			if by[at] < frame {
				alone++
			}
		})
		most = max(most, float64(alone)/float64(saying))
	}
	return float64(there) / float64(saying), most
}

// both calls a function with the place in a of each number that stands in b, too. Both are in order.
func both(a, b []uint64, each func(at int)) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			each(i)
			i, j = i+1, j+1
		}
	}
}
