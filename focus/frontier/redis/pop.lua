-- lane, worker, lease (microseconds, 0 for ever), how many visits may be spent (0 for any number), and this call: answers an
-- item, or when the next is ready, and where no host rests with something that waits, how many visits are under way
local lane, worker, lease = tonumber(ARGV[first]), ARGV[first + 1], tonumber(ARGV[first + 2])
local most, call = tonumber(ARGV[first + 3]), ARGV[first + 4]

-- item is what is answered of an item that is handed over.
local function item(id, s)
  local h = redis.call('HMGET', P..'h:'..s.host, 'fails', 'why', 'next', 'pause')
  local rests = tonumber(h[3] or 0) > now and '1' or '0'
  return {'item', id, 'L'..s[0]..s[1]..s.host, redis.call('HGET', P..'a', id), redis.call('HGET', P..'c', id),
    redis.call('HGET', P..'x', id) or '', h[1] or '0', h[2] or '', h[3] or '0', h[4] or '0', rests}
end

-- Whoever did not hear the answer asks again, and is handed the same, unless it is another's by now.
local before = tonumber(lent(worker, call))
local s = before and standing(before)
if s and holds(before, s, worker, false, 0, 0) then
  if lease > 0 then redis.call('ZADD', P..'lapse', micros(now + lease), before) end
  return item(before, s)
end

local ahead = tonumber(redis.call('HGET', P..'m', 'at') or 0) - now
if ahead >= 1000000 then catch(ahead) end -- a clock that is kept right is set back by less
for _, id in ipairs(redis.call('ZRANGEBYSCORE', P..'lapse', '-inf', micros(now))) do
  local s = standing(id)
  redis.call('HSET', P..'lapsed', id, redis.call('HGET', P..'out', id))
  back(tonumber(id), s, now + math.max(delay, num(s.host, 'pace')), true)
end
if patience > 0 then
  for _, host in ipairs(redis.call('ZRANGEBYSCORE', P..'far', '-inf', micros(now + patience))) do settle(host) end
end
for _, key in ipairs({'cool', 'lost'}) do
  for _, host in ipairs(redis.call('ZRANGEBYSCORE', P..key, '-inf', micros(now))) do settle(host) end
end

local left, spent = pages(most)
if most > 0 and spent >= most then return {'empty'} end
if left <= 0 then return {'idle'} end -- one of them may be given back

local soon
local function earlier(t) if t and (not soon or t < soon) then soon = t end end
for _, key in ipairs({'cool', 'far', 'lapse'}) do
  earlier(tonumber(redis.call('ZRANGE', P..key, 0, 0, 'WITHSCORES')[2]))
end

-- awaited is how long the best that is ready must wait for something far better; nil if it need not.
local function awaited(best)
  while patience > 0 do
    local top = redis.call('ZRANGE', P..'w'..lane, 0, 0)[1]
    if not top then return nil end
    local tier, other = unbytes(top, 1, 4), unbytes(best, 1, 4)
    if tier > other or tier == other and unbytes(best, 5, 8) - unbytes(top, 5, 8) <= margin then return nil end
    local host = top:sub(15)
    local h = redis.call('HMGET', P..'h:'..host, 'out', 'next', 'since', 'pace', 'lost')
    if tonumber(h[1] or 0) < seats(h[4], h[5]) then return tonumber(h[2]) end
    local til = tonumber(h[3]) + patience
    if til > now and math.max(delay, tonumber(h[4] or 0)) <= patience then return til end
    move(P..'w'..lane, host, 'soon'..lane, top:sub(1, 14), '') -- it takes too long: nobody waits for it
  end
end

-- share counts a turn of a host, and lets the one go that was a hundred before.
local function turn(host)
  redis.call('LPUSH', P..'recent', host)
  local function count(host, by)
    local over = redis.call('HINCRBY', P..'h:'..host, 'recent', by) > share and '1' or '0'
    if (redis.call('HGET', P..'h:'..host, 'over') or '0') ~= over then
      redis.call('HSET', P..'h:'..host, 'over', over)
      settle(host)
    end
  end
  if redis.call('LLEN', P..'recent') > 100 then count(redis.call('RPOP', P..'recent'), -1) end
  count(host, 1)
end

local function hand(best)
  local id = idOf(best)
  local s = standing(id)
  redis.call('HSET', P..'h:'..s.host, 'since', micros(now))
  lend(id, s, worker, lease)
  lends(worker, call, id)
  if share > 0 then turn(s.host) end
  return item(id, s)
end

local best = redis.call('ZRANGE', P..'r'..lane, 0, 0)[1]
if best then
  earlier(awaited(best))
  if not awaited(best) then return hand(best) end
end
local lost = redis.call('ZRANGE', P..'lost', 0, 0, 'WITHSCORES')
if lost[1] then
  if not soon and redis.call('EXISTS', P..'out') == 0 then -- nothing else is left: it is to be refused
    return hand(redis.call('ZRANGE', P..'q'..lane..':'..lost[1], 0, 0)[1])
  end
  earlier(tonumber(lost[2]))
end
local under = 0
if redis.call('EXISTS', P..'cool', P..'far') == 0 then under = redis.call('HLEN', P..'out') end
if soon then return {'at', micros(soon), micros(now), under} end
if redis.call('EXISTS', P..'out') == 1 then return {'idle'} end
if tonumber(redis.call('HGET', P..'m', 'waiting') or 0) > 0 then return {'held'} end
return {'empty'}
