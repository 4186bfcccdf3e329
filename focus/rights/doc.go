// Package rights answers one question: what do authors reserve?
//
// What may be done with a page is said in four places: in its own head, in the header that it came with, in the robots.txt and in
// the tdmrep.json of its host. Of reads all of it, as statements that stand as they were written, each with the place where it was
// said. Three uses are told apart: training models on a page, mining its text, and letting it be searched. Of several statements about
// a use the one nearest to the page counts, and of equally near ones the strictest.
//
// # What is read, and by which text
//
//   - Content-Usage, in the header and in robots.txt, there also for a path: draft-ietf-aipref-attach-05, with the words of
//     draft-ietf-aipref-vocab-08 (train-ai, search) and of its earlier drafts (bots, tdm, ai, genai, train-genai, ai-output).
//   - Content-Signal, in the same places: draft-romm-aipref-contentsignals-00 (search, ai-input, ai-train).
//   - tdm-reservation and tdm-policy, in head, header and /.well-known/tdmrep.json: the TDM Reservation Protocol of W3C's community
//     group, its final report of 10 May 2024.
//   - X-Robots-Tag and robots meta elements: noindex, none, unavailable_after, noarchive, noai, noimageai and their like, which no
//     standard has.
//   - License in robots.txt (RSL 1.0), and links of rel=license, in head and text: written down, and what they lead to is not fetched.
package rights
