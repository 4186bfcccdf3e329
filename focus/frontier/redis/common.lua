-- What several shards have in common, each thing in one shard.
--
--   at:IP    zset   the visits of the hosts of an address, by the time at which they lapse
--   full:IP  set    the shards whose hosts were refused a visit since one ended
--   pages    zset   item · who visits it, and may have to pay a page, by the time at which that lapses
--   payer    hash   item: to whom it was handed over last, of those who may have to pay
--   paid     hash   item: who has visited it; it is counted, and nobody has said yet that its visit has ended
--   m        hash   spent: the pages that are counted
--   recent   list   the hosts of the last hundred turns; turns hash: how many of them each has
local what = ARGV[first]

local function lapsing(lease) if lease > 0 then return micros(now + lease) end return '+inf' end

-- seat: an address, a visit, its lease (microseconds, 0 for ever), a shard, whether the visit goes on already: answers whether
-- it may be made
if what == 'seat' then
  local ip, visit, lease, shard, goes = ARGV[first + 1], ARGV[first + 2], tonumber(ARGV[first + 3]), ARGV[first + 4], ARGV[first + 5] == '1'
  local at = P..'at:'..ip
  redis.call('ZREMRANGEBYSCORE', at, '-inf', micros(now))
  if not goes and redis.call('ZCARD', at) >= perip then
    redis.call('SADD', P..'full:'..ip, shard)
    return {'ok', 0}
  end
  redis.call('ZADD', at, lapsing(lease), visit)
  return {'ok', 1}
end

-- stay: an address, a visit that goes on, and its lease
if what == 'stay' then
  redis.call('ZADD', P..'at:'..ARGV[first + 1], 'XX', lapsing(tonumber(ARGV[first + 3])), ARGV[first + 2])
  return {'ok'}
end

-- leave: an address and a visit that has ended: answers the shards that wait for it
if what == 'leave' then
  local full = P..'full:'..ARGV[first + 1]
  redis.call('ZREM', P..'at:'..ARGV[first + 1], ARGV[first + 2])
  local waiting = redis.call('SMEMBERS', full)
  redis.call('DEL', full)
  return {'ok', unpack(waiting)}
end

-- turn: a host that has its turn: answers whether it has more than its share, and a host that has it no longer
if what == 'turn' then
  local host = ARGV[first + 1]
  local answer = {'ok', 0}
  redis.call('LPUSH', P..'recent', host)
  if redis.call('HINCRBY', P..'turns', host, 1) > share then answer[2] = 1 end
  if redis.call('LLEN', P..'recent') > 100 then
    local before = redis.call('RPOP', P..'recent')
    local n = redis.call('HINCRBY', P..'turns', before, -1)
    if n == 0 then redis.call('HDEL', P..'turns', before) end
    if n == share then answer[3] = before end
    if before == host and n <= share then answer = {'ok', 0} end
  end
  return answer
end

-- What remains is about pages: how many there may be (0 for any number), their lease, an item (0 for none), who visits it, and
-- items whose visits have ended.
local most, lease, item, worker = tonumber(ARGV[first + 1]), tonumber(ARGV[first + 2]), ARGV[first + 3], ARGV[first + 4]
local visit = item..' '..worker
for i = first + 5, #ARGV do
  redis.call('HDEL', P..'paid', ARGV[i])
  redis.call('HDEL', P..'payer', ARGV[i])
end
local function spent() return tonumber(redis.call('HGET', P..'m', 'spent') or 0) end

-- reserve: whether an item may cost a page: one that was counted before whoever visited it died is not counted again
if what == 'reserve' then
  redis.call('ZREMRANGEBYSCORE', P..'pages', '-inf', micros(now))
  if redis.call('HDEL', P..'paid', item) == 1 then redis.call('HINCRBY', P..'m', 'spent', -1) end
  local under = redis.call('ZCARD', P..'pages')
  if not redis.call('ZSCORE', P..'pages', visit) and spent() + under >= most then
    if under > 0 then return {'idle'} end
    return {'empty'}
  end
  redis.call('ZADD', P..'pages', lapsing(lease), visit)
  redis.call('HSET', P..'payer', item, worker)
  return {'ok'}
end

-- room: whether there may be a page left
if what == 'room' then
  redis.call('ZREMRANGEBYSCORE', P..'pages', '-inf', micros(now))
  local under = redis.call('ZCARD', P..'pages')
  if spent() - redis.call('HLEN', P..'paid') + under < most then return {'ok'} end
  if under > 0 then return {'idle'} end
  return {'empty'}
end

-- renew: a visit goes on
if what == 'renew' then
  redis.call('ZADD', P..'pages', 'XX', lapsing(lease), visit)
  return {'ok'}
end

-- pay: a visit is about to end that has cost a page. It may not if the item was handed to another since, or its page was: who
-- was cut off for so long that its page lapsed pays with one that is left, if there is one. Where there may be any number,
-- none was reserved.
if what == 'pay' then
  local paid = redis.call('HGET', P..'paid', item)
  if paid == worker then return {'ok'} end
  local reserved = redis.call('ZREM', P..'pages', visit) == 1
  if paid or most > 0 and redis.call('HGET', P..'payer', item) ~= worker then return {'not leased'} end
  redis.call('ZREMRANGEBYSCORE', P..'pages', '-inf', micros(now))
  if not reserved and most > 0 and spent() + redis.call('ZCARD', P..'pages') >= most then return {'not leased'} end
  redis.call('HSET', P..'paid', item, worker)
  redis.call('HINCRBY', P..'m', 'spent', 1)
  return {'ok'}
end

-- return: a visit has cost nothing, or was another worker's
redis.call('ZREM', P..'pages', visit)
if redis.call('HGET', P..'payer', item) == worker then redis.call('HDEL', P..'payer', item) end
if redis.call('HGET', P..'paid', item) == worker then
  redis.call('HDEL', P..'paid', item)
  redis.call('HINCRBY', P..'m', 'spent', -1)
end
return {'ok'}
