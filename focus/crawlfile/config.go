package crawlfile

import (
	"fmt"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/extract"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/rights"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// Config is a crawl file. Default holds what counts where a file says nothing; Load reads a file over it. A key's
// documentation stands in its doc tag, where `thresher check --keys` and the tests read it, what is allowed in its check tag,
// and in its called tag what other programs call it. The keys of StartConfig, StoreConfig and WebConfig stand at the top of the file, as those of Config itself.
type Config struct {
	Name  string      `yaml:"name" doc:"what the crawl is called; the file's name where it is left out"`
	Topic TopicConfig `yaml:"topic" doc:"what is looked for"`
	StartConfig
	Strategy   StrategyConfig `yaml:"strategy" doc:"which link comes next: a strategy's name, the path of its file, or the strategy itself"`
	Learn      LearnConfig    `yaml:"learn" doc:"what a strategy that learns begins with, and how much it keeps in mind"`
	Scope      ScopeConfig    `yaml:"scope" doc:"which addresses may enter at all"`
	Budget     BudgetConfig   `yaml:"budget" called:"limit limits max" doc:"when the crawl ends; what is 0 does not end it"`
	Polite     PoliteConfig   `yaml:"polite" doc:"how hosts are treated"`
	Obey       ObeyConfig     `yaml:"obey" doc:"which reservations of authors keep a page out of the harvest"`
	Fetch      FetchConfig    `yaml:"fetch" doc:"what one page may cost"`
	Reading    ReadingConfig  `yaml:"reading" doc:"how pages are read"`
	Text       TextConfig     `yaml:"text" doc:"how text is cut into words"`
	Context    string         `yaml:"context" doc:"how far the words around a link reach: the block it stands in, or the page" check:"block|page"`
	Related    string         `yaml:"related" doc:"links outside blocks of related links are dropped (strict), or only promise less (soft)" check:"strict|soft"`
	Extract    extract.Rules  `yaml:"extract,omitempty" doc:"values that are taken from pages that are kept, by name: price: {css: .price, as: number}; each is one rule, or a list of rules of which the first that finds something counts"`
	Duplicates string         `yaml:"duplicates" doc:"pages that repeat one that was kept, or nearly so, and lists of pages that are kept: drop or keep them" check:"drop|keep"`
	Cookies    bool           `yaml:"cookies" doc:"keep cookies from page to page, in memory: a crawl that goes on begins without"`
	Ask        bool           `yaml:"ask" doc:"programs that speak to thresher mcp may have the web searched for a question, by this file's manners and scope"`
	RandomSeed uint64         `yaml:"random_seed" doc:"what everything random is drawn from; the same seed makes the same crawl over a recorded web"`
	Window     int            `yaml:"window" doc:"over a recorded web, how many pages are under way at once; 0: as many as polite.parallel" check:"0..10000"`
	StoreConfig
	WebConfig

	File string // the file it was read from; empty for one made in Go

	// Logins are the names and passwords that stood in addresses of the file. They are sent to their own origins, and written
	// nowhere: whoever goes on with the crawl takes them from the file again.
	Logins []Login

	// SameJudge keeps the judge of this config where the strategy would bring its own.
	SameJudge bool

	// Models are files that stand for the models of factors, by factor, where the strategy names none.
	Models map[string]string

	// Factors are what the strategy's tree may use; nil means rank.Factors. A program adds its own to a copy of them.
	Factors *rank.Registry

	source  strict.Node       // the file as written: where mistakes are shown
	given   map[string]string // keys that something else than the file gave, and what that was
	unheard []string          // keys whose values web_topic has replaced by others
}

// StartConfig is where a crawl begins.
type StartConfig struct {
	Seeds       []string     `yaml:"seeds" called:"start starts start_urls start_url start_pages urls url" doc:"the start pages"`
	Sites       []SiteConfig `yaml:"sites,omitempty" doc:"what is known of sites beforehand: the start of the site table"`
	Directories []string     `yaml:"directories,omitempty" doc:"pages of links in which thresher seeds looks for start pages"`
	Engines     []string     `yaml:"engines,omitempty" doc:"search engines that thresher seeds asks: a name, the path of a description, searxng=ADDRESS, or the address of an OpenSearch description"`
}

// StoreConfig is where a crawl leaves what it finds, and what of the machine it may use.
type StoreConfig struct {
	Store   string       `yaml:"store" called:"output out out_dir output_dir output_folder folder" doc:"the run folder, relative to where the program is run; runs/NAME where it is left out"`
	MinFree strict.Size  `yaml:"min_free" doc:"bytes that stay free on the disk of the run folder: with less the crawl stands still until there is room; 0: it is not looked at" check:"0.."`
	Memory  strict.Size  `yaml:"memory" doc:"bytes of memory the program tries to stay below, or nine tenths of what its container may have where that is less, unless GOMEMLIMIT is set; 0: no bound" check:"0.."`
	Metrics string       `yaml:"metrics,omitempty" doc:"where figures for Prometheus are served, such as 127.0.0.1:9100; nowhere where it is left out"`
	Log     string       `yaml:"log" doc:"what crawl says on stderr while it runs: debug adds a line for each page, warn leaves out what needs nobody" check:"debug|info|warn"`
	Sinks   []SinkConfig `yaml:"sinks" called:"outputs format formats" doc:"in which forms kept pages are written"`
	LooksConfig
}

// LooksConfig is what a crawl keeps for a second look.
type LooksConfig struct {
	SecondLook      string      `yaml:"second_look" doc:"which pages are kept for a second look when the crawl is over: all that are not clearly foreign, all of sites that give much and some of the others, all, or none" check:"likely|all|off"`
	SecondLookBytes strict.Size `yaml:"second_look_bytes" doc:"how much room they may take in the run folder; when it is used up the least likely are removed, a quarter of it at a time" check:"1MB.."`
}

// WebConfig is the recorded web that is crawled in the place of the live one.
type WebConfig struct {
	Web      string `yaml:"web" doc:"the folder of a recorded web to crawl instead of the live one"`
	WebTopic string `yaml:"web_topic" doc:"a topic of that web's web.yaml: start pages, terms and language are taken from there"`
}

// TopicConfig says what is looked for. All the ways to say it add up; a judge that is made of pages takes the
// start pages for examples where there are none, and the others refuse a topic of which nothing is said.
type TopicConfig struct {
	Language  topic.Language  `yaml:"language" doc:"the language of the topic's words; auto where they are in another one, or in several"`
	About     string          `yaml:"about" doc:"a sentence that terms are taken from"`
	Terms     []TermConfig    `yaml:"terms" called:"keywords keyword words queries query phrases" doc:"words and phrases of the topic; a plain word has weight 1"`
	Examples  []string        `yaml:"examples" doc:"pages that are of the topic: addresses, HTML files or text files"`
	Corpus    CorpusConfig    `yaml:"corpus,omitempty" doc:"a labelled collection the topic is learned from"`
	Model     string          `yaml:"model,omitempty" doc:"a trained judge (thresher train judge)"`
	Judge     topic.JudgeName `yaml:"judge" doc:"how relevance is worked out"`
	With      strict.Node     `yaml:"with,omitempty" doc:"parameters of the judge, where they are not to be its defaults"`
	Content   string          `yaml:"content" doc:"what of a page is judged: all of it (bm25 leaves out menus, advertisements and lists of links), anchors of hubs and text of others, or the main text" check:"whole|by_kind|main_text"`
	Calibrate string          `yaml:"calibrate" doc:"on: relevance is the judge's number on a scale from 0 to 1 of which the threshold is a part; off: it is that number" check:"on|off"`
	Find      string          `yaml:"find,omitempty" doc:"how much is kept, instead of a threshold: balanced is 0.3; more (0.24) misses fewer pages of the topic and keeps more others, surer (0.38) the other way round; for judge bm25" check:"balanced|more|surer"`
	Threshold float64         `yaml:"threshold" doc:"the relevance from which a page is kept; a trained judge has its own where this is left out, or 0" check:"0..1"`
	Positions PositionWeights `yaml:"positions" doc:"what a word counts by where it stands, instead of what it does for the judge: for bm25 title 4, top and heading 2, anchor 0.5, for others title 3, and 1 elsewhere"`
	Speech    SpeechWeights   `yaml:"speech" doc:"what a Chinese word counts by its part of speech; words of other languages are not tagged"`
	TF        string          `yaml:"tf" doc:"how a page's counts enter the centre of judge centroid: as they are, so that long pages count more, or as a vector of length 1" check:"raw|l2"`
	Centre    CentreConfig    `yaml:"centre" doc:"of judge centroid: what the centre is made of, and which pages move it"`
	Relative  bool            `yaml:"relative" doc:"a term's count is taken relative to the page's most frequent term of the topic"`
}

// TermConfig is a word or phrase and its weight.
type TermConfig struct {
	Term   string  `yaml:"term" doc:"the word or phrase"`
	Weight float64 `yaml:"weight" doc:"what it counts; less than 0: it speaks against a page" check:"-1000..1000"`
}

// CorpusConfig is a labelled collection.
type CorpusConfig struct {
	Relevant string `yaml:"relevant" doc:"pages that are of the topic: a folder, FILE.jsonl, or a list of labels FILE.tsv"`
	Other    string `yaml:"other" doc:"pages that are not, likewise; not needed beside a list"`
}

// PositionWeights are factors on how often a word occurs, by its place on the page; nil is the judge's own.
type PositionWeights struct {
	Title    *float64 `yaml:"title" doc:"in the title" check:"0..1000"`
	Top      *float64 `yaml:"top" doc:"in a first heading (h1)" check:"0..1000"`
	Heading  *float64 `yaml:"heading" doc:"in another heading" check:"0..1000"`
	Meta     *float64 `yaml:"meta" doc:"in the description and keywords" check:"0..1000"`
	Emphasis *float64 `yaml:"emphasis" doc:"emphasised" check:"0..1000"`
	Body     *float64 `yaml:"body" doc:"elsewhere" check:"0..1000"`
	Anchor   *float64 `yaml:"anchor" doc:"in the text of a link" check:"0..1000"`
}

// SpeechWeights are factors on how often a word occurs, by its part of speech.
type SpeechWeights struct {
	Noun      float64 `yaml:"noun" doc:"nouns, names, and what is not tagged" check:"0..1000"`
	Adjective float64 `yaml:"adjective" doc:"adjectives" check:"0..1000"`
	Verb      float64 `yaml:"verb" doc:"verbs" check:"0..1000"`
	Adverb    float64 `yaml:"adverb" doc:"adverbs" check:"0..1000"`
	Function  float64 `yaml:"function" doc:"particles, prepositions and the like" check:"0..1000"`
}

// CentreConfig is the centre that judge centroid measures by.
type CentreConfig struct {
	Words    int     `yaml:"words" doc:"it is made of so many of the most frequent words of the examples" check:"1..100000"`
	Near     float64 `yaml:"near" doc:"the cosine with an example above which a page moves it; 0: the mean cosine of two examples less one standard deviation, or 0.35 with fewer than three of them or with calibrate: off" check:"0..1"`
	Share    float64 `yaml:"share" doc:"with calibrate: on only so great a share of all pages, the nearest ones, moves it, and none of the first 30; 1: any page" check:"(0..1"`
	Clusters int     `yaml:"clusters" doc:"the examples are parted into so many clusters, each with a centre of its own, and a page counts by the nearest; 0: as many as they fall into (k-means, by the best silhouette), one where they do not" check:"0..100"`
}

// SiteConfig is what is known of a site beforehand.
type SiteConfig struct {
	Site       string  `yaml:"site" doc:"a host, sub-domain included, or a host and its first directory: www.example.org/travel"`
	Weight     float64 `yaml:"weight" doc:"how relevant its pages are expected to be" check:"0..1"`
	Confidence float64 `yaml:"confidence" doc:"as many pages as that expectation is worth" check:"0..1000000"`
}

// BudgetConfig ends a crawl.
type BudgetConfig struct {
	Pages      int             `yaml:"pages" called:"max_pages page_limit max_requests" doc:"pages fetched" check:"0.."`
	Relevant   int             `yaml:"relevant" doc:"relevant pages found, without those that repeat one that was kept and those that their authors keep out" check:"0.."`
	Rounds     int             `yaml:"rounds,omitempty" doc:"rounds or generations of strategies that work in rounds" check:"0.."`
	Time       strict.Duration `yaml:"time" called:"max_time duration max_duration" doc:"time since the start" check:"0s.."`
	Bytes      strict.Size     `yaml:"bytes" doc:"bytes received" check:"0.."`
	Saturation float64         `yaml:"saturation" doc:"the share of relevant pages among the last 500 below which it is not worth going on" check:"0..1"`
}

// UsedUp says what of the budget is used up beside the pages, which the crawl counts as they are begun; nothing if nothing is.
func (b *BudgetConfig) UsedUp(counts *ledger.Counts, elapsed time.Duration) string {
	switch recent := counts.Recent(); {
	case b.Relevant == 1 && counts.Relevant >= 1:
		return "1 relevant page was found"
	case b.Relevant > 0 && counts.Relevant >= b.Relevant:
		return fmt.Sprintf("%d relevant pages were found", b.Relevant)
	case b.Time > 0 && elapsed >= b.Time.Duration():
		return fmt.Sprintf("the time of %v is over", b.Time)
	case b.Bytes > 0 && counts.Bytes >= int64(b.Bytes):
		return fmt.Sprintf("the budget of %v (bytes received) is used up", b.Bytes)
	case b.Saturation > 0 && counts.HasWindow() && recent < b.Saturation:
		return fmt.Sprintf("saturated: %.1f %% of the last %d pages were relevant, less than %.1f %%",
			100*recent, ledger.Window, 100*b.Saturation)
	}
	return ""
}

// EndedBy is the key of the budget that a reason for the end of a crawl names, as UsedUp or a selection says it; empty where it names none.
func EndedBy(reason string) (key string) {
	for _, e := range []struct{ said, key string }{{"(bytes received) is used up", "bytes"}, {"the time of", "time"}, {"found", "relevant"},
		{"saturated:", "saturation"}, {" page is used up", "pages"}, {" pages is used up", "pages"}, {"is used up", "rounds"}} {
		if strings.Contains(reason, e.said) {
			return e.key
		}
	}
	return ""
}

// UserAgent is the honest name: what we are, and whom to write to.
func (p *PoliteConfig) UserAgent() string {
	if p.Contact == "" {
		return p.Agent
	}
	return fmt.Sprintf("%s (+%s)", p.Agent, p.Contact)
}

// PoliteConfig says how hosts are treated.
type PoliteConfig struct {
	Contact  string      `yaml:"contact" called:"email mail" doc:"an e-mail or web address that hosts can write to; the live web is not crawled without it"`
	Delay    strict.Pace `yaml:"delay" called:"download_delay crawl_delay rate rate_limit wait" doc:"the pause between two visits of a host, or their rate (2/s); a longer Crawl-delay of the host counts" check:"0s..1h"`
	PerHost  int         `yaml:"per_host" called:"concurrent_requests_per_domain" doc:"visits of one host at the same time" check:"1..100"`
	PerIP    int         `yaml:"per_ip" doc:"visits at the same time of all hosts of one address, as far as it is known; 0: no bound" check:"0..1000"`
	Parallel int         `yaml:"parallel" called:"workers concurrency concurrent_requests threads" doc:"visits of all hosts at the same time" check:"1..10000"`
	Robots   string      `yaml:"robots" called:"robots_txt robotstxt respect_robots robotstxt_obey obey_robots" doc:"whether robots.txt is obeyed" check:"obey|ignore"`
	Agent    string      `yaml:"agent" called:"user_agent useragent" doc:"the name the crawler goes by, in robots.txt too"`
	Adapt    float64     `yaml:"adapt" doc:"a host is left alone for at least so many times as long as its last answer took, where there is a delay; a recorded host is not" check:"0..100"`
	GiveUp   int         `yaml:"give_up" doc:"failures of a host in a row after which it is tried only now and then, and its other links are refused where nothing else is left to visit, or it never answered much; 0: they are tried all the same" check:"0.."`
	Park     int         `yaml:"park" doc:"failures of a host in a row after which it is left alone for 5 seconds, and twice as long after every further one; 0: never" check:"0.."`
	Patience float64     `yaml:"patience" doc:"how many pauses (delay) a link is waited for that promises three times as much as what could be visited at once; 0: never" check:"0..100"`
	Share    float64     `yaml:"share" doc:"the part of the last hundred pages from which on a host's links count a twentieth less, so that others of equal promise come first; 0: never" check:"0..1"`
}

// FetchConfig bounds what one page may cost.
type FetchConfig struct {
	Timeout   strict.Duration `yaml:"timeout" called:"download_timeout" doc:"time for one page, from the connection to the last byte" check:"(0s..1h"`
	MaxBody   strict.Size     `yaml:"max_body" called:"max_size max_body_size" doc:"bytes of a page, or of a sitemap as it is unpacked, that are read; the rest is cut off. 50MB reads the longest sitemaps whole" check:"1KB..1GB"`
	Connect   strict.Duration `yaml:"connect" doc:"time to connect to a host, and again for TLS" check:"(0s..1h"`
	Answer    strict.Duration `yaml:"answer" doc:"time from the request to the end of the answer's header" check:"(0s..1h"`
	MaxHeader strict.Size     `yaml:"max_header" doc:"bytes of an answer's header" check:"4KB..16MB"`
	MaxLinks  int             `yaml:"max_links" doc:"links of a page that are read; of a sitemap all are, up to the 50,000 that one may hold, as far as max_body reaches" check:"1..1000000"`
	Redirects int             `yaml:"redirects" called:"max_redirects follow_redirects" doc:"redirects that are followed from one address" check:"0..50"`
	Retries   int             `yaml:"retries" called:"retry max_retries" doc:"how often a page is asked for again that could not be had for a passing reason, or broke off" check:"0..10"`
	Since     string          `yaml:"since,omitempty" doc:"an earlier run with WARC files, or a recorded web: what has not changed since is taken from there"`
	Private   []string        `yaml:"private,omitempty" called:"local allow_private" doc:"hosts, addresses or networks (10.1.0.0/16) of a private network that may be visited all the same"`
	AccessConfig
}

// ObeyConfig says which reservations keep a page out of the harvest. What authors reserve is written down with every
// page that is kept, whatever stands here; noindex and nofollow are obeyed together with robots.txt, noindex only where search is.
type ObeyConfig struct {
	Training Obey `yaml:"training" doc:"pages on which no model may be trained (train-ai=n, ai-train=no, noai, a TDM reservation)"`
	Mining   Obey `yaml:"mining" doc:"pages that may not be mined (a TDM reservation, noai, ai-input=no)"`
	Search   Obey `yaml:"search" doc:"pages that may not be searched (search=n, noindex)"`
}

// KeepOut is the reserved use that keeps a page out, and empty where none does.
func (o ObeyConfig) KeepOut(said *rights.Reserved) string {
	for use, obey := range [...]Obey{rights.Training: o.Training, rights.Mining: o.Mining, rights.Search: o.Search} {
		if _, reserved := said.Against(rights.Use(use)); reserved && obey.KeepsOut() {
			return rights.Uses[use]
		}
	}
	return ""
}

// Obey says what is done with pages whose authors reserve a use: they are kept out of harvest, archive and index, or kept with what
// was said. They are judged and followed either way.
type Obey string

// What may be done with them.
const (
	KeepOut Obey = "keep-out"
	Record  Obey = "record"
)

// Words are what it may be.
func (Obey) Words() []string { return []string{string(KeepOut), string(Record)} }

// KeepsOut tells whether such pages are not kept. The zero value says that they are not.
func (o Obey) KeepsOut() bool { return o != Record }

// TextConfig says how text is cut into words.
type TextConfig struct {
	Limit    strict.Size `yaml:"limit" doc:"how much of a page's text is cut into words and looked through for terms, anchors not counted; 0: all of it" check:"0.."`
	UserDict string      `yaml:"user_dict" called:"dictionary dict" doc:"a file of words of your own for cutting Chinese"`
}

// SinkConfig is one form in which kept pages are written.
type SinkConfig struct {
	To     sink.Form   `yaml:"to" doc:"the form"`
	Rotate strict.Size `yaml:"rotate" doc:"the size at which a new file is begun" check:"64KB.."`
	Fields []string    `yaml:"fields,omitempty" doc:"which fields of a page are written, and in which order; all where it is left out (jsonl, csv, opensearch)"`
	URL    string      `yaml:"url,omitempty" doc:"opensearch: where the cluster is; USER:PASSWORD come from THRESHER_OPENSEARCH_LOGIN"`
	Index  string      `yaml:"index,omitempty" doc:"opensearch: the index; thresher-NAME where it is left out"`
	Queue  strict.Size `yaml:"queue,omitempty" doc:"opensearch: how much of the harvest may wait to be sent before the crawl waits; 256MB where it is left out"`
}

// Default is what counts where a crawl file says nothing: safe, polite, and small.
func Default() Config {
	t := topic.Defaults()
	c := Config{
		Topic: TopicConfig{Language: topic.Language(t.Language), Judge: topic.JudgeName(t.Judge), Content: t.Content, Calibrate: t.Calibrate, Threshold: t.Threshold, TF: t.TF,
			Centre: CentreConfig(t.Centre),
			Speech: SpeechWeights{1, 1, 1, 1, 1}},
		Strategy: StrategyConfig{Name: "apprentice"},
		Obey:     ObeyConfig{KeepOut, KeepOut, KeepOut},
		Scope:    ScopeConfig{Types: "pages", Traps: "watch", Soft404: "watch", Sitemaps: true, MaxAddress: 2000},
		Budget:   BudgetConfig{Pages: 3000},
		Polite: PoliteConfig{Delay: strict.Pace(time.Second), PerHost: 1, Parallel: 32, Robots: "obey", Agent: "thresher", Adapt: 2, GiveUp: 10, Park: 5,
			Patience: 2, PerIP: 8},
		Fetch: FetchConfig{Timeout: strict.Duration(30 * time.Second), Connect: strict.Duration(10 * time.Second), Answer: strict.Duration(20 * time.Second),
			MaxBody: 10e6, MaxHeader: 256e3, MaxLinks: 5000, Redirects: 5, Retries: 2},
		Text:       TextConfig{Limit: 20 << 10},
		Reading:    defaultReading(),
		Learn:      defaultLearn(),
		Context:    "block",
		Related:    "soft",
		Duplicates: "drop",
		RandomSeed: 1,
		StoreConfig: StoreConfig{Memory: 2e9, MinFree: 200e6, Log: "info", Sinks: []SinkConfig{{To: "jsonl", Rotate: 1 << 30}, {To: "warc", Rotate: 1 << 30}},
			LooksConfig: LooksConfig{SecondLook: "likely", SecondLookBytes: 2e9}},
	}
	for name, weight := range t.Speech {
		*c.Topic.Speech.byName()[name] = weight
	}
	return c
}
