package rank

import "github.com/thresher-crawler/thresher/focus/page"

// blockParams are the parameters of block.
type blockParams struct {
	Links string `yaml:"links" doc:"all links, or only those outside running text: in_blocks" check:"all|in_blocks"`
}

func registerBlock(r *Registry) {
	Register(r, "block", "the mean of what the anchors of the link's block come to, links without words counting as 0",
		blockParams{Links: "all"}, func(p blockParams) (Factor, error) { return blockMean{p.Links == "in_blocks"}, nil })
}

type blockMean struct{ inBlocks bool }

func (b blockMean) Score(e *Evidence) float64 {
	if b.inBlocks && e.inText() {
		return none
	}
	return e.BlockSim()
}

// relatedParams are the parameters of related.
type relatedParams struct {
	Otherwise float64 `yaml:"otherwise" doc:"the number for links of menus, advertisements and other blocks" check:"0..1"`
}

func registerRelated(r *Registry) {
	Register(r, "related", "1 for links in running text and in blocks of related links; for the rest, a share of it",
		relatedParams{Otherwise: 0.5}, func(p relatedParams) (Factor, error) { return related{p.Otherwise}, nil })
}

type related struct{ otherwise float64 }

func (r related) Score(e *Evidence) float64 {
	if e.unrelated() {
		return r.otherwise
	}
	return 1
}

// unrelated tells whether the link stands in a block of links that is none of related links.
func (e *Evidence) unrelated() bool {
	k, ok := e.kind()
	return ok && k != page.Related && k != page.Text && k != page.Hub
}

// inText tells whether the link stands in running text.
func (e *Evidence) inText() bool {
	k, ok := e.kind()
	return ok && k == page.Text
}
