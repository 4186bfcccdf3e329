-- What all scripts share. Every key of a crawl begins with KEYS[1], whose braces keep them in one slot.
--
--   m        hash   born, ids, waiting
--   seen:XX  hash   of an identity's digest, behind its first two bytes: id
--   s        hash   id: state (W, L, F, D, S) · key of lane 0 · key of lane 1 · host
--   a, c, x  hash   id: address · the longest reach (2 bytes, both 0 if there is none) and what it carries along · numbers
--   q0:HOST  zset   what waits at a host: key of the lane · id; all scores are 0, so that the bytes are the order
--   q1:HOST         (the second lane, if there is one)
--   t:TIER   zset   what is held in a tier
--   h:HOST   hash   next, since (microseconds), pace, pause (after its last visit), out, fails, why, lost (it is given up), recent, over, ip,
--                   and where it stands: its best member among the ready (best0, best1) and among those that may be waited for (soon0, soon1)
--   hosts    set    of all hosts
--   r0, r1   zset   hosts that are ready: their best member · host; of the hosts of one address only the best
--   w0, w1   zset   hosts that may be waited for: their best member · host
--   g0:IP    zset   hosts of one address that are ready (g1:IP in the second lane)
--   i:IP     hash   out, and which member stands among the ready (front0, front1)
--   cool     zset   hosts that rest and may be waited for, by time; far: those that rest for longer; lost: those that are given up
--   recent   list   the hosts of the last hundred turns, where hosts have a share
--   out      hash   id: worker
--   news:ID  hash   of a page that is being visited, the ids of its links that were new or raised: 1 or 2, and by which call
--   calls:MARK zset the calls of a process that were done, by their numbers, from the first on that it waits for; of those by
--                   which an item was handed over, the item, after a colon
--   lapse    zset   leased ids by the time at which they lapse
--   lapsed   hash   id of what waits again since its lease lapsed: the worker that had it
--   changes  hash   the mark of a process: how many calls of it changed something
--
-- A key is the tier and the score, both so that lower bytes come first; Go makes and reads them.
local P, born, now = KEYS[1], ARGV[1], tonumber(ARGV[2])
local perhost, lanes, perip = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local share, patience, margin, delay = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local ceiling = tonumber(ARGV[10])
local mark, known = ARGV[11], tonumber(ARGV[12]) -- this process, and how many of its changes it has been told of
local first = 13 -- of the script's own arguments
if redis.call('HGET', P..'m', 'born') ~= born then return {'gone'} end
local counted = tonumber(redis.call('HGET', P..'changes', mark) or 0)
if counted < known then return {'older'} end
local changed = false -- whether this call changes what nobody would do again
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

local function bytes(n, many)
  local b = {}
  for i = many, 1, -1 do
    b[i] = string.char(n % 256)
    n = math.floor(n / 256)
  end
  return table.concat(b)
end

local function unbytes(s, from, to)
  local n = 0
  for i = from, to do n = n * 256 + string.byte(s, i) end
  return n
end

local function member(key, id) return key..bytes(id, 6) end
local function idOf(m) return unbytes(m, 9, 14) end
local function micros(t) return string.format('%.0f', t) end

local function standing(id)
  local s = redis.call('HGET', P..'s', id)
  if not s then return nil end
  return {state = s:sub(1, 1), [0] = s:sub(2, 9), [1] = s:sub(10, 17), host = s:sub(18)}
end

local function stand(id, s)
  changed = true
  redis.call('HSET', P..'s', id, s.state..s[0]..s[1]..s.host)
end

local function held(key) return string.byte(key, 1) >= 128 end

local function num(host, field)
  return tonumber(redis.call('HGET', P..'h:'..host, field) or 0)
end

-- move replaces a host's member in a sorted set, and notes it.
local function move(set, host, field, was, is)
  if was == is then return end
  if was ~= '' then redis.call('ZREM', set, was..host) end
  if is ~= '' then redis.call('ZADD', set, 0, is..host) end
  redis.call('HSET', P..'h:'..host, field, is)
end

-- front lets the best host of an address stand for all, unless the address has all the visits it may have.
local function front(ip)
  local full = tonumber(redis.call('HGET', P..'i:'..ip, 'out') or 0) >= perip
  for lane = 0, lanes - 1 do
    local was = redis.call('HGET', P..'i:'..ip, 'front'..lane) or ''
    local is = not full and redis.call('ZRANGE', P..'g'..lane..':'..ip, 0, 0)[1] or ''
    if was ~= is then
      if was ~= '' then redis.call('ZREM', P..'r'..lane, was) end
      if is ~= '' then redis.call('ZADD', P..'r'..lane, 0, is) end
      redis.call('HSET', P..'i:'..ip, 'front'..lane, is)
    end
  end
end

-- visits counts a visit of a host, for its address too.
local function visits(host, n)
  redis.call('HINCRBY', P..'h:'..host, 'out', n)
  local ip = redis.call('HGET', P..'h:'..host, 'ip') or ''
  if ip ~= '' and perip > 0 then
    redis.call('HINCRBY', P..'i:'..ip, 'out', n)
    front(ip)
  end
end

-- foremost is the first of what waits at a host, as it counts among hosts: for less where the host has more than its share.
local function foremost(lane, host, over)
  local m = redis.call('ZRANGE', P..'q'..lane..':'..host, 0, 0)[1]
  if not over then return m end
  return m:sub(1, 4)..bytes(math.min(unbytes(m, 5, 8) + 524288, 4294967295), 4)..m:sub(9)
end

-- seats is how many visits of a host may be under way, by its own delay and whether it is given up: see Schedule.seats.
local function seats(pace, lost) if lost or tonumber(pace or 0) > 0 then return 1 end return perhost end

-- settle puts a host where it belongs after anything about it has changed.
local function settle(host)
  local h = redis.call('HMGET', P..'h:'..host, 'out', 'next', 'over', 'ip', 'best0', 'best1', 'soon0', 'soon1', 'pace', 'lost')
  local has = redis.call('EXISTS', P..'q0:'..host) == 1
  local busy, next = tonumber(h[1] or 0) >= seats(h[9], h[10]), tonumber(h[2] or 0)
  local ready = has and not busy and next <= now
  local rests = has and not busy and next > now
  local lost = rests and h[10]
  rests = rests and not lost
  local near = rests and (patience == 0 or next <= now + patience)
  local ip = perip > 0 and h[4] or ''
  for lane = 0, lanes - 1 do
    local best = ''
    if has then best = foremost(lane, host, h[3] == '1') end
    local set = P..'r'..lane
    if ip ~= '' then set = P..'g'..lane..':'..ip end
    move(set, host, 'best'..lane, h[5 + lane] or '', ready and best or '')
    if patience > 0 then
      move(P..'w'..lane, host, 'soon'..lane, h[7 + lane] or '', (near or has and busy) and best or '')
    end
  end
  if ip ~= '' then front(ip) end
  if near then redis.call('ZADD', P..'cool', micros(next), host) else redis.call('ZREM', P..'cool', host) end
  if lost then redis.call('ZADD', P..'lost', micros(next), host) elseif h[10] then redis.call('ZREM', P..'lost', host) end
  if patience > 0 then
    if rests and not near then redis.call('ZADD', P..'far', micros(next), host) else redis.call('ZREM', P..'far', host) end
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
    redis.call('HSET', P..'h:'..host, 'next', micros(next))
  end
end

-- found says that a host is given up no more.
local function found(host)
  if redis.call('HDEL', P..'h:'..host, 'lost') == 1 then redis.call('ZREM', P..'lost', host) end
end

-- catch takes back what a clock said that ran ahead, and was set right by so much since: no host rests longer than anything here
-- lets a host rest, and a lease is as long as it was.
local function catch(ahead)
  for _, host in ipairs(redis.call('SMEMBERS', P..'hosts')) do
    local h = redis.call('HMGET', P..'h:'..host, 'next', 'since', 'pace')
    if h[1] then
      local longest = now + math.max(ceiling, delay, tonumber(h[3] or 0))
      redis.call('HSET', P..'h:'..host, 'next', micros(math.min(tonumber(h[1]) - ahead, longest)))
    end
    if h[2] then redis.call('HSET', P..'h:'..host, 'since', micros(tonumber(h[2]) - ahead)) end
    settle(host)
  end
  for _, id in ipairs(redis.call('ZRANGE', P..'lapse', 0, -1)) do redis.call('ZINCRBY', P..'lapse', micros(-ahead), id) end
  redis.call('HSET', P..'m', 'at', micros(now))
end

-- lend begins a lease of what waits (microseconds, 0 for ever).
local function lend(id, s, worker, lease)
  dequeue(id, s)
  redis.call('HINCRBY', P..'m', 'waiting', -1)
  s.state = 'L'
  stand(id, s)
  visits(s.host, 1)
  local h = redis.call('HMGET', P..'h:'..s.host, 'pace', 'lost')
  if seats(h[1], h[2]) > 1 then rest(s.host, now + delay) end
  redis.call('HSET', P..'out', id, worker)
  redis.call('HDEL', P..'lapsed', id)
  if lease > 0 then redis.call('ZADD', P..'lapse', micros(now + lease), id) end
  settle(s.host)
end

-- pages is how many of so many visits that may be spent (0: any number) are left for what is handed over, and how many are
-- spent.
local function pages(most)
  if most == 0 then return 1, 0 end
  local spent = tonumber(redis.call('HGET', P..'count', 'spent') or 0)
  return most - spent - redis.call('HLEN', P..'out'), spent
end

-- holds tells whether an item is being visited by a worker: its lease, where keeps is so, begins anew if it has lapsed, nobody
-- has taken the item since, and a page is left for it. What waits again for another reason has been ended.
local function holds(id, s, worker, keeps, lease, most)
  if keeps and s and s.state == 'W' and redis.call('HGET', P..'lapsed', id) == worker and pages(most) > 0 then
    lend(id, s, worker, lease)
  end
  return s and s.state == 'L' and redis.call('HGET', P..'out', id) == worker
end

-- back ends a lease: the host rests, and the item waits again, or stands as it is told to.
local function back(id, s, next, again, ended)
  redis.call('HDEL', P..'out', id)
  redis.call('ZREM', P..'lapse', id)
  visits(s.host, -1)
  rest(s.host, next)
  if again then
    wait(id, s)
  else
    s.state = ended or 'F'
    stand(id, s)
  end
  settle(s.host)
end

-- told tells whether a call, which is its number and the first that its process still waits for, was done.
local function told(worker, call) return redis.call('ZSCORE', P..'calls:'..worker:sub(-16), call:match('^%d+')) end

-- noted keeps a call of a process. Those that it does not wait for any more are forgotten.
local function noted(worker, call, what)
  changed = true
  local number, awaited = call:match('^(%d+) (%d+)$')
  local calls = P..'calls:'..worker:sub(-16)
  redis.call('ZADD', calls, number, what or number)
  redis.call('ZREMRANGEBYSCORE', calls, '-inf', '('..awaited)
  redis.call('EXPIRE', calls, 2592000) -- nobody waits for a month
end

-- lends notes what was handed over by a call, and lent answers it.
local function lends(worker, call, id) noted(worker, call, ':'..id) end
local function lent(worker, call)
  local number = call:match('^%d+')
  local was = redis.call('ZRANGEBYSCORE', P..'calls:'..worker:sub(-16), number, number)[1]
  return was and was:sub(2)
end

-- tell keeps a lesson and the lengths of a worker's files, from a place among the arguments on, once for each call: a
-- worker that did not get the answer asks again, however much later.
local function tell(worker, call, lesson, at)
  if told(worker, call) then return end
  noted(worker, call)
  if lesson ~= '' then redis.call('RPUSH', P..'lessons', worker:sub(-16)..lesson) end
  for i = at, #ARGV, 2 do redis.call('HSET', P..'files:'..worker:sub(1, -18), ARGV[i], ARGV[i + 1]) end
end
