package junk

import (
	"slices"
	"strings"
	"unicode"
)

// A notice is a sentence that is none of the page's, but is shown in its place.
type notice int

const (
	noNotice notice = iota
	waits           // for a script: to be loaded, or to be let run
	outdated        // a browser is too old, whoever reads it
)

// noticeOf tells what a sentence of so many words is.
func noticeOf(said string, words int) notice {
	if words > longestNotice {
		return noNotice
	}
	said = strings.ToLower(strings.TrimSpace(said))
	switch {
	case asksToWait(said, words), asksForScripts(said):
		return waits
	case containsAny(said, browserWords) && containsAny(said, oldWords):
		return outdated
	}
	return noNotice
}

// Words of which a sentence consists that asks to wait. One of the first is among them.
var (
	waitHeads  = strings.Fields("loading wait moment redirecting initializing initialising lädt загрузка")
	waitOthers = strings.Fields(`please now page pages app application content contents data site website the your this a one just is are being while we be
		for it until loads loaded checking browser back in to you few seconds second momentarily`)
)

// Words of other languages that ask to wait, in a sentence of few words; those of scripts without spaces may stand among more characters.
var (
	waitWords = listed(`wird geladen,werden geladen,lädt.,lädt…,seite lädt,bitte warten,einen moment,chargement,veuillez patienter,merci de patienter,cargando,espere por favor,
		por favor espere,carregando,aguarde,a carregar,caricamento,attendere prego,attendi,even geduld,wordt geladen,ładowanie,wczytywanie,proszę czekać,
		yükleniyor,lütfen bekleyin,đang tải,vui lòng chờ,memuat,mohon tunggu,laddar,läser in,vänligen vänta,indlæser,laster inn,vent venligst,načítání,
		čekejte,ladataan,betöltés,se încarcă,загрузка.,загрузка…,загрузка страниц,загрузка данных,загружается,подождите,завантаження,зачекайте,φόρτωση,جار التحميل,جاري التحميل,يرجى الانتظار,
		در حال بارگذاری,טוען,लोड हो रहा`)
	waitCharacters = listed(`加载中,正在加载,载入中,正在载入,读取中,请稍候,请稍后,请稍等,请等待,請稍候,請稍後,請稍等,請等待,加載中,正在加載,載入中,正在載入,
		讀取中,正在跳转,正在跳轉,正在转到,読み込み中,読込中,ロード中,お待ちください,로딩중,로딩 중,불러오는 중,기다려 주세요,잠시만,กำลังโหลด`)
)

// How many words such a sentence has at most. Each character of a script without spaces is one.
const (
	wordsOfWaiting      = 5
	charactersOfWaiting = 16
)

// asksToWait tells a sentence that asks to wait for a page.
func asksToWait(said string, words int) bool {
	if words <= wordsOfWaiting && containsAny(said, waitWords) || words <= charactersOfWaiting && containsAny(said, waitCharacters) {
		return true
	}
	parts := strings.FieldsFunc(said, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(parts) == 0 {
		return false
	}
	if parts[0] == "loading" && len(parts) <= wordsOfWaiting && (strings.HasSuffix(said, "...") || strings.HasSuffix(said, "…")) {
		return true // of something that has a name
	}
	head := false
	for _, p := range parts {
		is := slices.Contains(waitHeads, p)
		if head = head || is; !is && !slices.Contains(waitOthers, p) {
			return false
		}
	}
	return head
}

// What is said of scripts by a page that does not work without them.
var (
	scriptWords = []string{"javascript", "java script", "java-script"}
	letRunWords = listed(`enabl,disabl,activ,aktiv,attiv,turn on,turned o,switch on,allow javascript,requires javascript,require javascript,javascript is required,
		javascript required,need javascript,needs javascript,support javascript,without javascript,eingeschaltet,einschalten,benötigt javascript,
		erforderlich,habilit,abilita,requiere,nécessite,włącz,wymaga,etkin,kích hoạt,inschakel,включ,отключ,увімкн,启用,啟用,开启,開啟,打开,打開,允许,允許,不支持,不支援,
		禁用,有効,無効,활성화`)
	browserWords = []string{"browser", "navigateur", "navegador", "браузер", "浏览器", "瀏覽器", "ブラウザ", "브라우저"}
	oldWords     = listed(`outdated,out of date,upgrade,update your,unsupported,not supported,older,old version,veraltet,obsol,устар,обновите,升级,升級,版本过低,版本過低,
		版本太低,过旧,過舊,不支持,不支援,古い`)
)

// whatScriptsDo takes out words that are said of scripts without asking for any: interactive, interaktiv, interattivo.
var whatScriptsDo = strings.NewReplacer("intera", "", "enables", "")

// asksForScripts tells a sentence that asks to let scripts run.
func asksForScripts(said string) bool {
	return containsAny(said, scriptWords) && containsAny(whatScriptsDo.Replace(said), letRunWords)
}

// listed are what commas part in a list.
func listed(list string) []string {
	some := strings.Split(list, ",")
	for i, s := range some {
		some[i] = strings.TrimSpace(s)
	}
	return some
}

// containsAny tells whether a text contains one of some.
func containsAny(text string, some []string) bool {
	return slices.ContainsFunc(some, func(s string) bool { return strings.Contains(text, s) })
}

// withoutTags is the text of a piece of a page.
func withoutTags(html []byte) (text []byte) {
	for len(html) > 0 {
		if html[0] == '<' {
			html = html[tagLength(html):]
			continue
		}
		end := slices.Index(html, '<')
		if end < 0 {
			end = len(html)
		}
		text, html = append(text, html[:end]...), html[end:]
	}
	return text
}
