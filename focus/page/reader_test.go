package page

import "testing"

// TestTextIsWhatAReaderReads holds that what browsers show is text, once and in its order, and what they do not show is none.
func TestTextIsWhatAReaderReads(t *testing.T) {
	for html, want := range map[string]string{
		"<p>他说：“好。”\n她走了，\n“再见”\n——他说……\n（完）\n‘甲’\n乙</p>":                                                                                                                                              "他说：“好。”她走了，“再见”——他说……（完）‘甲’乙",
		"<p>He said “yes.”\n“No…”\n“A”\nb\n中文\nEnglish\n“中”</p>":                                                                                                                                       "He said “yes.” “No…” “A” b 中文 English “中”",
		"<p>Seen <span class='sr-only'>(current)</span> <a href=/c>docs<span class='visually-hidden'> (opens in a new tab)</span></a>.</p>":                                                            "Seen docs.",
		"<h2 class='screen-reader-text'>Post navigation</h2><p class='not-sr-only'>Read.</p>":                                                                                                          "Read.",
		"<video controls><source src=v.mp4><p>Your browser cannot play it.</p></video><p>After<canvas>No canvas</canvas><audio src=a>no audio</audio> it.</p>":                                         "After it.",
		"<blockquote><p>To be.</p><footer>— <cite>Ann Lee</cite></footer></blockquote>":                                                                                                                "To be.\n— Ann Lee",
		"<p>Pour <select><option>1<option>2</select> cups.</p>":                                                                                                                                        "Pour cups.",
		"<x-card><template shadowrootmode=open><style>p{}</style><p>In its shadow.</p><slot></slot></template><p>In its light.</p></x-card><template><p>no</p></template>":                             "In its shadow.\nIn its light.",
		"<p>She said <q>stop <q>now</q></q>.</p>":                                                                                                                                                      "She said “stop ‘now’”.",
		"<p>The <a class='tooltip' href=/t title='a tall pole'>mast</a> and <span class=tooltip data-tip='a wire'>stay</span> hold.</p>":                                                               "The mast and stay hold.",
		"<p>Hover <span class=tooltip>here<span class=tooltiptext>It is a tip</span></span> now<span role=tooltip class=tooltip>no</span>.</p>":                                                        "Hover here now.",
		"<div role=table><div role=row><span role=columnheader>Year</span><span role=columnheader>Sum</span></div><div role=row><span role=rowheader>1931</span><span role=cell>77</span></div></div>": "Year Sum\n1931 77",
	} {
		if text, _ := shown(t, html); text != want {
			t.Errorf("%s\nreads %q\nwant  %q", html, text, want)
		}
	}
}
