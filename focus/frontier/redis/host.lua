-- what, host, and: microseconds (pace: a host's own delay; rest: the time before which it is not visited) · an address
-- (locate)
local what, host, arg = ARGV[first], ARGV[first + 1], ARGV[first + 2]
redis.call('SADD', P..'hosts', host)
changed = true
if what == 'pace' then
  redis.call('HSET', P..'h:'..host, 'pace', arg)
elseif what == 'rest' then
  rest(host, tonumber(arg))
else
  local was, out = redis.call('HGET', P..'h:'..host, 'ip') or '', num(host, 'out')
  if was == arg or perip == 0 then return {'ok'} end
  for lane = 0, lanes - 1 do
    local best = redis.call('HGET', P..'h:'..host, 'best'..lane) or ''
    local set = P..'r'..lane
    if was ~= '' then set = P..'g'..lane..':'..was end
    move(set, host, 'best'..lane, best, '')
  end
  visits(host, 0 - out)
  redis.call('HSET', P..'h:'..host, 'ip', arg)
  visits(host, out)
end
settle(host)
return {'ok'}
