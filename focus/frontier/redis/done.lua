-- id, again (2: it is given up and may be told to wait again), new key 0 (or empty: only its score counts), idle, failed, usual pause, wait, back-off, park for
-- (microseconds), park, give up (failures), why, worker, whether it keeps its leases alive, this call, lesson,
-- how many visits may be spent (see pages), how many counters follow, and then names and numbers: counters, and then file
-- lengths
local id = tonumber(ARGV[first])
local again, score = ARGV[first + 1] == '1', ARGV[first + 2]
local idle, failed = ARGV[first + 3] == '1', ARGV[first + 4] == '1'
local usual, wait = tonumber(ARGV[first + 5]), tonumber(ARGV[first + 6])
local backoff, parkfor = tonumber(ARGV[first + 7]), tonumber(ARGV[first + 8])
local park, giveup, why = tonumber(ARGV[first + 9]), tonumber(ARGV[first + 10]), ARGV[first + 11]
local worker, keeps, call, lesson = ARGV[first + 12], ARGV[first + 13] == '1', ARGV[first + 14], ARGV[first + 15]
local most, counters = tonumber(ARGV[first + 16]), tonumber(ARGV[first + 17])

if told(worker, call) then return {'ok'} end

-- chance is a host's own number from 0 to 1: 32-bit FNV-1a, as in Go.
local function chance(host)
  local h = 2166136261
  for i = 1, #host do
    local a, b, x = h % 256, string.byte(host, i), 0
    for bit = 0, 7 do
      if math.floor(a / 2 ^ bit) % 2 ~= math.floor(b / 2 ^ bit) % 2 then x = x + 2 ^ bit end
    end
    h = h - a + x
    h = (h * 403 + (h % 256) * 16777216) % 4294967296
  end
  return h / 4294967296
end

-- doubled is a wait after the nth failure in a row: the first wait, doubled each time, give or take a quarter.
local function doubled(first, n, host)
  if n < 1 or first <= 0 then return 0 end
  local longer = first * 2 ^ math.min(n - 1, 50)
  if longer >= ceiling then -- it stops doubling once it has reached the ceiling
    longer = first
    while longer < ceiling do longer = longer * 2 end
  end
  return math.min(longer * (0.75 + (chance(host) + 0.61803398875 * n) % 1 / 2), ceiling)
end

local s = standing(id)
if not holds(id, s, worker, keeps, 0, most) then return {'not leased'} end
local next = 0
if not idle then
  local h, fails = P..'h:'..s.host, 0
  if failed then
    fails = num(s.host, 'fails') + 1
    redis.call('HSET', h, 'fails', fails, 'why', why)
  else
    redis.call('HDEL', h, 'fails', 'why')
    found(s.host)
  end
  local pause = math.max(usual, num(s.host, 'pace'))
  if failed then
    pause = math.max(pause, doubled(backoff, fails, s.host))
    if park > 0 then pause = math.max(pause, doubled(parkfor, fails - park + 1, s.host)) end
  end
  if giveup > 0 and fails >= giveup then
    pause = math.max(pause, math.min(300000000, ceiling)) -- see lostFor
    redis.call('HSET', h, 'lost', '1')
  end
  pause = math.floor(math.max(pause, wait))
  next = now + pause
  redis.call('HSET', h, 'pause', micros(pause))
end
if again and score ~= '' then s[0] = s[0]:sub(1, 4)..score end
back(id, s, next, again, ARGV[first + 1] == '2' and 'S')
redis.call('DEL', P..'news:'..ARGV[first])
for i = first + 18, first + 16 + 2 * counters, 2 do redis.call('HINCRBY', P..'count', ARGV[i], ARGV[i + 1]) end
tell(worker, call, lesson, first + 18 + 2 * counters)
if not idle then redis.call('HSET', P..'m', 'at', micros(now)) end
return {'ok'}
