package serve

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/thresher-crawler/thresher/focus/index"
)

// making is what is answered as long as an index is being made: of a large harvest that takes minutes.
type making struct {
	W     words  `json:"-"`
	Error string `json:"error"`
	Run   string `json:"run"`
	index.Progress
}

// How says how far it is.
func (m *making) How() string {
	if m.Of == 0 {
		return fmt.Sprintf(m.W.T("making-read"), m.Read)
	}
	return fmt.Sprintf(m.W.T("making-indexed"), m.Indexed, m.Of)
}

// made answers when the indexes are made, and says until then how far they are. Runs are watched and steered meanwhile.
func (s *Server) made(answer answering) answering {
	return func(w http.ResponseWriter, r *http.Request) error {
		var under *index.Collection
		if s.o.Making != nil {
			under = s.o.Making()
		}
		if under == nil {
			return answer(w, r)
		}
		m := &making{W: wordsFor(r), Run: under.Name(), Progress: under.Progress()}
		m.Error = fmt.Sprintf(m.W.T("making"), m.Run)
		w.Header().Set("Retry-After", retryAfter)
		if strings.HasPrefix(r.URL.Path, "/api/") {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			w.WriteHeader(http.StatusServiceUnavailable)
			return writeJSON(w, m)
		}
		if r.Method == http.MethodGet {
			w.Header().Set("Refresh", retryAfter) // what is seen goes on by itself
		}
		return renderAs(w, r, http.StatusServiceUnavailable, "making.html", m)
	}
}

// retryAfter is in how many seconds one may ask again for what cannot be answered now.
const retryAfter = "5"
