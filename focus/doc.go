// Package focus is the crawl: it puts the questions in order. It knows the rooms of the house, and beside extensions it is
// the only one that knows Colly.
//
// A Config is what a crawl file says; what belongs to the running program (sinks of its own, a transport, a logger, a clock)
// is an Option, the same for New and for Attach. A Crawler is a crawl that can be run, and a Report is how it ended. Steps are
// the part of the journey that hangs on a Colly collector. A Visit is one page on its way through the journey, and a Candidate
// one of its links. What a crawl makes of each setting of a program's own collector is told at On.
//
// # A page's journey
//
// Every page travels the same nine steps. They are nine short methods in journey.go, in this order:
//
//  1. Pop. The frontier hands over its most promising link whose host may be visited now. A host that has had its pages
//     or is down is refused here; then robots is asked, and a robots.txt that must be fetched first takes the host's turn.
//  2. Fetch. Colly fetches it. Over a recorded web only the transport differs.
//  3. Read. Package page turns bytes into title, blocks, text by position, and links; a link knows its anchor, the words
//     around it, the block it stands in, its tag path.
//  4. Judge. Package text cuts the words, package topic says how relevant page and blocks are, and which terms said so.
//  5. Keep. If it is relevant enough, the sinks receive a record: page, judgement, trail, and why we came.
//  6. Learn. The strategy hears how the promise turned out; what learns adjusts itself; the topic may adapt; waiting
//     links that this touches are scored again.
//  7. Admit. Each link passes scheme, scope, type, traps, nofollow, tunnel, budget: in, or refused with a named reason.
//  8. Rank. Admitted links get a score: a tree of numbers.
//  9. Push. They enter the frontier with score, numbers and the link they came by. The host's next turn is set; back to
//     step 1.
//
// Steps 3 to 9 are Colly callbacks. Attach registers them on any collector, and the Crawler uses that same function: an
// ordinary Colly program gets focused scoring from it with the drop-in queue of package extensions and a few lines.
//
// # What an error says
//
// A message begins with what it is about: a key of the crawl file with its place, a file, an address. It names no package,
// because it is read by whoever runs a command; only what a program asked of a package in the wrong way begins with the
// function, as in focus.New or extensions.Agent.
//
// The rooms and their questions, who owns what, and the glossary stand below, in the source of doc.go.
package focus

// What follows is for whoever works on the house.
//
// # The rooms
//
// Each package answers one question, and knows only those it needs for the answer (TestLayers holds the arrows, and
// TestHouse how large the rooms are).
//
//   - focus: in what order? The journey, the crawl, and Attach.
//   - focus/crawlfile: what does the file ask for?
//   - focus/admit: may it enter?
//   - focus/page: what does the page say? focus/pdf: what does a PDF say? focus/text: which words are that? focus/topic: is it of the topic?
//   - focus/rank: how much does a link promise? focus/selection: which link is next?
//   - focus/frontier, and disk and redis below it: what waits, and whose host may be asked now?
//   - focus/ground: over which web, in whose time, under which name? focus/probe: what does a single page say, without a crawl?
//   - focus/study: what is learned before a crawl, and from what? focus/learn: how is it learned?
//   - focus/ahead: what can be known of a page before it has the turn?
//   - focus/turn: whose turn is it, and where does the time of a page go?
//   - focus/visits: was a page visited, as Colly asks its storage?
//   - focus/ledger: what was counted? focus/run: what does a run folder say?
//   - focus/sink: in what form is it kept? focus/outlet: in what form does it leave? focus/parquet: how does a table
//     look? focus/card: what must be known of it? focus/etiquette: what was asked of a host? focus/forget: what
//     is left of one that wants out? focus/warc: how does an archive look?
//   - focus/wire: what came over the wire? Layers of the transport; wire/charset: in which letters?
//   - focus/robots: may we ask? focus/rights: what do authors reserve? focus/signing: is it really us? focus/junk: is it worth keeping?
//     focus/sitemap: which addresses does a site list?
//   - focus/recent: what was met of late? focus/meters: which figures go to Prometheus?
//   - focus/winnow: what does the crawl as a whole say of its pages? focus/extract: which values stand on one?
//   - focus/suggest: which words would tell the topic better? focus/ask: where does the search for an answer begin?
//   - focus/audit: how much of the topic does a harvest have? focus/opinion: what does a model say of a page?
//   - focus/index: where in a harvest does it stand? focus/watch: what has a run done so far?
//     focus/serve: what does a person see of it?
//   - focus/replay: a web in a box. focus/measure: how good was it? focus/compare: which strategy is better?
//   - focus/seek: where does a crawl begin? focus/again: which page is worth a second visit, and when?
//   - focus/strict: what is wrong with what a person wrote, and where? focus/shell: how does a command stand in a message?
//     focus/pack, focus/whole: bytes, and files that are written whole or not at all.
//   - extensions: what does a Colly program need to behave in the open?
//
// # The files of this one
//
//   - journey.go, and visit.go, found.go, place.go, unfit.go, record.go: the nine steps, a page on its way through them, the
//     links found on it, the place in which each waits, what is not kept, and what is written down.
//   - attach.go, collector.go, fetch.go, manners.go: how they hang on Colly, what a program's collector brings along, what comes
//     over its transport, and how hosts are treated.
//   - crawler.go, running.go, new.go: a crawl, its options, how it is made. workers.go, conclude.go, control.go: who
//     works, who is waited for, how a visit ends, what the crawl is told and when it stops. clock.go, company.go: what time it
//     is, and who else crawls.
//   - store.go, resume.go, repair.go: what outlives the process, and what goes wrong with it.
//   - shared.go, shared_store.go: a crawl of many machines.
//   - report.go: how a crawl ended.
//
// # Three decisions stay apart
//
// May it enter (admit: a reason), how promising is it (rank: a number), what comes next (select: an order). One float
// never carries two meanings.
//
// # What goes on at the same time
//
// Workers fetch and read at the same time, and what users hang on the collector runs there, possibly in parallel. All that
// needs the page alone is prepared there (preparer): reading, cutting words, what the scope says of each link and, where the
// judge learns nothing while it crawls, the judgement, what the page alone says of its links, and what is written of it (package
// ahead). A preparer holds nothing that another page may change: of the frontier it asks for the numbers and addresses of what is known
// there, which stay; what was new is asked for again in the turn. From Judge on, one page at a time has the turn, until its outcome has
// been told to the frontier: topic, memory, ledger, sinks and log need no locks of their own. Over a recorded web the turns come in the
// order of the pops, and the next pop is
// decided while the turn is held; that is why the same file, seed and window give the same bytes, however the workers
// were scheduled.
//
// # Who owns what
//
// What waits is the frontier's, and what a frontier can do beyond its five methods is found out when it is opened
// (powers). What was counted is the ledger's, a value to which events are applied (package ledger). What links turned out
// to be worth is the strategy's memory, and what the topic learns the topic's. Each of these writes down what changes in it,
// and all are kept with the outcome of the visit that changed them (store.go).
//
// # Glossary
//
//   - topic: what the crawl looks for.
//   - relevance: how much a page is of the topic, in [0,1]; frozen when the page is judged.
//   - promise, score: how much a link is hoped to lead to. The numbers of its tree are the explanation.
//   - evidence: all that a factor may know about one link.
//   - trail: the chain of links that led to a page, resolved by the ids of the items.
//   - drought: how many pages of a trail were not relevant since the last one that was.
//   - tunnel: a trail through irrelevant pages, as long as its allowance lasts.
//   - harvest rate: the share of relevant pages, without those that repeat one that was kept or are not to be, among those fetched.
//   - refusal: a link or page that was refused, with a reason that has a name.
//   - ledger: what was counted and seen; it changes by the events that are recorded in it.
//   - selector: what holds links back and lets them go in rounds, generations or groups.
//   - ground: what a crawl stands on, the web with the way to it and its time.
//   - prober, its probe, request and answer: who goes ahead of a crawl, the web it asks, what it asks, and what it hears.
//   - clock: the time of a crawl, that on the wall or that of a recorded web.
//   - company: who has a part in a crawl, this process alone or the machines that share it on Redis.
//   - owner: whose visits the steps see, those of a crawl or those of a Colly program of its own.
//   - pages: those of a recorded web, read once for many crawls. labelled web: one that a strategy learns from.
//   - learner: what experience changes. lesson: what it learned since it was last asked.
//   - identity: the canonical form of an address, what it is known by; what is fetched is the address as written.
