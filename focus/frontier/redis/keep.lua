-- what was learned, and how many lessons are in it
if tonumber(ARGV[first + 1]) < tonumber(redis.call('HGET', P..'learned', 'at:0') or 0) then return {'ok'} end -- another machine knows more
redis.call('HSET', P..'learned', 'state', ARGV[first], 'at:0', ARGV[first + 1])
return {'ok', 'kept'}
