-- What all scripts share. Every key of a crawl begins with KEYS[1], whose braces keep them in one slot.
--
--   m        hash   born, ids, waiting
--   seen     hash   of an identity's digest: id
--   s        hash   id: state (W, L, F, D) · key of lane 0 · key of lane 1 · host
--   a, c, x  hash   id: address · what it carries along · numbers
--   q0:HOST  zset   what waits at a host: key of the lane · id; all scores are 0, so that the bytes are the order
--   q1:HOST         (the second lane, if there is one)
--   t:TIER   zset   what is held in a tier
--   h:HOST   hash   next (microseconds), pace, out, fails, best of both lanes
--   hosts    set    of all hosts
--   r0, r1   zset   hosts that are ready: their best member · host
--   cool     zset   hosts that cool down, by time
--   out      hash   id: worker
--   lapse    zset   leased ids by the time at which they lapse
--
-- A key is the tier and the score, both so that lower bytes come first; Go makes and reads them.
local P, born, now = KEYS[1], ARGV[1], tonumber(ARGV[2])
local perhost, lanes = tonumber(ARGV[3]), tonumber(ARGV[4])
local first = 5 -- of the script's own arguments
if redis.call('HGET', P..'m', 'born') ~= born then return {'gone'} end
if now < 0 then
  local t = redis.call('TIME')
  now = t[1] * 1000000 + t[2]
end

-- Strings are compared by Lua according to the locale, and by Redis by their bytes.
local function less(a, b)
  for i = 1, #a do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x < y end
  end
  return false
end

local function member(key, id)
  local b = {}
  for i = 6, 1, -1 do
    b[i] = string.char(id % 256)
    id = math.floor(id / 256)
  end
  return key..table.concat(b)
end

local function idOf(m)
  local id = 0
  for i = 9, 14 do id = id * 256 + string.byte(m, i) end
  return id
end

local function standing(id)
  local s = redis.call('HGET', P..'s', id)
  if not s then return nil end
  return {state = s:sub(1, 1), [0] = s:sub(2, 9), [1] = s:sub(10, 17), host = s:sub(18)}
end

local function stand(id, s)
  redis.call('HSET', P..'s', id, s.state..s[0]..s[1]..s.host)
end

local function held(key) return string.byte(key, 1) >= 128 end

local function num(host, field)
  return tonumber(redis.call('HGET', P..'h:'..host, field) or 0)
end

-- settle puts a host among the ready or the cooling, or among neither.
local function settle(host)
  local h = P..'h:'..host
  local has = redis.call('EXISTS', P..'q0:'..host) == 1 and num(host, 'out') < perhost
  local next = num(host, 'next')
  for lane = 0, lanes - 1 do
    local was = redis.call('HGET', h, 'best'..lane) or ''
    local best = ''
    if has and next <= now then best = redis.call('ZRANGE', P..'q'..lane..':'..host, 0, 0)[1] end
    if best ~= was then
      if was ~= '' then redis.call('ZREM', P..'r'..lane, was..host) end
      if best ~= '' then redis.call('ZADD', P..'r'..lane, 0, best..host) end
      redis.call('HSET', h, 'best'..lane, best)
    end
  end
  if has and next > now then
    redis.call('ZADD', P..'cool', string.format('%.0f', next), host)
  else
    redis.call('ZREM', P..'cool', host)
  end
end

local function enqueue(id, s)
  if held(s[0]) then
    redis.call('ZADD', P..'t:'..s[0]:sub(1, 4), 0, member(s[0], id))
    return
  end
  for lane = 0, lanes - 1 do
    redis.call('ZADD', P..'q'..lane..':'..s.host, 0, member(s[lane], id))
  end
end

local function dequeue(id, s)
  if held(s[0]) then
    redis.call('ZREM', P..'t:'..s[0]:sub(1, 4), member(s[0], id))
    return
  end
  for lane = 0, lanes - 1 do
    redis.call('ZREM', P..'q'..lane..':'..s.host, member(s[lane], id))
  end
end

-- restand gives a waiting item a new standing.
local function restand(id, s, key0, key1)
  dequeue(id, s)
  s[0], s[1] = key0, key1
  enqueue(id, s)
  stand(id, s)
  settle(s.host)
end

local function wait(id, s)
  s.state = 'W'
  redis.call('HINCRBY', P..'m', 'waiting', 1)
  enqueue(id, s)
  stand(id, s)
end

local function rest(host, next)
  if next > num(host, 'next') then
    redis.call('HSET', P..'h:'..host, 'next', string.format('%.0f', next))
  end
end

-- back ends a lease: the host rests, and the item is finished or waits again.
local function back(id, s, next, again)
  redis.call('HDEL', P..'out', id)
  redis.call('ZREM', P..'lapse', id)
  redis.call('HINCRBY', P..'h:'..s.host, 'out', -1)
  rest(s.host, next)
  if again then
    wait(id, s)
  else
    s.state = 'F'
    stand(id, s)
  end
  settle(s.host)
end
