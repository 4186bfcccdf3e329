// Package suggest answers one question: which words would tell the topic better?
//
// When a crawl is over, its pages together know more of the topic than its terms do (package winnow). Propose puts that into
// words: those that stand on the pages that are surely of the topic and hardly ever on clearly foreign ones, as a person
// would write them; words that speak against a page; and terms of the topic that hurt or say nothing. A word counts by what
// it adds to those that were chosen before it, so that of two words for the same pages one is proposed.
//
// There are only a few types: a Page is a page with how surely it is of the topic, a Suggestion is one change of the terms,
// and a Result is all of them, with what they come to together.
package suggest
