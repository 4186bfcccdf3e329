-- what was learned, and how many lessons of each shard are in it: both at once, in the first shard
for i = first + 1, #ARGV do -- another machine may know more
  if tonumber(ARGV[i]) < tonumber(redis.call('HGET', P..'learned', 'at:'..(i - first - 1)) or 0) then return {'ok'} end
end
redis.call('HSET', P..'learned', 'state', ARGV[first])
for i = first + 1, #ARGV do redis.call('HSET', P..'learned', 'at:'..(i - first - 1), ARGV[i]) end
return {'ok', 'kept'}
