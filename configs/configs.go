// Package configs answers one question: which strategies and search engines does the program bring along?
//
// The files in this folder are what people run and read; the strategies and the descriptions of search engines among them
// are also built into the program, so that a crawl file can name one wherever it is run, and so is the first crawl.
package configs

import "embed"

// Strategies holds the strategy files, below strategies/.
//
//go:embed strategies/*.yaml
var Strategies embed.FS

// Engines holds the descriptions of search engines, below engines/.
//
//go:embed engines/*.yaml
var Engines embed.FS

// Quickstart is the crawl file of the first crawl, quickstart.yaml.
//
//go:embed quickstart.yaml
var Quickstart []byte
