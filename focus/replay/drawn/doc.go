// Package drawn answers one question: what web would put a crawler to the test?
//
// Draw makes a recorded web out of nothing but a seed and some knobs: hosts, topics, tunnels, advertisements, charsets and
// broken pages as they are met in the open, each as strong as its knob says. No crawl needs it: it draws testdata/webs and
// the webs of tests.
package drawn
