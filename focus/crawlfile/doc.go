// Package crawlfile answers one question: what does the file ask for? A Config is a crawl file, read. Load puts together
// what counts, from the least to the most: the defaults, the file, the environment, the flags. What is wrong is told all
// at once, with its place and what to write instead, before anything runs; what may not be meant is a warning. Amend adds
// to a file and leaves the rest of its text as it stands.
//
// Nothing here belongs to a running program: no clock, no context, no transport.
package crawlfile
