package page

import (
	"strings"
	"testing"
)

const bambooA = "一根毛竹从山上砍下来，到变成一只箩筐，中间要经过锯竹、剖篾、刮青、起底、收口十几道工序，每一道都靠手上的分寸。"

const bambooB = "霜降以后到立春之前的竹子最好，纤维紧，篾片韧，放上二十年也不会散；七月的竹子含水太多，编出来的东西会生虫。"

const bambooC = "起底有米字底、十字底和人字底三种，米字底结实，多用来做箩筐，十字底平整，适合做簸箕和筛子，人字底只在果盒上见到。"

// The lines at the end of a text that are the site's are none of it, whether they are elements or parted by breaks alone.
func TestLinesAtTheEndOfATextAreTheSites(t *testing.T) {
	const text = bambooA + "<br>" + bambooB + "<br>" + bambooC
	want := strings.ReplaceAll(text, "<br>", "\n")
	for _, end := range []string{
		"<br>责任编辑：王山",
		"<br>(责任编辑：王山)",
		"<br>（编辑：王山）",
		"<br>(1/3) <a href=2.html>下页</a> <a href=3.html>末页</a> <a href=all.html>余下全文</a>",
		"<p align=center><b>1</b> <a href=2.html>2</a> <a href=3.html>3</a> <a href=2.html>下一页</a> <a href=3.html>尾页</a></p>",
		"<p>平台声明：该文观点仅代表作者本人，本平台仅提供信息存储空间服务。",
		"<p>该文观点仅代表作者本人，本平台仅提供信息存储空间服务。",
		"<div><p>特别声明：以上内容为平台用户上传并发布，本平台仅提供信息存储服务。<p>Notice: The content above is uploaded and posted by a user of this site.</div>",
		"<p>更多精彩，欢迎扫描左方二维码关注我们的官方微信",
		"<br>上一页 1 2 3 4 5 下一页",
	} {
		for _, page := range []string{"<table><tr><td>" + text + end + "</table>", "<div>" + text + end + "</div>"} {
			p := Parse([]byte("<title>竹编</title><body><h1>竹编</h1>"+page), "http://x.example/a", Options{})
			if got := strings.TrimPrefix(p.MainText(), "竹编\n"); got != want {
				t.Errorf("%s: %q", end, got)
			}
		}
	}
}

// What a text says itself at its end stays: its last sentence, where something is, by whom it is, and that somebody declares something.
func TestLinesAtTheEndOfATextThatAreItsOwn(t *testing.T) {
	for _, end := range []string{
		"编辑：这个词在出版社里指一种职业，也指一道工序。",
		"地点：县文化馆二楼展厅",
		"作者：林小竹",
		"特此郑重声明。",
		"他说，下一页还没有写。",
		"关注竹编的人越来越多了。",
		"长按并识别下图二维码报名",
	} {
		p := Parse([]byte("<title>竹编</title><body><h1>竹编</h1><div>"+bambooA+"<br>"+bambooB+"<br>"+bambooC+"<br>"+end+"</div>"), "http://x.example/a", Options{})
		if got := p.MainText(); !strings.HasSuffix(got, "\n"+end) {
			t.Errorf("%s: %q", end, got)
		}
	}
}

// The line above a post that says who changed it is none of the post.
func TestPostsThatWereChanged(t *testing.T) {
	post := func(name, mark, text string) string {
		return "<div class=post><div class=authi><a href=/u/1>" + name + "</a> <em>发表于 2026-11-3 10:21</em></div><table><tr><td class=t_f>" + mark + text + "</td></tr></table></div>"
	}
	for _, mark := range []string{
		"<i class=pstatus> 本帖最后由 老竹匠 于 2026-11-4 08:12 编辑 </i><br><br>",
		"本帖最後由 老竹匠 於 2026-11-4 08:12 編輯<br>",
	} {
		page := post("老竹匠", mark, bambooA+"<br>"+bambooB+"<br>"+bambooC) + post("学徒", "", "收口那一步能不能再拍清楚一点？我每次到这里就散了。")
		p := Parse([]byte("<title>竹编</title><body><h1>竹编</h1>"+page), "http://x.example/a", Options{})
		if got := p.MainText(); strings.Contains(got, "08:12") || !strings.Contains(got, bambooA+"\n"+bambooB+"\n"+bambooC+"\n") || !strings.Contains(got, "收口那一步") {
			t.Errorf("%s: %q", mark, got)
		}
	}
	own := "本帖最后由大家一起编辑，谢谢各位的补充。"
	p := Parse([]byte("<title>竹编</title><body><h1>竹编</h1><div>"+own+"<br>"+bambooA+"<br>"+bambooB+"</div>"), "http://x.example/a", Options{})
	if !strings.Contains(p.MainText(), own) {
		t.Errorf("a sentence is left out: %q", p.MainText())
	}
}

// A column that tells of other pages is none of the text, though there are sentences in it, under whatever heading it stands.
func TestColumnsThatTellOfOtherPages(t *testing.T) {
	var other strings.Builder
	for _, title := range []string{"木匠的刨子", "纸伞作坊", "窑火", "蓝印花布", "苗绣", "皮影戏"} {
		other.WriteString("<li><a href=/" + title + ">" + title + "的故事</a><p>这门手艺在当地已经传了很多代人，如今会做的只剩下几位老人，" + title + "也不例外...</p></li>")
	}
	more := ""
	for _, step := range []string{"浸篾", "起底", "编身", "收口", "上色"} {
		more += "<div>" + step + "这一步最要紧的是手上的轻重，" + step + "的时候师傅总要先试一试篾片的软硬，再决定用几分力，急不得，也慢不得。</div>"
	}
	const foot = "<div class=digg><div>顶一下</div><div>(3)</div></div>"
	page := "<title>竹编_手艺网</title><body><div class=center><div class=pleft><div class=place><b>当前位置:</b> <a href=/>主页</a> > <a href=/b/>竹编</a> ></div>" +
		"<div class=viewbox><div class=title><h2>竹编</h2></div><div class=content><table><tr><td><div>" + bambooA + "</div><div>" + bambooB + "</div><div>" + bambooC + "</div>" + more + "</td></tr></table></div>" + foot + "</div></div>" +
		"<div class=pright><dl class=tbox><dt><strong>栏目精华</strong></dt><dd><ul class=d4>" + other.String() + "</ul></dd></dl></div></div>"
	p := Parse([]byte(page), "http://x.example/b/1.html", Options{})
	want := bambooA + "\n" + bambooB + "\n" + bambooC + "\n" + strings.ReplaceAll(strings.TrimSuffix(strings.ReplaceAll(more, "<div>", ""), "</div>"), "</div>", "\n")
	if got := p.MainText(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Parse([]byte(page), "http://x.example/", Options{}).MainText(); !strings.Contains(got, "苗绣也不例外") {
		t.Errorf("a front page does not tell of its pages: %q", got)
	}
}
