package crawlfile

// LearnConfig says what a strategy that learns begins with, and how much it keeps in mind.
type LearnConfig struct {
	From  string  `yaml:"from,omitempty" doc:"what another crawl has learned: its run folder, or a file that thresher learn export wrote; none, or left out: the crawl begins with what its strategy says"`
	Trust float64 `yaml:"trust" doc:"how much of that crawl's confidence is taken over: with less of it, this one changes its mind faster" check:"0..1"`
	Keep  int     `yaml:"keep" doc:"addresses that the memory of a strategy with feedback keeps; beyond it those heard of first are forgotten, and keep the score they have" check:"1..100000000"`
}

// ColdStart says in the place of a path that there is none, for comparisons of the one with the other.
const ColdStart = "none"

func defaultLearn() LearnConfig { return LearnConfig{Trust: 0.3, Keep: 200_000} }

// FileExperience is where a run folder keeps it.
const FileExperience = "experience"
