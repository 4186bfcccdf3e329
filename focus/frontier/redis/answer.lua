-- What the script says, and behind it how many calls of this process have changed something. No other process counts those, so that a
-- Redis that has lost one of them counts less than the process was told, whatever the others do meanwhile.
local said = answer()
said[#said + 1] = changed and redis.call('HINCRBY', P..'changes', mark, 1) or counted
return said
