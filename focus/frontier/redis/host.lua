-- what, host, microseconds: sets a host's pace, or the time before which it is not visited
local what, host, t = ARGV[first], ARGV[first + 1], tonumber(ARGV[first + 2])
redis.call('SADD', P..'hosts', host)
if what == 'pace' then
  redis.call('HSET', P..'h:'..host, 'pace', string.format('%.0f', t))
else
  rest(host, t)
  settle(host)
end
return {'ok'}
