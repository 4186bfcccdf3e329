package page

import (
	"strings"
	"testing"
)

// TestTextIsWhatAReaderReads holds that what browsers show is text, once and in its order, and what they do not show is none.
func TestTextIsWhatAReaderReads(t *testing.T) {
	for html, want := range map[string]string{
		"<p>他说：“好。”\n她走了，\n“再见”\n——他说……\n（完）\n‘甲’\n乙</p>":                                                                                                                                                                                                 "他说：“好。”她走了，“再见”——他说……（完）‘甲’乙",
		"<p>He said “yes.”\n“No…”\n“A”\nb\n中文\nEnglish\n“中”</p>":                                                                                                                                                                                          "He said “yes.” “No…” “A” b 中文 English “中”",
		"<p>Seen <span class='sr-only'>(current)</span> <a href=/c>docs<span class='visually-hidden'> (opens in a new tab)</span></a>.</p>":                                                                                                               "Seen docs.",
		"<h2 class='screen-reader-text'>Post navigation</h2><p class='not-sr-only'>Read.</p>":                                                                                                                                                             "Read.",
		"<video controls><source src=v.mp4><p>Your browser cannot play it.</p></video><p>After<canvas>No canvas</canvas><audio src=a>no audio</audio> it.</p>":                                                                                            "After it.",
		"<blockquote><p>To be.</p><footer>— <cite>Ann Lee</cite></footer></blockquote>":                                                                                                                                                                   "To be.\n— Ann Lee",
		"<p>Pour <select><option>1<option>2</select> cups.</p>":                                                                                                                                                                                           "Pour cups.",
		"<x-card><template shadowrootmode=open><style>p{}</style><p>In its shadow.</p><slot></slot></template><p>In its light.</p></x-card><template><p>no</p></template>":                                                                                "In its shadow.\nIn its light.",
		"<h2><span class='ltx_tag'>1.2 </span>Of caches</h2><p>So.</p><h2><span class=tag>News</span> Kettles</h2><p>So.</p><h2><span class=meta>27.01.2022</span> Pots</h2><h2><span class=date>1.2</span> Pans</h2>":                                    "1.2 Of caches\nSo.\nKettles\nSo.\nPots\nPans",
		"<p>Good <img class='emoji wp-smiley' alt='😀' src=a.png> tea<img class=emoji alt=':smile:'>, <img alt='☕'>now.</p>":                                                                                                                               "Good 😀 tea, now.",
		"<main><p>The keel is of oak.</p><div hidden=until-found><p>The mast is of pine.</p></div><div popover><p>Press here.</p></div><div popover=MANUAL><p>Or here.</p></div><p popover='It is said.'>The sail is red.</p></main>":                     "The keel is of oak.\nThe mast is of pine.\nThe sail is red.",
		"<p>Only <span class='a-offscreen'>$12.99</span><span aria-hidden=true><span>$</span>12.99</span> now.</p>":                                                                                                                                       "Only $12.99 now.",
		"<p>&emsp;&emsp;第一段。</p><p>\u2003\u2003第二段，12\u202f000\u2009km。</p><p>a&thinsp;b</p>":                                                                                                                                                             "第一段。\n第二段，12 000 km。\na b",
		"<ul><li><span class='spec-label'>Weight</span><span class=v>20 kg</span><li><span class='label-value'>31</span><span class=unit>g</span><li><span class=label>Size</span>: 3, <span class=label>a</span></ul>":                                   "Weight 20 kg\n31g\nSize: 3, a",
		"<p><q>“Go”</q>, <q> &ldquo;Stay&rdquo;</q></p>":                                                                                                                                                                                                  "“Go”, “Stay”",
		"<div><div class='alert hidden'>It is deleted.</div><p>Tea. <span class=hidden>edited by</span> <span class='d-none'>no</span></p><p class='hidden md:block'>Wide.</p><p class='d-none d-md-block'>Wide.</p><p class='hidden-xs'>Here.</p></div>": "Tea.\nWide.\nWide.\nHere.",
		"<p>Dear all,\n\nthe kettle of the house is broken, and no tea was made today.\n \nIt is mended\nby noon.\n\n   Ann\n\n</p><p>A\n\nb</p>":                                                                                                         "Dear all,\nthe kettle of the house is broken, and no tea was made today.\nIt is mended by noon. Ann\nA b",
		"<p>She said <q>stop <q>now</q></q>.</p>": "She said “stop ‘now’”.",
		"<p>The <a class='tooltip' href=/t title='a tall pole'>mast</a> and <span class=tooltip data-tip='a wire'>stay</span> hold.</p>":                                                               "The mast and stay hold.",
		"<p>Hover <span class=tooltip>here<span class=tooltiptext>It is a tip</span></span> now<span role=tooltip class=tooltip>no</span>.</p>":                                                        "Hover here now.",
		"<div role=table><div role=row><span role=columnheader>Year</span><span role=columnheader>Sum</span></div><div role=row><span role=rowheader>1931</span><span role=cell>77</span></div></div>": "Year Sum\n1931 77",
	} {
		if text, _ := shown(t, html); text != want {
			t.Errorf("%s\nreads %q\nwant  %q", html, text, want)
		}
	}
}

// TestAnswersUnfold holds that the answers of a page of questions are text though they are not shown until one asks, in boxes of their own, too.
func TestAnswersUnfold(t *testing.T) {
	const first = "About eighty degrees, for green tea; for black tea it boils, and for white tea it has cooled a while."
	const second = "Two minutes, or three if you like it strong and dark; the second cup takes one more."
	for _, box := range []string{
		`<div class="faq-item"><h3><button aria-expanded="false">%q</button></h3><div id="c1" hidden><p>%a</p></div></div>`,
		`<div class="faq-item"><button aria-expanded="false">%q</button><div class="panel" style="display:none"><p>%a</p></div></div>`,
		`<section><div class="question">%q</div><div class="answer" hidden>%a</div></section>`,
	} {
		fill := func(question, answer string) string {
			return strings.NewReplacer("%q", question, "%a", answer).Replace(box)
		}
		p := Parse([]byte("<title>Tea</title><body><nav><a href=/>Home</a></nav><main><h1>What is asked about tea</h1>"+
			fill("How hot is the water?", first)+fill("How long does it take?", second)+"</main>"), "http://x.example/faq", Options{})
		if want := "What is asked about tea\nHow hot is the water?\n" + first + "\nHow long does it take?\n" + second; p.MainText() != want {
			t.Errorf("%s\nreads %q\nwant  %q", box, p.MainText(), want)
		}
	}
}
