package seek

import (
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/wire/charset"
)

// Trial is what an engine's description takes out of a page of results that was saved.
type Trial struct {
	Engine  string   `json:"engine"`
	Page    string   `json:"page"`
	Results []Result `json:"results"`
}

// Try reads a page of results that was saved to a file, in a browser for instance, as the description of an engine has it.
// Nothing is asked. The error tells what the description does not find.
func Try(engine, file string) (Trial, error) {
	trial := Trial{Engine: engine, Page: file, Results: []Result{}}
	e, err := open(engine, ".")
	if err != nil {
		return trial, err
	}
	if e == nil {
		return trial, fmt.Errorf("%s is an address; save the description, and name the file", engine)
	}
	body, err := os.ReadFile(file)
	if err != nil {
		return trial, err
	}
	trial.Engine = e.Name
	answered, err := e.saved(body)
	if err != nil {
		return trial, err
	}
	found, err := e.read(answered)
	if errors.Is(err, errNothing) {
		err = &Refusal{e.Name, errNothing.Error(), "compare result and link in " + e.place() + " with the source of " + file}
	}
	if err != nil {
		return trial, err
	}
	trial.Results = append(trial.Results, found...)
	return trial, nil
}

// saved is an answer that was saved, as if the engine had given it now to the question for q.
func (e *Engine) saved(body []byte) (*probe.Answer, error) {
	request, err := e.ask("q", 0)
	if err != nil {
		return nil, err
	}
	answered := &probe.Answer{Request: request, FinalURL: request.URL, Status: http.StatusOK, Body: body}
	if e.JSON == nil && !e.Feed {
		letters := ""
		answered.Body, letters = charset.Decode(body, "text/html")
		answered.Page = page.Parse(answered.Body, request.URL, page.Options{Charset: letters})
	}
	return answered, nil
}
