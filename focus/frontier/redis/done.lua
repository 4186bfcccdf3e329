-- id, again, new key 0 (or empty: only its score counts), idle, failed, usual pause, wait, back-off, ceiling
-- (microseconds), a number from 0 to 1, and then names and numbers that are counted
local id = tonumber(ARGV[first])
local again, score = ARGV[first + 1] == '1', ARGV[first + 2]
local idle, failed = ARGV[first + 3] == '1', ARGV[first + 4] == '1'
local usual, wait = tonumber(ARGV[first + 5]), tonumber(ARGV[first + 6])
local backoff, ceiling, chance = tonumber(ARGV[first + 7]), tonumber(ARGV[first + 8]), tonumber(ARGV[first + 9])
local s = standing(id)
if not s or s.state ~= 'L' then return {'not leased'} end
local next = 0
if not idle then
  local fails = 0
  if failed then fails = num(s.host, 'fails') + 1 end
  redis.call('HSET', P..'h:'..s.host, 'fails', fails)
  local pause = math.max(usual, num(s.host, 'pace'))
  if failed and backoff > 0 then
    local longer = math.min(backoff * 2 ^ math.min(fails - 1, 50), ceiling)
    pause = math.max(pause, math.min(longer * (0.75 + chance / 2), ceiling))
  end
  next = now + math.floor(math.max(pause, wait))
end
if again and score ~= '' then s[0] = s[0]:sub(1, 4)..score end
back(id, s, next, again)
for i = first + 10, #ARGV, 2 do redis.call('HINCRBY', P..'count', ARGV[i], ARGV[i + 1]) end
return {'ok'}
