package focus

import (
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
)

// The old names of what has a room of its own by now, for as long as work is under way that uses them.
type (
	Refused = admit.Refused
	Scope   = admit.Scope
	Tally   = admit.Tally
)

const (
	RefusedScheme    = admit.RefusedScheme
	RefusedMethod    = admit.RefusedMethod
	RefusedAddress   = admit.RefusedAddress
	RefusedHost      = admit.RefusedHost
	RefusedPath      = admit.RefusedPath
	RefusedDepth     = admit.RefusedDepth
	RefusedType      = admit.RefusedType
	RefusedNoFollow  = admit.RefusedNoFollow
	RefusedTrap      = admit.RefusedTrap
	RefusedOffer     = admit.RefusedOffer
	RefusedBlock     = admit.RefusedBlock
	RefusedTunnel    = admit.RefusedTunnel
	RefusedHostFull  = admit.RefusedHostFull
	RefusedRedirect  = admit.RefusedRedirect
	RefusedRedirects = admit.RefusedRedirects
	RefusedDown      = admit.RefusedDown
	RefusedRobots    = admit.RefusedRobots
	RefusedSoft      = admit.RefusedSoft
	RefusedList      = admit.RefusedList
	RefusedLanguage  = admit.RefusedLanguage
	RefusedNoIndex   = admit.RefusedNoIndex
	RefusedWeak      = admit.RefusedWeak
)

func refuse(kind, said string) admit.Refused { return admit.Refuse(kind, said) }
func cutRunes(s string, n int) string        { return page.Cut(s, n) }
func linkTo(address string) page.Link        { return page.LinkTo(address) }
