package page

import "testing"

// TestFormulasStandOnce holds that each formula is written once, as TeX, whoever has set it: a script, the author, or a browser that reads MathML.
func TestFormulasStandOnce(t *testing.T) {
	for html, want := range map[string]string{
		"<math><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><mfrac><mi>a</mi><mrow><mi>b</mi><mo>&#x2062;</mo><mi>c</mi></mrow></mfrac><mo>=</mo><msqrt><mi>y</mi></msqrt></math>":                               `$x^{2}+\frac{a}{bc}=\sqrt{y}$`,
		"<math><mrow><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>a</mi><mi>i</mi></msub><mo>&lt;</mo><mn>5</mn><mo>%</mo></mrow></math>":                 `$∑_{i=1}^{n}a_{i}<5\%$`,
		"<math><mi>sin</mi><mo>&#x2061;</mo><mi>θ</mi><mo>−</mo><mi>Re</mi><mtext>&nbsp;if </mtext><mover><mi>x</mi><mo>¯</mo></mover><mroot><mi>z</mi><mn>3</mn></mroot></math>":                              `$\sin θ-\mathrm{Re}\text{ if }\overline{x}\sqrt[3]{z}$`,
		"<m:math></m:math><math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable></math>":                                            `$\begin{matrix} 1 & 0 \\ 0 & 1 \end{matrix}$`,
		"<math><msup><mrow><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow><mn>2</mn></msup><mfenced open='['><mi>a</mi><mi>b</mi></mfenced><mspace width='1em'/><msub><mi>K</mi><mi/></msub></math>": `$(a+b)^{2}[a,b) K$`,
		"<math><mfenced open='{' close='' separators=';|'><mi>a</mi><mi>b</mi><mi>c</mi><mi>d</mi></mfenced></math>":                                                                                           `$\{a;b|c|d$`,
		"<math><mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts><mphantom><mi>q</mi></mphantom></math>":                                                                             `${}_{6}^{14}C$`,
		"<math></math><math><mi></mi></math>": ``,
		"<mjx-container class='MathJax' jax='SVG'><svg><g data-mml-node='math'/></svg><mjx-assistive-mml unselectable='on'><math><mi>E</mi><mo>=</mo><mi>m</mi></math></mjx-assistive-mml></mjx-container>":                                                                                                            `$E=m$`,
		"<mjx-container class='MathJax'><mjx-math aria-hidden='true'><mjx-mi></mjx-mi></mjx-math><mjx-assistive-mml><math data-latex='\\vec E'><mover><mi>E</mi><mo>→</mo></mover></math></mjx-assistive-mml></mjx-container>":                                                                                         `$\vec E$`,
		"<span class='MathJax_Preview'>?</span><span class='MathJax' id='M-1-Frame' data-mathml='&lt;math&gt;'><nobr aria-hidden='true'><span class='math'>E=m</span></nobr><span class='MJX_Assistive_MathML'><math><mi>E</mi><mo>=</mo><mi>m</mi></math></span></span><script type='math/tex' id='M-1'>E=m</script>": `$E=m$`,
		"<span class='MathJax_Display'><span class='MathJax'>E=m</span></span><script type='math/tex; mode=display'>% <![CDATA[\nE<m %]]></script>":                                                                                                                                                                    `$E<m$`,
		"<span class='MathJax'>E=m</span>":                                        `E=m`,
		"<img src='https://pictures.example/equation?tex=x%5E2%2B1' alt='x^2+1'>": `$x^2+1$`,
		"<img src='/cgi/latex.php?latex=a%3Db&amp;bg=fff'>":                       `$a=b$`,
		"<img src='//pictures.example/gif.latex?%5Cfrac%7Ba%7D%7Bb%7D+1'>":        `$\frac{a}{b}+1$`,
		"<img src='/a.png?text=no&amp;tex=' alt=no><img src='/latex.png' alt=no>": ``,
	} {
		text, _ := shown(t, "<p>Then "+html+" holds.</p>")
		if want = "Then " + want + " holds."; want == "Then  holds." {
			want = "Then holds."
		}
		if text != want {
			t.Errorf("%s\nreads %q\nwant  %q", html, text, want)
		}
	}
}
