// Package configs answers one question: which strategies does the program bring along?
//
// The files in this folder are what people run and read; the strategies among them are also built into the program, so
// that a crawl file can name one wherever it is run.
package configs

import "embed"

// Strategies holds the strategy files, below strategies/.
//
//go:embed strategies/*.yaml
var Strategies embed.FS
