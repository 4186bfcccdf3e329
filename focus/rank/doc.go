// Package rank answers one question: how promising is this link?
//
// A Factor judges one aspect of one link from the Evidence. A Strategy is a tree of factors, read from YAML, whose
// branches combine what the leaves say. Scoring walks the tree once and writes one number per node in reading
// order: that slice is the explanation. Memory holds what grows with the crawl: in-links, yields, site weights.
// It serves steps 6 and 8 of the journey (see package focus).
package rank
