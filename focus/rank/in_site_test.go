package rank

import "testing"

func TestLinksThatStayOnTheirSite(t *testing.T) {
	s := tree(t, "{use: in-site}")
	for to, want := range map[string]float64{
		"news.portal.com.cn": 1, "sports.portal.com.cn": 1, "portal.com.cn": 1, "other.com.cn": 0, "ads.example": 0,
	} {
		e := linked(0, 0)
		e.Page.URL, e.Link.URL, e.Link.Host = "http://news.portal.com.cn/index.html", "http://"+to+"/a.html", to
		near(t, to, score(s, e), want)
	}
}

// The filter of a strategy goes by its own thresholds, in its tree and at its door.
func TestThresholdsOfTheFilterAreTheStrategys(t *testing.T) {
	strict := load(t, "admit: {blocks: related, related: {width: 12, in_site: 0.8}}\nrank: {use: related, with: {otherwise: 0.1, tidy: 0.9}}\n")
	if r := strict.Admit.Related; r.Width != 12 || r.InSite != 0.8 || r.Share != standard.Share {
		t.Errorf("rules %+v", r)
	}
	again := load(t, string(strict.YAML()))
	if again.Fingerprint() != strict.Fingerprint() {
		t.Errorf("written down it is another strategy:\n%s", strict.YAML())
	}
	other := load(t, "admit: {blocks: related}\nrank: {use: related, with: {otherwise: 0.1}}\n")
	if other.Fingerprint() == strict.Fingerprint() {
		t.Error("thresholds make no difference to a strategy")
	}
	if _, err := Load("s.yaml", []byte("rank: {use: related, with: {width: 0}}\n"), nil); err == nil {
		t.Error("a width of 0 is taken")
	}
}
