package focus

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
)

// elsewhere are the keys of the identity that name files, which may be other ones on another machine.
var Elsewhere = []string{"topic.examples", "topic.corpus.relevant", "topic.corpus.other", "topic.model", "text.user_dict", "web"}

// strange says what makes this crawl another one than that which machines share; nothing where they are the same, or it
// is not said yet what that is.
func (c *Crawler) strange(about map[string]string, strategy *rank.Strategy) (said []string) {
	if about[run.FileCrawl] == "" {
		return nil
	}
	if there := about[run.FileStrategy]; there != "" && !strategy.HasModel() && there != string(strategy.YAML()) {
		said = append(said, fmt.Sprintf("the strategy is not %s as this machine has it", strategy.Name))
	}
	return append(said, run.Differences([]byte(about[run.FileCrawl]), c.config.YAML(), Elsewhere)...)
}
