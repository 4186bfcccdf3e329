-- lease (microseconds) and ids: lets their leases begin anew
local lease, lost = tonumber(ARGV[first]), 0
for i = first + 1, #ARGV do
  local s = standing(ARGV[i])
  if not s or s.state ~= 'L' then
    lost = lost + 1
  elseif lease > 0 then
    redis.call('ZADD', P..'lapse', string.format('%.0f', now + lease), ARGV[i])
  end
end
return {'ok', lost}
