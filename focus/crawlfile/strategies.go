package crawlfile

import (
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// Strategy reads a strategy by its name, or from the path of its file, as a crawl file would.
func Strategy(name string) (*rank.Strategy, error) {
	c := Default()
	c.Strategy.Name = name
	return c.LoadStrategy(nil)
}

// InPlace is a strategy written in Go's source, as it would stand in a crawl file.
func InPlace(yaml string) (StrategyConfig, error) {
	n, err := strict.Parse("strategy", []byte(yaml))
	if err != nil {
		return StrategyConfig{}, err
	}
	return StrategyConfig{Here: n}, nil
}

// Override gives keys of the config new values, written as in a crawl file, and checks them.
func (c *Config) Override(o ...Override) error {
	return strict.Err(c.lay(o))
}

// Asked is the name of a config that is written down to be held to what a crawl file may say.
const Asked = "config"

// Sound holds a config, wherever it was made, to what a crawl file may say.
func (c *Config) Sound() error {
	n, err := strict.Parse(Asked, c.YAML())
	if err != nil {
		return err
	}
	read := Default()
	err = strict.Err(n.Decode(&read))
	c.Extract = read.Extract
	return err
}
