package compare

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// school gives judges and strategies that need training their material: labelled topics of webs, never the topic that is shown, and
// no page of a host that is crawled. Models are kept in a folder while the comparison lasts.
type school struct {
	lessons []lesson
	seed    uint64
	dir     string

	mu     sync.Mutex
	models map[string]trained // by what they were trained for
	opened map[string]*graph
}

// lesson is one WEB or WEB:TOPIC.
type lesson struct{ dir, topic string }

type trained struct {
	file string
	err  error
}

func newSchool(from []string, seed uint64) (*school, error) {
	s := &school{seed: seed, models: map[string]trained{}, opened: map[string]*graph{}}
	for _, l := range from {
		dir, topic := l, ""
		if _, err := os.Stat(l); err != nil { // a folder's name may have a colon in it
			i := strings.LastIndex(l, ":")
			if i < 0 {
				return nil, misuse("--train %s: there is no such web", l)
			}
			if dir, topic = l[:i], l[i+1:]; topic == "" {
				return nil, misuse("--train %s: want WEB or WEB:TOPIC", l)
			}
		}
		s.lessons = append(s.lessons, lesson{dir, topic})
	}
	taught := map[lesson]string{}
	for i, l := range s.lessons {
		if err := l.check(); err != nil {
			return nil, err
		}
		real, err := realPath(l.dir)
		if err != nil {
			return nil, err
		}
		if first, twice := taught[lesson{real, l.topic}]; twice {
			return nil, misuse("--train %s is %s again: what is learned from twice counts twice; give it once", from[i], first)
		}
		taught[lesson{real, l.topic}] = from[i]
	}
	return s, nil
}

// check looks whether the web has the topic.
func (l lesson) check() error {
	web, err := opened(l.dir)
	if err != nil {
		return err
	}
	defer web.Close()
	if _, ok := web.Topic(l.topic); l.topic != "" && !ok {
		return misuse("--train %s:%s: the web has no such topic", l.dir, l.topic)
	}
	if web.Labelled() == 0 {
		return fmt.Errorf("--train %s: the web has no labels to learn from", l.dir)
	}
	return nil
}

func (s *school) close() {
	for _, g := range s.opened {
		g.web.Close() // it was only read
	}
	if s.dir != "" {
		os.RemoveAll(s.dir) // the models can be trained anew
	}
}

// teach gives the config of a cell a trained model, if its judge needs one and has none.
func (s *school) teach(k *task, v *variant, c *focus.Config, ownJudge bool) error {
	said := slices.ContainsFunc(v.set, func(o crawlfile.Override) bool { return o.Key == "topic.judge" })
	if ownJudge && !said && v.judge != "" && v.judge != "none" {
		c.Topic.Judge = topic.JudgeName(v.judge)
	}
	if c.Topic.Model != "" || !c.Topic.Trained() {
		return nil
	}
	if len(s.lessons) == 0 {
		return fmt.Errorf("its judge (%s) must be trained; give it pages of other topics or webs with --train WEB[:TOPIC]", c.Topic.Judge)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := strings.Join([]string{k.web.Fingerprint(), k.topic.Name, fmt.Sprint(k.examples, c.Topic, c.Text)}, "\n")
	m, ok := s.models[key]
	if !ok {
		m.file, m.err = s.train(k, c)
		s.models[key] = m
	}
	c.Topic.Model = m.file
	return m.err
}

// train trains a judge for a task.
func (s *school) train(k *task, c *focus.Config) (string, error) {
	var relevant, other []*page.Page
	for _, l := range s.lessons {
		r, o, err := s.attend(l, k)
		if err != nil {
			return "", err
		}
		relevant, other = append(relevant, r...), append(other, o...)
	}
	if len(relevant) == 0 {
		return "", fmt.Errorf("nothing of --train can teach the topic %s: what is shown, and the hosts it is crawled on, are never learned from; name a topic with WEB:TOPIC", k.topic.Name)
	}
	dir, err := s.room()
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, fmt.Sprintf("%d.judge", len(s.models)))
	return file, study.TrainJudge(c, relevant, other, file)
}

// room is where models are kept while the comparison lasts.
func (s *school) room() (string, error) {
	if s.dir == "" {
		dir, err := os.MkdirTemp("", "thresher-models-")
		if err != nil {
			return "", fmt.Errorf("room for trained models: %w; let TMPDIR name a folder that can be written in", err)
		}
		s.dir = dir
	}
	return s.dir, nil
}

// classSize is how many pages of a kind are learned from, at most, of one topic.
const classSize = 1000

// attend are the pages of a lesson, relevant and other, for a task. Without a topic of its own a lesson has the topics
// of its web that are called as the shown one, or end in the same word behind a slash (texas/course for cornell/course).
func (s *school) attend(l lesson, k *task) (relevant, other []*page.Page, err error) {
	g, err := s.open(l.dir)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range l.topics(g, k) {
		taught := &task{graph: g, topic: t}
		if err := taught.label(); err != nil {
			return nil, nil, err
		}
		r, o := taught.sample(k, s.seed)
		relevant, other = append(relevant, r...), append(other, o...)
	}
	return relevant, other, nil
}

// topics are those of a lesson that can teach a task: never the one that is shown.
func (l lesson) topics(g *graph, k *task) []replay.Topic {
	same := g.web.Fingerprint() == k.web.Fingerprint()
	return slices.DeleteFunc(slices.Clone(g.web.Topics()), func(t replay.Topic) bool {
		return l.topic != "" && t.Name != l.topic || l.topic == "" && last(t.Name) != last(k.topic.Name) || same && t.Name == k.topic.Name
	})
}

func last(name string) string { return name[strings.LastIndex(name, "/")+1:] }

func (s *school) open(dir string) (*graph, error) {
	if g, ok := s.opened[dir]; ok {
		return g, nil
	}
	web, err := replay.Open(dir)
	if err != nil {
		return nil, err
	}
	g := graphOf(web, false)
	s.opened[dir] = g
	return g, nil
}

// sample draws pages of a topic that are on none of the hosts another task crawls, and none of its examples.
func (k *task) sample(shown *task, seed uint64) (relevant, other []*page.Page) {
	hosts, examples := shown.hosts(), map[string]bool{}
	for _, n := range shown.examples {
		examples[shown.address[n]] = true
	}
	order := rand.New(rand.NewPCG(seed, uint64(len(k.address)))).Perm(len(k.address))
	for _, n := range order {
		into := &other
		if k.relevant[n] {
			into = &relevant
		}
		if !k.scope[n] || k.unsaid(n) || len(*into) == classSize || hosts[page.Host(k.address[n])] || examples[k.address[n]] {
			continue
		}
		if p, err := k.read.Page(k.address[n]); err == nil {
			*into = append(*into, p)
		}
	}
	return relevant, other
}
