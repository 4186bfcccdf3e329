package rank

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/thresher-crawler/thresher/focus/strict"
)

// form is a strategy as it is written down: every parameter stated, even where it is the default.
type form struct {
	Version int        `yaml:"version"`
	Name    string     `yaml:"name"`
	About   string     `yaml:"about,omitempty"`
	Claim   string     `yaml:"claim,omitempty"`
	Judge   string     `yaml:"judge,omitempty"`
	Content string     `yaml:"content,omitempty"`
	Full    float64    `yaml:"full"`
	Admit   *Admit     `yaml:"admit"`
	Rank    nodeForm   `yaml:"rank"`
	Hedge   *hedgeForm `yaml:"hedge"`
	Select  Selection  `yaml:"select"`
}

// hedgeForm is a hedge as it is written down.
type hedgeForm struct {
	Hedge
	Rank nodeForm `yaml:"rank"`
}

// nodeForm is a node as it is written down.
type nodeForm struct {
	Name    string     `yaml:"name,omitempty"`
	Use     string     `yaml:"use,omitempty"`
	Weight  *float64   `yaml:"weight"`
	Over    string     `yaml:"over,omitempty"`
	With    paramsForm `yaml:"with,omitempty"`
	At      *float64   `yaml:"at"`
	Closed  *float64   `yaml:"closed"`
	Mix     []nodeForm `yaml:"mix,omitempty"`
	Best    []nodeForm `yaml:"best,omitempty"`
	Product []nodeForm `yaml:"product,omitempty"`
	Gate    []nodeForm `yaml:"gate,omitempty"`
	First   []nodeForm `yaml:"first,omitempty"`
	Blend   []nodeForm `yaml:"blend,omitempty"`

	Apprentice []nodeForm `yaml:"apprentice,omitempty"`
}

// paramsForm is the parameters of a factor, of whatever struct they are.
type paramsForm struct{ params any }

// EncodeNode is what is written for it.
func (p paramsForm) EncodeNode() any { return p.params }

// YAML is the strategy as it would be written.
func (s *Strategy) YAML() []byte {
	f := form{Version: fileVersion, Name: s.Name, About: s.About, Claim: s.Claim, Judge: s.Judge, Content: s.Content, Full: s.Full, Rank: s.form(0, false), Select: s.Select}
	if s.Admit.Tunnel.Depth >= 0 || s.Admit.Blocks != "all" || s.Admit.Related != standard {
		f.Admit = &s.Admit
	}
	if s.hedge > 0 {
		f.Hedge = &hedgeForm{s.shares, s.form(s.hedge, false)}
	}
	return strict.Encode(f)
}

// Fingerprint changes when the tree, its parameters, its rules or what its models hold change. Another name or another
// word about it is no change.
func (s *Strategy) Fingerprint() string {
	same := *s
	same.Name, same.About, same.Claim = "x", "", ""
	sum := sha256.Sum256(append(same.YAML(), s.models...))
	return hex.EncodeToString(sum[:8])
}

// form is node i as it is written down.
func (s *Strategy) form(i int, inMix bool) nodeForm {
	n := &s.nodes[i]
	var f nodeForm
	if n.Name != n.Use {
		f.Name = n.Name
	}
	if inMix {
		f.Weight = &n.Weight
	}
	if n.over != overThis {
		f.Over = overs[n.over]
	}
	if n.kind == gate {
		f.At, f.Closed = &n.at, &n.closed
	}
	var parts []nodeForm
	for j := i + 1; j < n.end; j = s.nodes[j].end {
		if s.nodes[j].kind != saying {
			parts = append(parts, s.form(j, n.kind == mix || n.kind == learner))
		}
	}
	switch n.kind {
	case leaf:
		f.Use = n.Use
		if strict.HasFields(n.with) {
			f.With = paramsForm{n.with}
		}
	case mix:
		f.Mix = parts
	case best:
		f.Best = parts
	case product:
		f.Product = parts
	case gate:
		f.Gate = parts
	case first:
		f.First = parts
	case blend:
		f.Blend = parts
	case learner:
		f.Apprentice, f.With = parts, paramsForm{n.with}
	}
	return f
}
