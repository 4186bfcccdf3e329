package again

import "math"

// The rates of the pages of one template are spread around one of their own, those of the templates of a host around that of the host,
// and hosts around one of all (a lognormal each time). How far, the pages themselves tell: where those of a template differ as
// much as any others, it says little of them. Rates are counted in doublings, as the places of a belief are.
//
// All, hosts, templates and pages are a tree, so that what is believed of each follows exactly from messages: each page tells its
// template how likely what it has shown is at each rate of the template (up), templates tell hosts the same, and on the way back
// each is told what the others of its kind have come to (down), with its own message taken out, or it would hear itself. How far
// rates are spread is then set to what these beliefs make most likely, and so on for a few rounds (expectation maximization).
type spread struct{ middle, hosts, templates, pages float64 } // the rate of all, and variances

// supposed is what is supposed before anything is known: a month apart, and within a factor of three or so each time.
var supposed = spread{middle: 12, hosts: 2, templates: 2, pages: 2}

const (
	weighs = 2    // with how many observations' weight the spread is what was supposed
	odd    = .001 // how likely it is that something is not like its kin at all: without it, one hourly page among yearly ones would be impossible
	rounds = 6    // how often spread and rates are told of each other
)

// tie is how a group and its members hang together: how likely a member has each rate, by the rate of the group, and the same by
// the rate of the member.
type tie struct{ byGroup, byMember [steps]belief }

func tied(variance float64) (t tie) {
	for i := range t.byGroup {
		t.byGroup[i] = around(float64(i), variance)
		for k, p := range t.byGroup[i] {
			t.byMember[k][i] = p
		}
	}
	return t
}

// around is a belief in rates about one.
func around(middle, variance float64) (b belief) {
	variance = max(variance, .01) // narrower, and a middle between two steps would be nowhere
	for i := range b {
		d := float64(i) - middle
		b[i] = math.Exp(-d * d / 2 / variance)
	}
	b = b.whole()
	for i := range b {
		b[i] = (1-odd)*b[i] + odd/steps
	}
	return b
}

// up is what a member says of its group: how likely what it has shown is at each rate of the group.
func (t *tie) up(says *belief) belief { return sum(&t.byMember, says).whole() }

// down is what a group says of a member.
func (t *tie) down(is *belief) belief { return sum(&t.byGroup, is) }

// sum adds up rows as far as each counts, three at a time, so that what is added to is fetched and put back seldomer. No addition
// waits for that of another rate.
func sum(rows *[steps]belief, counts *belief) (b belief) {
	const _ = uint(0 - steps%3) // does not compile where rows would be left over
	for i := 0; i < steps; i += 3 {
		p, q, r := counts[i], counts[i+1], counts[i+2]
		first, second, third := &rows[i], &rows[i+1], &rows[i+2]
		for k := range b {
			b[k] = b[k] + p*first[k] + q*second[k] + r*third[k]
		}
	}
	return b
}

// apart is the mean square of how far a member is from its group, by what the group is believed to be without this member (is) and what
// the member has shown (says); every pair of rates counts as much as the two together make it likely.
func (t *tie) apart(is, says *belief) (square float64) {
	sum := 0.
	for i, p := range is {
		if p < 1e-4 {
			continue
		}
		for k, q := range t.byGroup[i] {
			d, pair := float64(i-k), p*q*says[k]
			sum, square = sum+pair, square+pair*d*d
		}
	}
	return square / sum
}

// group is a template or a host.
type group struct {
	in    int    // the host of a template
	looks int    // members that were looked at, or have such
	says  belief // how likely all is that its members have shown
	up    belief // what that says of what the group is in
	is    belief // what it is believed to be
}

// Rates are how often some pages change.
type Rates struct {
	spread           spread
	says             []belief // how likely is what was seen of a page
	ups              []belief // what that says of its template
	place            []int    // where that stands, by page; -1 of a page that was not looked at
	template         []int    // by page
	templates, hosts []group
	ofHost, ofPage   tie // a template to its host, and a page to its template
}

// Learn says how often pages change. A page is believed to be like those of its template, until its own visits say otherwise; a
// template of which little is known, like its host; a host, like all.
func Learn(pages []Past) *Rates { return learn(pages, supposed, rounds) }

func learn(pages []Past, s spread, rounds int) *Rates {
	r := &Rates{spread: s, place: make([]int, len(pages)), template: make([]int, len(pages))}
	hosts, templates := map[string]int{}, map[[2]string]int{}
	for i := range pages {
		p := &pages[i]
		h := numbered(hosts, p.Host, &r.hosts)
		r.template[i] = numbered(templates, [2]string{p.Host, p.Template}, &r.templates)
		r.templates[r.template[i]].in, r.place[i] = h, -1
		if len(p.Looks) > 0 {
			r.place[i] = len(r.says)
			r.says = append(r.says, likely(p.Looks))
		}
	}
	r.ups = make([]belief, len(r.says))
	r.tell()
	for range rounds {
		r.spread = r.spreads()
		r.tell()
	}
	return r
}

// numbered is the place of a group in the list, where a new one is put.
func numbered[K comparable](places map[K]int, key K, in *[]group) int {
	i, ok := places[key]
	if !ok {
		i = len(*in)
		places[key], *in = i, append(*in, group{})
	}
	return i
}

// tell tells templates and hosts what their pages have shown, and then what the others have.
func (r *Rates) tell() {
	r.ofHost, r.ofPage = tied(r.spread.templates), tied(r.spread.pages)
	for _, all := range [][]group{r.hosts, r.templates} {
		for i := range all {
			all[i].says, all[i].looks = even, 0
		}
	}
	for i, place := range r.place {
		if place >= 0 {
			r.ups[place] = r.ofPage.up(&r.says[place])
			r.templates[r.template[i]].hear(&r.ups[place])
		}
	}
	for i := range r.templates {
		if t := &r.templates[i]; t.looks > 0 {
			t.up = r.ofHost.up(&t.says)
			r.hosts[t.in].hear(&t.up)
		}
	}
	all := around(r.spread.middle, r.spread.hosts)
	for i := range r.hosts {
		r.hosts[i].is = all.and(&r.hosts[i].says)
	}
	for i := range r.templates {
		t := &r.templates[i]
		others := r.others(t)
		is := r.ofHost.down(&others)
		t.is = is.and(&t.says)
	}
}

// hear takes in what a member says.
func (g *group) hear(up *belief) {
	g.says = g.says.and(up)
	g.looks++
}

// even believes in all rates alike.
var even = around(0, math.Inf(1))

// others is what the host of a template is believed to be, but for what this template says, which must not be heard twice.
func (r *Rates) others(t *group) belief {
	is := r.hosts[t.in].is
	if t.looks > 0 {
		is = is.but(&t.up)
	}
	return is
}

// kin is what the template of a page is believed to be, but for what this page says.
func (r *Rates) kin(page int) belief {
	is := r.templates[r.template[page]].is
	if place := r.place[page]; place >= 0 {
		is = is.but(&r.ups[place])
	}
	return is
}

// of is how often a page is believed to change.
func (r *Rates) of(page int) belief {
	kin := r.kin(page)
	is := r.ofPage.down(&kin)
	if place := r.place[page]; place >= 0 {
		is = is.and(&r.says[place])
	}
	return is
}

// spreads is how far hosts, templates and pages are spread, by what is believed of them. Each variance is a mean over those that were
// looked at, together with weighs that are as was supposed: of few pages little is concluded.
func (r *Rates) spreads() spread {
	n, sum, square := float64(weighs), weighs*supposed.middle, weighs*(supposed.hosts+supposed.middle*supposed.middle)
	for i := range r.hosts {
		if h := &r.hosts[i]; h.looks > 0 {
			n++
			for k, p := range h.is {
				sum, square = sum+p*float64(k), square+p*float64(k*k)
			}
		}
	}
	s := spread{middle: sum / n, hosts: square/n - sum*sum/n/n}
	n, square = weighs, weighs*supposed.templates
	for i := range r.templates {
		if t := &r.templates[i]; t.looks > 0 {
			others := r.others(t)
			n, square = n+1, square+r.ofHost.apart(&others, &t.says)
		}
	}
	s.templates = square / n
	n, square = weighs, weighs*supposed.pages
	for i, place := range r.place {
		if place >= 0 {
			kin := r.kin(i)
			n, square = n+1, square+r.ofPage.apart(&kin, &r.says[place])
		}
	}
	s.pages = square / n
	return s
}
