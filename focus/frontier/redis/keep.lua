-- what was learned (empty: only how far), how many lessons are in it, how many before those are kept
local state, at, kept = ARGV[first], tonumber(ARGV[first + 1]), tonumber(ARGV[first + 2])
if at < tonumber(redis.call('HGET', P..'learned', 'at') or 0) then return {'ok'} end -- another machine knows more
redis.call('HSET', P..'learned', 'at', at)
if state ~= '' then redis.call('HSET', P..'learned', 'state', state) end
local old = at - kept - tonumber(redis.call('HGET', P..'m', 'gone') or 0)
if old > 0 then
  redis.call('LTRIM', P..'lessons', old, -1)
  redis.call('HINCRBY', P..'m', 'gone', old)
end
return {'ok'}
