package extensions

import (
	"fmt"
	"net/mail"
	"net/url"
	"strings"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/robots"
)

// Agent gives a collector an honest User-Agent: who visits, and where to complain. The contact is an address on the
// web or of e-mail; without one nothing is requested: Agent fails, and a program that does not look has each of its
// requests aborted. The name cannot be changed by a callback or by COLLY_USER_AGENT any more.
func Agent(c *colly.Collector, product, contact string) error {
	agent, err := UserAgent(product, contact)
	if err != nil {
		c.OnRequest(func(r *colly.Request) { r.Abort() })
		return err
	}
	c.UserAgent = agent
	address, from := strings.CutPrefix(contact, "mailto:")
	from = from || !strings.Contains(contact, "://")
	c.OnRequestHeaders(func(r *colly.Request) {
		r.Headers.Set("User-Agent", agent)
		if from {
			r.Headers.Set("From", address)
		}
	})
	return nil
}

// UserAgent makes the User-Agent of a product such as "shark/1.0" and a contact: "shark/1.0 (+https://shark.example)".
func UserAgent(product, contact string) (string, error) {
	if robots.Token(product) == "" || strings.ContainsAny(product, "()\r\n") {
		return "", fmt.Errorf(`extensions.Agent: product %q: want a name of letters, such as "shark/1.0"`, product)
	}
	if !isContact(contact) {
		return "", fmt.Errorf(`extensions.Agent: contact %q: want where you can be reached, such as "https://shark.example/bot" or "bot@shark.example"`, contact)
	}
	return product + " (+" + contact + ")", nil
}

func isContact(contact string) bool {
	if strings.ContainsAny(contact, "() \t\r\n") {
		return false
	}
	if address, ok := strings.CutPrefix(contact, "mailto:"); ok || !strings.Contains(contact, "://") {
		parsed, err := mail.ParseAddress(address)
		return err == nil && parsed.Address == address
	}
	u, err := url.Parse(contact)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.Contains(u.Hostname(), ".")
}
