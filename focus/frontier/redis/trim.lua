-- how many lessons are in what was learned, how many before those are kept
local at, kept = tonumber(ARGV[first]), tonumber(ARGV[first + 1])
local old = at - kept - tonumber(redis.call('HGET', P..'m', 'gone') or 0)
if old > 0 then
  redis.call('LTRIM', P..'lessons', old, -1)
  redis.call('HINCRBY', P..'m', 'gone', old)
end
return {'ok'}
