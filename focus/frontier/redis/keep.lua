-- where what was learned is laid ready, and how many lessons are in it
local ready, at = P..'learning:'..ARGV[first], ARGV[first + 1]
local known = tonumber(redis.call('HGET', P..'learned', 'at:0') or 0)
-- Another machine may know more; and where nothing lies ready, it was kept, and whoever did that did not hear the answer, or is gone.
if tonumber(at) < known or redis.call('EXISTS', ready) == 0 then
  redis.call('DEL', ready)
  return {'ok'}
end
redis.call('HSET', ready, 'at:0', at)
redis.call('PERSIST', ready)
redis.call('RENAME', ready, P..'learned')
return {'ok', 'kept'}
