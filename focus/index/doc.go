// Package index answers one question: how is a harvest searched?
//
// There are only a few types. A Collection is a harvest with the index beside it, in runs/NAME/index. A Query is what a
// person asked, Search answers it over one collection or several, and a Hit is one page of the answer. Weights say
// how much each thing counts.
//
// # Derived data
//
// A crawl never writes an index. Collection.Update follows harvest.jsonl from the position up to which it is indexed,
// takes out what is no longer kept, and writes a new generation of the index beside the old one: segments that have not
// changed are linked, not copied. The name of the new generation is put in place last and in one step, so that a
// process that is killed leaves the old one, and readers go on with what they have open. What is found damaged, or
// belongs to another harvest than the one that is there, is made anew, and that is said.
//
// # Words
//
// Package text cuts them (Cutter.Search). Each field of a page has two fields in bleve: spaced words (English by
// their stems) and single characters of Chinese, by which phrases are found; and the words of the dictionary's
// search cut. Of bleve this is scorch, its index, alone: we cut the words, and we score. Characters have places,
// words have not: a phrase is a chain of characters however it was cut, and the index stays small. A word that few
// pages hold is looked for as a phrase of its characters, too: names that are in no dictionary are cut one way here
// and another there.
//
// # Ranking
//
// A page's score is BM25 over all fields at once (Robertson, Zaragoza, Taylor 2004: how often a word stands in a
// field, weighted, is added up before it is saturated), and over words that stand side by side in its title or a
// heading; raised by its relevance to the topic, by how near it is to the front page of its site, and by its importance, which is
// the topic PageRank of package rank over the links inside the harvest. Near duplicates stand folded under the best of them, and a site shows so many pages before the
// others are folded away.
package index
