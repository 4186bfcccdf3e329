-- lease (microseconds), worker, whether it keeps its leases alive, how many visits may be spent (see pages), and ids: lets their leases begin anew, and answers the ids
-- that are not the worker's any more
local lease, worker, keeps, answer = tonumber(ARGV[first]), ARGV[first + 1], ARGV[first + 2] == '1', {'ok'}
local most = tonumber(ARGV[first + 3])
for i = first + 4, #ARGV do
  local id = tonumber(ARGV[i])
  if not holds(id, standing(id), worker, keeps, lease, most) then
    answer[#answer + 1] = id
  elseif lease > 0 then
    redis.call('ZADD', P..'lapse', micros(now + lease), id)
  end
end
return answer
