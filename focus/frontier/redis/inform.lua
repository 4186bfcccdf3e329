-- What a shard is told of the others: what, and of "refuse" an item, its worker, and an address (empty for none) that has
-- all its visits for so long (microseconds) · of "open" an address that has not · of "forfeit" an item whose page goes to
-- another: if it waits, whoever had it may not end its visit any more; answers its state · of "over" a host, and whether it has
-- had more than its share
local what = ARGV[first]
if what == 'refuse' then
  local id, worker, ip, long = tonumber(ARGV[first + 1]), ARGV[first + 2], ARGV[first + 3], tonumber(ARGV[first + 4])
  local s = standing(id)
  if holds(id, s, worker, false, 0, 0) then back(id, s, 0, true) end
  if ip ~= '' then
    redis.call('HSET', P..'i:'..ip, 'until', micros(now + long))
    redis.call('ZADD', P..'crowds', micros(now + long), ip)
    front(ip)
  end
elseif what == 'forfeit' then
  local id = tonumber(ARGV[first + 1])
  local s = standing(id)
  if s and s.state == 'W' then redis.call('HDEL', P..'lapsed', id) end
  return {'ok', s and s.state or ''}
elseif what == 'open' then
  local ip = ARGV[first + 1]
  redis.call('HDEL', P..'i:'..ip, 'until')
  redis.call('ZREM', P..'crowds', ip)
  front(ip)
else
  redis.call('HSET', P..'h:'..ARGV[first + 1], 'over', ARGV[first + 2])
  settle(ARGV[first + 1])
end
return {'ok'}
