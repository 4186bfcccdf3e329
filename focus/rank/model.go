package rank

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// Models opens the file of a model that a factor was trained into: file as it is written, in the file it is written in.
// It answers the path that was read. No content and no error mean that there is none, and the factor stays untrained.
// This package opens no files itself.
type Models func(factor, file, in string) (path string, content []byte, err error)

// Opening is the same registry for strategies whose models are opened so.
func (r *Registry) Opening(m Models) *Registry {
	return &Registry{entries: r.entries, models: m, reading: r.reading}
}

// RegisterModel adds a factor that is trained into a file. model is where its parameters keep the file's path; the maker
// is given what the file holds, nil where there is none: the factor must then do without, and say so by Trained.
func RegisterModel[P any](r *Registry, name, doc string, defaults P, model func(*P) *string, make func(P, []byte) (Factor, error)) {
	Register(r, name, doc, defaults, func(p P) (Factor, error) { return make(p, nil) })
	e := r.entries[name]
	e.load = func(with strict.Node, open Models) (Factor, any, []strict.Problem) {
		params, problems := given(with, defaults)
		if len(problems) > 0 {
			return nil, nil, problems
		}
		var content []byte
		named := *model(&params)
		if at := model(&params); open != nil {
			written, _ := with.Get("model")
			path, raw, err := open(name, *at, written.File())
			if err != nil {
				return nil, nil, []strict.Problem{with.KeyProblem("model", "%v", err)}
			}
			if *at, content = path, raw; named == "" {
				named = path
			}
		}
		f, err := make(params, content)
		if err != nil {
			return nil, nil, []strict.Problem{with.KeyProblem("model", "%s: %v", named, err)}
		}
		return f, params, nil
	}
	r.entries[name] = e
}

// open opens a model, and takes what it holds into the strategy's fingerprint.
func (l *loader) open(factor, file, in string) (path string, content []byte, err error) {
	if l.registry.models == nil {
		return file, nil, nil
	}
	path, content, err = l.registry.models(factor, file, in)
	if len(content) > 0 {
		sum := sha256.Sum256(content)
		l.strategy.models = append(l.strategy.models, sum[:]...)
	}
	return path, content, err
}

// HasModel tells that a factor of the tree was read with the file of its model.
func (s *Strategy) HasModel() bool { return len(s.models) > 0 }

// Trainee is a Factor that must be trained: what its model was trained on, and whether it has one.
type Trainee interface {
	Trained() (on []Ground, ok bool)
}

// Untrained are the factors of the tree that need a model and have none.
func (s *Strategy) Untrained() []string {
	var names []string
	s.trainees(func(name string, t Trainee) {
		if _, ok := t.Trained(); !ok {
			names = append(names, name)
		}
	})
	return names
}

// TrainedOn is what the models of the tree were trained on.
func (s *Strategy) TrainedOn() []Ground {
	var all []Ground
	s.trainees(func(_ string, t Trainee) {
		on, _ := t.Trained()
		all = append(all, on...)
	})
	return all
}

func (s *Strategy) trainees(see func(name string, t Trainee)) {
	for i := range s.nodes {
		if t, ok := s.nodes[i].factor.(Trainee); ok {
			see(s.nodes[i].Use, t)
		}
	}
}

// Ground is a topic of a web that a model was trained on.
type Ground struct {
	Web         string   `json:"web"`
	Fingerprint string   `json:"fingerprint"`
	Topic       string   `json:"topic"`
	Pages       int      `json:"pages"`
	Targets     int      `json:"targets"`
	Hosts       []string `json:"hosts"`
}

// modelVersion is the version of model files this package reads and writes.
const modelVersion = 1

// seal is a model as its file holds it: a line that says what it is, a line of JSON that describes it, a line of JSON with
// its numbers, and a checksum of all that.
func seal(kind string, description, numbers any) ([]byte, error) {
	out := fmt.Appendf(nil, "thresher %s %d\n", kind, modelVersion)
	for _, part := range []any{description, numbers} {
		line, err := json.Marshal(part)
		if err != nil {
			return nil, fmt.Errorf("write the model: %w", err)
		}
		out = append(append(out, line...), '\n')
	}
	sum := sha256.Sum256(out)
	return append(hex.AppendEncode(out, sum[:]), '\n'), nil
}

// unseal reads what seal wrote. how is the command that makes such a model.
func unseal(raw []byte, kind, how string, description, numbers any) error {
	head, _, _ := bytes.Cut(raw, []byte("\n"))
	is, version, _ := strings.Cut(strings.TrimPrefix(string(head), "thresher "), " ")
	n, err := strconv.Atoi(version)
	switch {
	case !bytes.HasPrefix(head, []byte("thresher ")) || err != nil:
		return fmt.Errorf("is no model; `%s` makes one", how)
	case is != kind:
		return fmt.Errorf("is a model for %s, want one for %s; `%s` makes one", is, kind, how)
	case n != modelVersion:
		return fmt.Errorf("is a model for %s that this program cannot read: %w; or train anew with `%s`", kind, pack.Version(n, modelVersion), how)
	}
	const sumLine = 2*sha256.Size + 1
	body := raw[:max(0, len(raw)-sumLine)]
	sum := sha256.Sum256(body)
	if string(raw[len(body):]) != hex.EncodeToString(sum[:])+"\n" {
		return fmt.Errorf("is cut short or damaged; copy it again, or train anew with `%s`", how)
	}
	lines := bytes.Split(body, []byte("\n"))
	if len(lines) != 4 || json.Unmarshal(lines[1], description) != nil || json.Unmarshal(lines[2], numbers) != nil {
		return errors.New("is not what its first line says; train anew with `" + how + "`")
	}
	return nil
}
