// Package rank answers one question: how promising is this link?
//
// A Factor judges one aspect of one link from the Evidence. A Strategy is a tree of factors, read from YAML, whose
// branches combine what the leaves say. Scoring walks the tree once and writes one number per node in reading
// order: that slice is the explanation. Memory holds what grows with the crawl: in-links, yields, site weights, the
// graph. It serves steps 6 and 8 of the journey (see package focus).
//
// NaN means "no evidence", and it is never counted as 0: a mix leaves the part out, best and first ignore it, product
// and gate take 1 for it. A factor knows no clock, no network, no frontier and no lot; two crawls that saw the same
// score the same.
//
// A factor whose number changes with what is fetched is a Recaller. Of a waiting link Memory keeps the numbers it was
// scored by and where it stood, so that Strategy.Rescore scores it again without its page: the numbers of all other
// factors stay as they were decided. The work is bounded: Fetched answers at most as many waiting items as it is asked
// for, the nearest first; Stale tells of any other whether its score is out of date.
//
// An apprentice is a branch that learns what its parts and the words around a link are worth; a hedge is a second tree, in
// whose order a share of the links is taken. What they learn, like all that Memory holds, is saved as a State and as the
// Lessons since; Experience is the part of it that holds on other webs.
//
// The manual of strategies, with every factor and parameter, is configs/README.md.
package rank
