-- lane, worker, lease (microseconds, 0 for ever), delay (microseconds): answers an item, or when the next is ready
local lane, worker = tonumber(ARGV[first]), ARGV[first + 1]
local lease, delay = tonumber(ARGV[first + 2]), tonumber(ARGV[first + 3])
for _, id in ipairs(redis.call('ZRANGEBYSCORE', P..'lapse', '-inf', string.format('%.0f', now))) do
  local s = standing(id)
  back(tonumber(id), s, now + math.max(delay, num(s.host, 'pace')), true)
end
for _, host in ipairs(redis.call('ZRANGEBYSCORE', P..'cool', '-inf', string.format('%.0f', now))) do settle(host) end
local best = redis.call('ZRANGE', P..'r'..lane, 0, 0)[1]
if best then
  local id = idOf(best)
  local s = standing(id)
  dequeue(id, s)
  redis.call('HINCRBY', P..'m', 'waiting', -1)
  s.state = 'L'
  stand(id, s)
  redis.call('HINCRBY', P..'h:'..s.host, 'out', 1)
  redis.call('HSET', P..'out', id, worker)
  if lease > 0 then redis.call('ZADD', P..'lapse', string.format('%.0f', now + lease), id) end
  settle(s.host)
  return {'item', id, 'L'..s[0]..s[1]..s.host, redis.call('HGET', P..'a', id), redis.call('HGET', P..'c', id),
    redis.call('HGET', P..'x', id) or ''}
end
local soon
for _, key in ipairs({'cool', 'lapse'}) do
  local t = tonumber(redis.call('ZRANGE', P..key, 0, 0, 'WITHSCORES')[2])
  if t and (not soon or t < soon) then soon = t end
end
if soon then return {'at', string.format('%.0f', soon), string.format('%.0f', now)} end
if redis.call('EXISTS', P..'out') == 1 then return {'idle'} end
if tonumber(redis.call('HGET', P..'m', 'waiting') or 0) > 0 then return {'held'} end
return {'empty'}
