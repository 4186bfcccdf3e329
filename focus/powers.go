package focus

import (
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/selection"
)

// powers are what a frontier can do beyond its five methods. It is found out once, when the frontier is opened; what it
// cannot do is nil.
type powers struct {
	find    frontier.Finder
	rescore frontier.Rescorer
	tiers   frontier.Holder
	hold    selection.Frontier
	batch   frontier.Batcher
	try     frontier.Trier
	pace    frontier.Pacer
	locate  frontier.Locator
	examine frontier.Examiner
	far     paging // it is on another machine, and told what a page is about to ask
}

func powersOf(f frontier.Frontier) (p powers) {
	p.find, _ = f.(frontier.Finder)
	p.rescore, _ = f.(frontier.Rescorer)
	p.tiers, _ = f.(frontier.Holder)
	p.hold, _ = f.(selection.Frontier)
	p.batch, _ = f.(frontier.Batcher)
	p.try, _ = f.(frontier.Trier)
	p.pace, _ = f.(frontier.Pacer)
	p.locate, _ = f.(frontier.Locator)
	p.examine, _ = f.(frontier.Examiner)
	p.far, _ = f.(paging)
	return p
}
