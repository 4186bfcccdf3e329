package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/study"
)

// teachStrategy gives the config of a cell the models that its strategy needs and has not, and refuses those that were
// trained on what is shown.
func (s *school) teachStrategy(k *task, c *focus.Config) error {
	strategy, err := c.LoadStrategy(c.Factors)
	if err != nil {
		return err
	}
	hosts := k.hosts()
	for _, g := range strategy.TrainedOn() {
		met := slices.ContainsFunc(g.Hosts, func(h string) bool { return hosts[h] })
		if met || g.Fingerprint == k.web.Fingerprint() && g.Topic == k.topic.Name {
			return fmt.Errorf("its model was trained on %s:%s, which is what is shown, or has hosts of it; train one elsewhere", g.Web, g.Topic)
		}
	}
	untrained := strategy.Untrained()
	if len(untrained) > 0 && len(s.lessons) == 0 {
		return fmt.Errorf("its %s must be trained; give it labelled webs with --train WEB[:TOPIC]", strings.Join(untrained, ", "))
	}
	c.Models = map[string]string{}
	for _, factor := range untrained {
		file, err := s.factor(factor, k)
		if err != nil {
			return err
		}
		c.Models[factor] = file
	}
	return nil
}

// hosts are those that a task crawls.
func (k *task) hosts() map[string]bool {
	hosts := map[string]bool{}
	for n, near := range k.near {
		if near {
			hosts[page.Host(k.address[n])] = true
		}
	}
	return hosts
}

// factor is the file of a factor's model for a task.
func (s *school) factor(name string, k *task) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := strings.Join([]string{"factor", name, k.web.Fingerprint(), k.topic.Name, fmt.Sprint(k.seeds, k.examples)}, "\n")
	m, ok := s.models[key]
	if !ok {
		m.file, m.err = s.trainFactor(name, k)
		s.models[key] = m
	}
	return m.file, m.err
}

func (s *school) trainFactor(name string, k *task) (string, error) {
	on, err := s.labelledWebs(k)
	if err != nil {
		return "", err
	}
	var model interface{ Bytes() ([]byte, error) }
	switch name {
	case "layers":
		model, err = study.TrainLayers(on, study.DefaultLayers())
	case "context-graph":
		model, err = study.TrainContext(on, study.DefaultContext())
	default:
		return "", fmt.Errorf("%s needs a model, and only layers and context-graph are trained here", name)
	}
	if err != nil {
		return "", err
	}
	raw, err := model.Bytes()
	if err != nil {
		return "", err
	}
	dir, err := s.room()
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, fmt.Sprintf("%d.%s", len(s.models), name))
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		return "", fmt.Errorf("keep a trained model: %w", err)
	}
	return file, nil
}

// labelledWebs are the lessons as a strategy learns from them, without the hosts and examples of a task.
func (s *school) labelledWebs(k *task) ([]*study.LabelledWeb, error) {
	hosts := k.hosts()
	var all []*study.LabelledWeb
	targets := 0
	for _, l := range s.lessons {
		g, err := s.open(l.dir)
		if err != nil {
			return nil, err
		}
		for _, t := range l.topics(g, k) {
			taught := &task{graph: g, topic: t}
			if err := taught.label(); err != nil {
				return nil, err
			}
			inside := make([]bool, len(g.address))
			for n, address := range g.address {
				inside[n] = taught.scope[n] && !hosts[page.Host(address)]
			}
			for _, n := range k.examples {
				if at, ok := g.number[k.address[n]]; ok {
					inside[at] = false
				}
			}
			for n, relevant := range taught.relevant {
				if relevant && inside[n] {
					targets++
				}
			}
			all = append(all, &study.LabelledWeb{Web: g.web.Name(), Fingerprint: g.web.Fingerprint(), Topic: t.Name, Addresses: g.address,
				Number: g.number, Relevant: taught.relevant, Inside: inside,
				Page: func(n int) (*page.Page, error) { return g.read.Page(g.address[n]) }})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("nothing of --train can teach the topic %s: what is shown is never learned from; name a topic with WEB:TOPIC", k.topic.Name)
	}
	if targets == 0 {
		return nil, fmt.Errorf("all pages that --train could teach the topic %s by are on the %d hosts that are crawled, which are never learned from; give a web of other hosts with --train", k.topic.Name, len(hosts))
	}
	return all, nil
}
