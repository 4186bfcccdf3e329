package topic

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Words with commas between them in one term are a phrase that no page has; names may have a comma.
func TestAListInATermIsDoubted(t *testing.T) {
	for term, listed := range map[string]bool{"tea, pot, kettle": true, "solar energy, photovoltaic": true, "绿茶, 红茶": true, "Milan, Turin, Genoa": true,
		"Paris, Texas": false, "Emerson, Lake & Palmer": false, "1,000 trees": false, "tea": false} {
		doubts := Doubts([]Term{{Term: term, Weight: 1}})
		if listed && (len(doubts) != 1 || !strings.Contains(doubts[0].Why, "give each a place of its own: ["+term+"]")) || !listed && len(doubts) > 0 {
			t.Errorf("%s: %v", term, doubts)
		}
	}
}

// A weight is written behind a word where init is given words; in a crawl file that is another word.
func TestAWeightInATermIsDoubted(t *testing.T) {
	for term, weight := range map[string]string{"inverter:0.8": "0.8", "东西:2": "2", "东西：2": "2", "home page: -1": "-1", "John 3:16": "", "12:30": "", "C++": "", "ISO:9001": "", "http://a.example:80": ""} {
		doubts := Doubts([]Term{{Term: term, Weight: 1}})
		if weight == "" && len(doubts) > 0 || weight != "" && (len(doubts) != 1 || !strings.Contains(doubts[0].Why, "weight: "+weight+"}")) {
			t.Errorf("%s: %v", term, doubts)
		}
	}
	if doubts := Doubts([]Term{{Term: "vitamin B:6", Weight: 2}}); len(doubts) > 0 {
		t.Errorf("of a term that has its weight: %v", doubts)
	}
}

// Names are of any language: what stands beside them tells that of a sentence, and where nothing does, all of it.
func TestNamesMakeNoSentenceForeign(t *testing.T) {
	for _, about := range []string{"Museo del Prado opening hours", "museums in Florence: Galleria degli Uffizi, Palazzo Pitti", "Ludwig Mies van der Rohe buildings in Chicago",
		"Dutch painters: Rembrandt van Rijn, Frans Hals, Johannes Vermeer", "Rossini overtures La gazza ladra, Guillaume Tell", "Teatro alla Scala opera season",
		"Universidad Nacional Autónoma de México research", "Camino de Santiago pilgrim hostels", "巴赫Das Wohltemperierte Klavier的演奏版本", "iPhone 15 Pro Max 评测"} {
		if why := Foreign(about); why != "" {
			t.Errorf("%s %s", about, why)
		}
	}
	for _, about := range []string{"Rezepte für Brot mit Sauerteig aus Roggen", "Geschichte der deutschen Eisenbahn im 19. Jahrhundert", "Wandern in den Alpen mit Kindern",
		"les vins de Bourgogne et leurs producteurs", "noticias sobre el cambio climático en América Latina", "escursioni nelle Dolomiti con i bambini",
		"passeios na Serra da Estrela com crianças", "geschiedenis van de Nederlandse spoorwegen", "historia kolei w Polsce przed wojną", "Музей Эрмитаж и Русский музей"} {
		if Foreign(about) == "" {
			t.Errorf("%s: nothing is said", about)
		}
	}
}

// A vocabulary of a field is a topic, too: eight times as many terms take some eight times the time to be read and doubted, not 64 times.
func TestManyTermsAreReadInTime(t *testing.T) {
	took := func(n int) time.Duration {
		var spec Spec
		for i := range n {
			spec.Terms = append(spec.Terms, Term{Term: fmt.Sprintf("w%dx", i), Weight: 1})
		}
		began := time.Now()
		if _, err := New(spec); err != nil {
			t.Fatal(err)
		}
		if doubts := Doubts(spec.Terms); len(doubts) > 0 {
			t.Fatal(doubts[0])
		}
		return time.Since(began)
	}
	took(10) // what is loaded once
	var ratio float64
	for range 8 { // the machine does other things, too
		if ratio = float64(took(32_000)) / float64(took(4_000)); ratio < 16 {
			return
		}
	}
	t.Errorf("eight times the terms take %.0f times the time", ratio)
}
