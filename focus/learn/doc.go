// Package learn answers one question: what has experience taught?
//
// It is plain maths over numbers and words: naive Bayes, unigram models, linear models, the measures that choose
// features and the measures that say how good a model is. It knows no pages and no addresses.
package learn
