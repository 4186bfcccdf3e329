-- where what was learned is laid ready, and how many lessons are in it
local ready, at = P..'learning:'..ARGV[first], ARGV[first + 1]
if tonumber(at) < tonumber(redis.call('HGET', P..'learned', 'at:0') or 0) then -- another machine knows more
  redis.call('DEL', ready)
  return {'ok'}
end
redis.call('HSET', ready, 'at:0', at)
redis.call('PERSIST', ready)
redis.call('RENAME', ready, P..'learned')
return {'ok', 'kept'}
