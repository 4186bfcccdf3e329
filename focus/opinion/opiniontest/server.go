// Package opiniontest answers one question: how does an endpoint behave that speaks the protocol of OpenAI? Its server is one for
// tests: it counts words, and it can be told to be away, slow, busy, a liar, or to talk nonsense.
package opiniontest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Server is an endpoint. What is set may be changed between questions.
type Server struct {
	URL   string   // what --judge names
	Words []string // a page that has one of them is of the topic
	// Odd answers in the server's place where it says so.
	Odd func(w http.ResponseWriter, r *http.Request, page string) (done bool)

	mu    sync.Mutex
	asked []string // pages, in the order in which they came
	keys  map[string]bool
}

// New starts an endpoint.
func New(t testing.TB, words ...string) *Server {
	s := &Server{Words: words, keys: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	mux.HandleFunc("POST /v1/embeddings", s.embed)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.URL = server.URL + "/v1"
	return s
}

// Asked are the pages that were asked about.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

// Keys tells whether a key came with a question.
func (s *Server) Keys(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys[key]
}

// heard notes a question, and tells whether it was answered oddly.
func (s *Server) heard(w http.ResponseWriter, r *http.Request, page string) bool {
	s.mu.Lock()
	s.asked, s.keys[r.Header.Get("Authorization")] = append(s.asked, page), true
	odd := s.Odd
	s.mu.Unlock()
	return odd != nil && odd(w, r, page)
}

// Says is whether a page is of the topic.
func (s *Server) Says(page string) bool {
	page = strings.ToLower(page)
	for _, word := range s.Words {
		if strings.Contains(page, word) {
			return true
		}
	}
	return false
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	var question struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&question); err != nil || question.Model == "" || len(question.Messages) != 2 {
		http.Error(w, `{"error":{"message":"a model and two messages are wanted"}}`, http.StatusBadRequest)
		return
	}
	page := question.Messages[1].Content
	if _, rest, ok := strings.Cut(page, "\nPAGE-"); ok { // what stands before it is the topic
		page = rest
	}
	if s.heard(w, r, page) {
		return
	}
	Answer(w, fmt.Sprintf(`{"relevant": %v, "reason": "it has %d bytes"}`, s.Says(page), len(page)))
}

// Answer is what a model says, as the protocol wraps it.
func Answer(w http.ResponseWriter, said string) {
	reply(w, map[string]any{"object": "chat.completion", "choices": []any{
		map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": said}},
	}})
}

func (s *Server) embed(w http.ResponseWriter, r *http.Request) {
	var question struct{ Model, Input string }
	if err := json.NewDecoder(r.Body).Decode(&question); err != nil || question.Model == "" {
		http.Error(w, `{"error":{"message":"a model and an input are wanted"}}`, http.StatusBadRequest)
		return
	}
	if s.heard(w, r, question.Input) {
		return
	}
	v := make([]float64, 256)
	for _, word := range strings.Fields(strings.ToLower(question.Input)) {
		h := fnv.New32a()
		h.Write([]byte(word)) // it cannot fail
		v[h.Sum32()%256]++
	}
	Embedding(w, v)
}

// Embedding is an embedding, as the protocol wraps it.
func Embedding(w http.ResponseWriter, v []float64) {
	reply(w, map[string]any{"object": "list", "data": []any{map[string]any{"object": "embedding", "index": 0, "embedding": v}}})
}

func reply(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(body) // who has gone needs no answer
}
