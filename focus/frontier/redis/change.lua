-- what, id, and: key 0 and key 1 without their tiers, numbers, and if the note changes its reach and the note (rescore) · key 0 (promote) · nothing (drop, unshelve)
local what, id = ARGV[first], tonumber(ARGV[first + 1])
local s = standing(id)
if what == 'unshelve' then
  if not s or s.state ~= 'S' then return {'ok'} end
  wait(id, s)
  settle(s.host)
  return {'ok', 1}
end
if not s or s.state ~= 'W' then return {'ok'} end
if what == 'rescore' then
  local tier = s[0]:sub(1, 4)
  restand(id, s, tier..ARGV[first + 2], tier..ARGV[first + 3])
  if ARGV[first + 4] ~= '' then redis.call('HSET', P..'x', id, ARGV[first + 4]) else redis.call('HDEL', P..'x', id) end
  if ARGV[first + 6] then
    local was, rest = redis.call('HGET', P..'c', id), 3
    for _ = 1, 2 do -- behind the reach stand where it was found and how deep, each a number whose last byte is below 128
      while was:byte(rest) > 127 do rest = rest + 1 end
      rest = rest + 1
    end
    redis.call('HSET', P..'c', id, ARGV[first + 5]..was:sub(3, rest - 1)..ARGV[first + 6])
  end
elseif what == 'promote' then
  local key0 = ARGV[first + 2]
  restand(id, s, key0, key0:sub(1, 4)..s[1]:sub(5))
else
  dequeue(id, s)
  redis.call('HDEL', P..'lapsed', id)
  redis.call('HINCRBY', P..'m', 'waiting', -1)
  s.state = 'D'
  stand(id, s)
  settle(s.host)
end
return {'ok'}
