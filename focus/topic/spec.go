package topic

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/text"
)

// Term is a word or phrase of the topic and its weight.
type Term struct {
	Term   string  `json:"term"`
	Weight float64 `json:"weight"`
}

// Spec is a topic as the crawl file states it. Files and addresses have been loaded already: the package opens no
// network connection. An empty word means its default; Defaults fills in the numbers too.
type Spec struct {
	Language  string // zh, en or auto
	About     string // a sentence that terms are taken from, see AboutTerms
	Terms     []Term
	Examples  []*text.Doc
	Judge     string             // a name of the table of judges
	With      strict.Node        // its parameters, where they are not its defaults
	Content   string             // whole | by_kind | main_text
	Calibrate string             // on | off
	Threshold float64            // in [0,1]; 0 under a trained judge means the one it was trained to
	Model     string             // path of a trained judge
	Relevant  []*text.Doc        // a labelled corpus: what is relevant,
	Other     []*text.Doc        // and what is not
	Positions map[string]float64 // weights by name of position: title, top, heading, meta, emphasis, body, anchor; the judge's own where absent
	Speech    map[string]float64 // weights by name of part of speech: noun, adjective, verb, adverb, function; 1 where absent
	Relative  bool               // frequencies relative to the most frequent keyword (genetic)
	TF        string             // raw | l2: how counts enter a centre
	Centre    Centre             // of judge centroid
	UserDict  string             // path of a user dictionary for Chinese
	Limit     int                // bytes of a page that are cut into words, see text.Options
	filled    bool               // the judge's own weights stand where nobody said any
	anchors   bool               // somebody said what words of links count
}

// Defaults is a Spec without a topic in it, every setting at the value a crawl file starts from.
func Defaults() Spec {
	return Spec{
		Language: "auto", Judge: DefaultJudge, Content: "whole", Calibrate: "on", Threshold: .3, TF: "raw",
		Centre: Centre{Words: centroidWords, Share: twentieth, Clusters: 1},
	}
}

// Language is that of a topic's words.
type Language string

// Words are what it may be.
func (Language) Words() []string { return languages }

// Else says what to write for all other languages.
func (Language) Else() string { return "auto is for words in any other language, too" }

var (
	languages = []string{"auto", "zh", "en"}
	contents  = []string{"whole", "by_kind", "main_text"}
	switches  = []string{"on", "off"}
	counts    = []string{"raw", "l2"}
)

// complete puts the defaults where a word is empty, and says everything that is wrong.
func (s *Spec) complete() error {
	var errs []error
	word := func(field *string, name string, allowed []string) {
		if *field == "" {
			*field = allowed[0]
		}
		if !slices.Contains(allowed, *field) {
			errs = append(errs, fmt.Errorf("%s is %q, want one of %s", name, *field, strings.Join(allowed, ", ")))
		}
	}
	word(&s.Language, "language", languages)
	if s.Judge == "" {
		s.Judge = DefaultJudge
	}
	word(&s.Judge, "judge", Judges())
	errs = append(errs, strict.Err(CheckParams(s.Judge, s.With)))
	word(&s.Content, "content", contents)
	word(&s.Calibrate, "calibrate", switches)
	word(&s.TF, "tf", counts)
	errs = append(errs, s.Centre.complete())
	if !(0 <= s.Threshold && s.Threshold <= 1) {
		errs = append(errs, fmt.Errorf("threshold is %v, want 0 to 1", s.Threshold))
	}
	for i, t := range s.Terms {
		errs = append(errs, s.weighed(i, t))
		if strings.TrimSpace(t.Term) == "" {
			errs = append(errs, fmt.Errorf("terms[%d] is empty: write a word or take the line out", i))
		}
	}
	s.unsaid()
	return errors.Join(errs...)
}

// weighed says what is wrong with a term's weight. A negative one speaks against a page, which few judges hear of.
func (s *Spec) weighed(i int, t Term) error {
	switch {
	case 0 < t.Weight && t.Weight <= 1000, -1000 <= t.Weight && t.Weight < 0 && TraitsOf(s.Judge).Against:
		return nil
	case -1000 <= t.Weight && t.Weight < 0:
		return fmt.Errorf("terms[%d] %q: weight is %v, and only judge %s knows words that speak against a page: take the term out, or judge by %[4]s", i, t.Term, t.Weight,
			those(func(t Traits) bool { return t.Against }))
	}
	return fmt.Errorf("terms[%d] %q: weight is %v, want more than 0 and at most 1000, or less than 0 and at least -1000 for a word that speaks against a page", i, t.Term, t.Weight)
}

// plainWeights are what a word counts by where it stands for a judge that has no weights of its own.
var plainWeights = map[string]float64{"title": 3}

// unsaid puts the judge's own weights where nobody said what a word counts by where it stands.
func (s *Spec) unsaid() {
	if s.filled {
		return
	}
	s.filled = true
	said := s.Positions
	s.Positions = maps.Clone(plainWeights)
	if own := TraitsOf(s.Judge).Weights; own != nil {
		s.Positions = maps.Clone(own)
		_, s.anchors = said["anchor"]
	}
	maps.Copy(s.Positions, said)
}

// New makes a topic, or says what is missing or wrong in the spec.
func New(s Spec) (*Topic, error) {
	if err := s.complete(); err != nil {
		return nil, err
	}
	said, err := AboutTerms(&s)
	if err != nil {
		return nil, err
	}
	s.Terms = slices.Concat(s.Terms, said)
	model, err := s.trained()
	if err != nil {
		return nil, err
	}
	w, err := newWeigher(&s)
	if err != nil {
		return nil, err
	}
	t := &Topic{brought: &atomic.Pointer[Met]{}, shop: &shop{},
		spec: s, threshold: s.Threshold, weigh: w, model: model,
		words: newVocabulary(), scale: newScale(),
	}
	if good := TraitsOf(s.Judge).GoodPage; good > 0 {
		t.scale.guess = good
	}
	t.make, _ = table[s.Judge].load(s.With) // checked above
	if model != nil && s.Threshold == 0 {
		t.threshold = model.Threshold
	}
	if err := t.setTerms(); err != nil {
		return nil, err
	}
	t.exemplify(s.examples())
	switch {
	case t.judge == nil:
		return nil, fmt.Errorf("judge: %s, which the program has registered, makes none", s.Judge)
	case len(s.Examples) > 0 && len(t.profile.examples) == 0 && len(t.profile.terms) == 0:
		return nil, fmt.Errorf("none of the %d examples has a word in it: give pages with text, or terms", len(s.Examples))
	case t.empty() && !TraitsOf(s.Judge).Pages: // of which the start pages may be the examples
		return nil, ErrNothing
	}
	return t, nil
}

// ErrNothing is the error of a topic of which nobody said anything.
var ErrNothing = errors.New("nothing says what is looked for: give terms, a sentence (about), or pages that are of the topic (examples)")

// mostLabelled is how many labelled pages serve as examples: more change their sum no more.
const mostLabelled = 100

// examples are the example pages and, for a judge that is not trained on them, the pages of the corpus that are
// relevant.
func (s *Spec) examples() []*text.Doc {
	if TraitsOf(s.Judge).Trained {
		return s.Examples
	}
	return slices.Concat(s.Examples, s.Relevant[:min(len(s.Relevant), mostLabelled)])
}

// setTerms cuts the terms as pages are cut, so that they meet. A model's own terms stay whole as they did when it was
// trained; where no terms are stated, the words that speak for the model's topic most serve for short texts.
func (t *Topic) setTerms() error {
	terms := t.spec.Terms
	var more []string
	if t.model != nil {
		more = t.model.Terms
		t.notes = append(t.notes, t.model.Doubts()...)
	}
	cutter, err := text.NewCutter(cutting(&t.spec, t.weigh.tagged, more))
	if err != nil {
		return err
	}
	t.cutter = cutter
	for i, term := range terms {
		if key := cutter.Keys()[i]; key != "" {
			t.profile.term(key, term)
		}
	}
	if len(terms) > 0 && len(t.profile.terms) == 0 {
		return fmt.Errorf("every term is a stop word (%s): add a word that says what the topic is", surfaces(terms))
	}
	t.findable = len(t.profile.terms) > 0
	if t.model != nil && len(terms) == 0 && len(t.spec.Examples) == 0 {
		t.findable = false
		for _, w := range t.model.Best {
			t.profile.term(w.Term, w)
		}
	}
	return nil
}

func surfaces(terms []Term) string {
	var list []string
	for _, t := range terms {
		list = append(list, t.Term)
	}
	return strings.Join(list, ", ")
}
