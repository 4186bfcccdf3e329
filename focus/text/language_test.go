package text

import (
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// Running text, a little of each language.
const (
	chineseText     = "新华社北京电 记者从有关部门了解到，今年以来我国经济运行总体平稳，各地区各部门认真做好工作，人民生活水平不断提高。"
	traditionalText = "記者從有關部門瞭解到，今年以來我國經濟運行總體平穩，各地區各部門認真做好工作，人民生活水平不斷提高。"
	japaneseText    = "これは日本語の文章です。東京では今日も多くの人が電車で会社に通っています。ニュースをお伝えします。"
	koreanText      = "이것은 한국어 문장입니다. 오늘 서울에서는 많은 사람들이 지하철을 타고 회사에 다니고 있습니다."
	frenchText      = "L'été dernier, les élèves français ont étudié à l'école près de la forêt où ils étaient déjà allés."
	russianText     = "Сегодня в Москве прошло заседание правительства, на котором обсуждались вопросы экономики страны."
)

func TestDetect(t *testing.T) {
	const english = "The crawler visits the pages of one topic and leaves the rest of the web where it is."
	const german = "Eine Photovoltaikanlage wandelt Sonnenlicht in elektrischen Strom um. Wer eine Solaranlage auf dem eigenen Dach installiert, kann einen großen Teil seines Strombedarfs selbst decken, und der Wechselrichter hält zehn bis fünfzehn Jahre."
	const norwegian = "Solcellene på taket gir strøm til huset og det er ikke dyrt å ha dem. En må bare vite at de ikke virker om natten, og at det er mindre strøm om vinteren enn om sommeren for dem som bor her."
	const galician = "A enerxía do sol é a que máis medra no mundo e non ten custo para os que a usan. Os paneis que se poñen nos tellados dan luz a moitas casas, e o que sobra pode ir á rede para os outros."
	for _, test := range []struct{ sample, declared, want string }{
		// Script first.
		{chineseText, "", "zh"},
		{chineseText, "en", "zh"},
		{chineseText, "zh-CN", "zh"},
		{traditionalText, "zh-Hant-TW", "zh"},
		{japaneseText, "", "ja"},
		{japaneseText, "zh", "ja"},
		{koreanText, "en-US", "ko"},
		{russianText, "", "ru"},
		{"สวัสดีครับ ยินดีต้อนรับ", "en", "th"},
		{"Καλημέρα σας", "", "el"},
		{"שלום לכולם", "iw", "he"},
		{"东京的の店很有名，我们去年去过很多次，今年还想再去看看，那里的拉面特别好吃，价格也不贵", "", "zh"},
		{"OpenAI 发布 GPT-4 模型，支持 API 调用", "", "zh"},
		{"The city of Beijing (北京) has many restaurants and parks", "zh", "en"},
		{"最近在 MacBook Pro 上用 Homebrew 安装了 PostgreSQL 16，发现 pgvector extension 和 Django ORM 配合得很好", "zh-CN", "zh"},
		{"React 19 的 Server Components 和 Next.js App Router 已经 stable，我们把 Redux 换成了 Zustand，bundle size 减少了 40%", "en", "zh"},
		{"https://example.org/the/list/of/pages/and/more_of_them 网址", "", "zh"},
		{"https://x.example/y/z src/cmd/main.go", "en", "en"},
		{"https://x.example/y/z src/cmd/main.go", "", "en"},
		// Then what the page says.
		{"東京都", "ja", "ja"},
		{"Сегодня в Москве", "bg", "bg"},
		{"سلام دنیا", "fa-IR", "fa"},
		{"Kontakt Impressum", "de", "de"},
		{"Beograd je glavni grad", "sr", "sr"},
		{german, "de", "de"},
		{german, "en", "de"}, // of a template
		{german, "fr-CH", "de"},
		{english + " " + english, "de", "en"},
		{strings.Repeat(frenchText+" ", 3), "en", "fr"},
		{"Solaranlage auf dem eigenen Dach, und der Wechselrichter", "en", "en"}, // too little to know better
		{norwegian, "no", "no"},
		{norwegian, "da", "da"},   // so near that nobody knows
		{galician, "gl", "gl"},    // of which the detector knows nothing
		{chineseText, "ja", "ja"}, // a heading, perhaps
		{strings.Repeat(chineseText, 3), "ja", "zh"},
		{strings.Repeat(chineseText, 3) + "の", "ja", "ja"},
		// Then letters and words.
		{"Сьогодні в Києві відбулося засідання", "", "uk"},
		{"این یک متن فارسی است و گفته می\u200cشود", "", "fa"},
		{english, "", "en"},
		{english, "zh", "en"},
		{english, "english", "en"},
		{frenchText, "", "fr"},
		{"Die Kinder sind mit dem Bus nach Hause gefahren, weil es nicht mehr weit war.", "", "de"},
		{"El presidente de la compañía dijo que no hay más dinero para los trabajadores.", "", "es"},
		{"Il presidente della società ha detto che non ci sono più soldi per gli operai.", "", "it"},
		{"O presidente da empresa disse que não há mais dinheiro para os trabalhadores.", "", "pt"},
		{"De voorzitter van het bedrijf zei dat er geen geld meer is voor de arbeiders.", "", "nl"},
		{"Ordföranden för företaget sade att det inte finns mer pengar till arbetarna.", "", "sv"},
		{"Prezes firmy powiedział, że nie ma już pieniędzy dla robotników.", "", "pl"},
		{"Şirketin başkanı, işçiler için daha fazla para olmadığını söyledi.", "", "tr"},
		{"Chủ tịch công ty nói rằng không còn tiền cho công nhân.", "", "vi"},
		{"focused crawler", "", "en"},
		// Nothing to go by.
		{"", "", Undetermined},
		{"", "pt-BR", "pt"},
		{"123 !?", "", Undetermined},
		{"123 !?", "x-klingon", Undetermined},
		{"\xFF\xFE\x00", "cn", "zh"},
	} {
		if got := Detect(test.sample, test.declared); got != test.want {
			t.Errorf("Detect(%.40q, %q) = %s, want %s", test.sample, test.declared, got, test.want)
		}
	}
}

// TestDetectRecordedPages holds that the pages of American universities are in English, with few exceptions.
func TestDetectRecordedPages(t *testing.T) {
	languages, pages := map[string]int{}, 0
	recorded(t, "webkb", 1, func(_ string, body []byte, contentType string) {
		body, _ = charset.Decode(body, contentType)
		languages[Detect(textOf(body), "")]++
		pages++
	})
	t.Logf("%v", languages)
	if languages["en"] < pages*98/100 {
		t.Errorf("languages %v of %d pages", languages, pages)
	}
}
