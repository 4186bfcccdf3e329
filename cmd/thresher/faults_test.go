package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// faults are what stopped those who tried thresher for the first time, each with what holds that it does not come back: a test of a
// package, or a line of a script in .ci.
var faults = []struct{ fault, held string }{
	// The install.
	{"the demo wants a file", "cmd/thresher TestTheDemoNeedsNothing"},
	{"thresher alone says too much", "cmd/thresher TestThresherAlone"},
	{"--version is unknown; nobody knows which cutter of words is in", "cmd/thresher TestVersion"},
	{"the two cutters of words cut differently", "focus/text TestBackendsAgree"},
	{"programs of a release are too large", ".ci/release most=46000000"},
	{"what is handed out lacks the notices of its parts", ".ci/run .ci/notices"},
	{"a program that is moved lacks its dictionaries", "cmd/thresher TestACopiedBinaryJudgesChinese"},
	{"a change does not build for Windows", ".ci/run GOOS=windows"},
	{"the README shows what is not printed", "cmd/thresher TestTheREADMEShowsWhatIsPrinted"},
	{"the first build compiles the client of Redis six times", "focus/frontier/redis TestWhoSeesAFrontierCompilesNoClient"},
	{"the first hour stops somewhere", ".ci/first-hour step "},
	// The quickstart.
	{"articles are generated sentences, or too few", "focus/replay/drawn TestArticlesAreWritten"},
	{"titles of the quickstart are made up by a generator", "focus/replay/drawn TestTitlesReadLikeThoseOfAWeb"},
	{"the quickstart's harvest is no better than breadth", "cmd/thresher TestTheQuickstart"},
	{"the drawn webs are others than those in the folder", "focus/replay/drawn TestDrawnWebsAreThoseInTheFolder"},
	{"noise, tunnels and traps are missing from the drawn web", "focus/replay/drawn TestQuickstartHoldsWhatACrawlerMeets"},
	// The terminal.
	{"the live line fills the screen", "cmd/thresher TestTheLiveLineFits"},
	{"a crawl over a recorded web tells one time of two", "cmd/thresher TestTheLiveLineTellsBothTimes"},
	{"tables and lists are wider than the window", "cmd/thresher TestNothingIsWiderThanTheWindow"},
	{"lines are broken within words", "cmd/thresher TestLinesAreFoldedBetweenWords"},
	{"a line that is written in pieces is wider than the window", "cmd/thresher TestALineInPiecesIsFoldedLikeAWholeOne"},
	{"keys typed ahead answer a question of label", "cmd/thresher TestKeysTypedAheadAnswerNothing"},
	{"keys typed ahead take a word", "cmd/thresher TestKeysTypedAheadTakeNoSuggestion"},
	// A crawl that fetched nothing.
	{"a crawl that fetched nothing has succeeded", "cmd/thresher TestACrawlThatFetchedNothingHasFailed"},
	{"it does not say what to do", "cmd/thresher TestCures"},
	{"what it proposes does not help; a bad certificate is told as robots", "cmd/thresher TestWhatFailedIsCured"},
	{"a name without an address is told late", "cmd/thresher TestANameWithoutAnAddressIsTold"},
	{"a host that speaks no TLS is asked for a minute", "focus/wire TestWhatSpeaksNoTLSIsNotAskedAgain"},
	{"nothing is said while nothing comes", "cmd/thresher TestTheLiveLineSaysWhatIsWaitedFor"},
	// Pages that are not wide open.
	{"cookies of a browser and a proxy with a password are of no use", "cmd/thresher TestACrawlWithCookiesAndProxy"},
	{"a dead proxy is told late", "cmd/thresher TestADeadProxyIsTold"},
	{"what a proxy with a password wants is not told", "cmd/thresher TestAProxyThatWantsALoginIsTold"},
	{"a login that a proxy would read stays at home, and nobody is told", "focus/crawlfile TestLoginsThatStayAtHomeAreToldOf"},
	{"a proxy that failed once is given up, or never left alone", "focus/wire TestWhenAProxyRests"},
	{"a proxy opens private networks", "focus/wire TestAllowedNetworksStayAllThereIsByAProxy"},
	{"HTTP_PROXY and NO_PROXY are not heard", "focus/wire TestProxiesOfTheEnvironment"},
	{"headers are not added", "focus/wire TestHeadersAreAdded"},
	{"a secret goes to another origin", "focus/wire TestSecretsStayWithTheirOrigin"},
	{"secrets are read from files that others can read", "focus/crawlfile TestSecretsAreReadFromFilesOfOnesOwn"},
	{"a password is written down", "cmd/thresher TestAPasswordIsWrittenNowhere"},
	{"links that log out are followed", "focus/junk TestLinksThatLogOut"},
	{"pages that only a script fills are lost", "focus/ground TestPromisingPagesAreRendered"},
	{"rendering takes more than its part of the budget", "focus/ground TestATenthOfTheBudgetIsRendered"},
	{"rendering forgets the manners", "focus/ground TestAHostIsLeftAloneBeforeItIsRendered"},
	// Extraction.
	{"values of a page are lost on the way", "cmd/thresher TestExtractedValuesTravelWithTheHarvest"},
	{"selectors, JSON-LD, microdata, OpenGraph, types and lists", "focus/extract TestValues"},
	{"JSON-LD, microdata and OpenGraph are not found by themselves", "focus/extract TestWhatPagesSayToMachinesIsFoundByName"},
	{"a page without what it must have is kept", "cmd/thresher TestAPageThatLacksAValueIsNotKept"},
	{"a wrong rule is not shown at its place", "focus/extract TestWrongRulesAreShownAtTheirPlace"},
	// A file that is watched.
	{"a change of the file is not heard", "focus TestACrawlFollowsItsFile"},
	{"a change counts in part, or what may not change is not named", "focus TestACrawlRefusesAChangeWhole"},
	// Reports.
	{"the report shows less than the page of the run", "focus/watch TestTheReportIsThePageInOneFile"},
	{"reasons are words of one language only", "focus/admit TestEveryReasonHasWords"},
	{"a report of a Chinese crawl is English", "cmd/thresher TestReportsOfAChineseCrawl"},
	{"compare's report speaks another language than the web", "focus/compare TestTheReportSpeaksTheWebsLanguage"},
	{"pages are cut on a telephone", "focus/serve TestWhatAPersonSees"},
	// Words that mean one thing.
	{"a host is with its port here, and without it there", "cmd/thresher TestAHostWithoutItsPort"},
	{"scope.hosts knows no ports", "focus/admit TestScopeAdmits"},
	{"reasons are keywords; the line of robots.txt is not told", "cmd/thresher TestRefusalsAreListedByReason"},
	{"nobody knows which line of robots.txt decided", "focus/robots TestRobotsSaysWhichLineDecided"},
	{"a start page is listed with a number; a site's share lies outside its interval", "cmd/thresher TestStartPagesAndSites"},
	{"the score of a start page is a number", "focus/sink TestHarvestReadsBackWhatWasKept"},
	{"fields are missing from some lines of a harvest, or it has no schema version", "focus/sink TestFieldsAreThoseOfTheRecord"},
	// Small things.
	{"a finished crawl that is started again does not say what to do", "cmd/thresher TestWrongRunFolders"},
	{"inject takes neither a file nor -", "cmd/thresher TestListsOfAddresses"},
	{"a pipe that closes is an error", "cmd/thresher TestNobodyReads"},
	{"what a message proposes cannot be typed", "cmd/thresher TestWhatMistakesProposeCanBeTyped"},
	{"messages of commands name Go", "cmd/thresher TestMessagesNameNoGo"},
	{"values are not completed", "cmd/thresher TestCompletionOfValues"},
	{"what fetch.since spared is not counted", "focus TestARepeatedCrawlTakesWhatHasNotChanged"},
	{"why of an unknown address succeeds", "cmd/thresher TestReadingCommands"},
	{"and 1 other reasons; a heading over nothing", "cmd/thresher TestReasonsThatAreNotShownAreCounted"},
	{"nothing stands at / of the port of the metrics", "focus TestFiguresAreServedWhileTheCrawlRuns"},
	{"pages in HZ are not read", "focus/wire/charset TestDecode"},
	{"a file in one language for a web in the other", "cmd/thresher TestAFileInOneLanguageForAWebInTheOther"},
	{"1 blocks; the budget of 1 pages", "cmd/thresher TestOneIsNotMany"},
	{"a list has no head", "cmd/thresher TestListsHaveHeads"},
	{"repair advises itself", "cmd/thresher TestARepairDoesNotAdviseARepair"},
	{"the shipped crawl files are not safe to run", "focus/crawlfile TestConfigsAreSafe"},
}

// TestEveryFaultHasItsTest holds that what is named beside each fault is there.
func TestEveryFaultHasItsTest(t *testing.T) {
	tests := map[string]bool{}
	name := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		for _, found := range name.FindAllSubmatch(text, -1) {
			tests[filepath.ToSlash(folder)+" "+string(found[1])] = true
		}
		return err
	})
	noError(t, err)
	for _, f := range faults {
		where, what, _ := strings.Cut(f.held, " ")
		if !strings.HasPrefix(where, ".ci/") {
			if !tests[f.held] {
				t.Errorf("%q: there is no test %s of %s", f.fault, what, where)
			}
			continue
		}
		if text, err := os.ReadFile(filepath.Join(root, where)); err != nil || !strings.Contains(string(text), what) {
			t.Errorf("%q: %s has no %q (%v)", f.fault, where, what, err)
		}
	}
}
