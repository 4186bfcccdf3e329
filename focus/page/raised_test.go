package page

import "testing"

// TestWhatStandsHigherCounts holds that a number that stands higher or lower than its line is no part of the number before it.
func TestWhatStandsHigherCounts(t *testing.T) {
	for html, want := range map[string]string{
		"<p>About 10<sup>6</sup> m<sup>2</sup>, 10<sup>&minus;3</sup> or 10<sup>-3</sup>, e<sup>x</sup>, 2<sup>n-1</sup>, 10<sup><i>n</i></sup>.": "About 10⁶ m², 10⁻³ or 10⁻³, eˣ, 2ⁿ⁻¹, 10ⁿ.",
		"<p>The 1<sup>st</sup>, M<sup>lle</sup>, Kettle<sup>TM</sup>, Na<sup>+</sup>, Ca<sup>2+</sup>.":                                           "The 1st, Mlle, KettleTM, Na+, Ca²⁺.",
		"<p>In 1931<sup>3</sup> and 1932<sup><a href='#n'>12</a></sup>, by Lee<sup>[4]</sup><sup>1,2</sup> at p = 0.2<sup>a</sup>.":               "In 1931³ and 1932¹², by Lee[4]¹,² at p = 0.2a.",
		"<p>H<sub>2</sub>O, C<sub>6</sub>H<sub>12</sub>O<sub>6</sub>, PM<sub>2.5</sub>, x<sub>i</sub>, SO<sub>4</sub><sup>2&minus;</sup>.":        "H2O, C6H12O6, PM2.5, xi, SO4²⁻.",
		"<p>log<sub>10</sub>100, 1011<sub>2</sub>, <sup>14</sup><sub>6</sub>C, 1<sup>1</sup>&frasl;<sub>2</sub>, <sup>3</sup>/<sub>4</sub>.":      "log₁₀100, 1011₂, ¹⁴₆C, 1¹⁄₂, ³/4.",
		"<p>3.5×10<sup>4</sup>平方公里，10<sup>\n-6</sup>，1米<sup>2</sup>。":                                                                             "3.5×10⁴平方公里，10 ⁻⁶，1米²。",
		"<p>a<sup>1<br>2</sup> b<sup>2":                         "a1\n2 b2",
		"<p>x<sup>2 <sup>3</sup></sup> &amp; <sup>&amp;1</sup>": "x2 ³ & &1",
	} {
		if got := Parse([]byte(html), "http://x.example/", Options{}).MainText(); got != want {
			t.Errorf("%s\nreads %q\nwant  %q", html, got, want)
		}
	}
}
