-- lease (microseconds), worker, whether it keeps its leases alive, and ids: lets their leases begin anew, and answers the ids
-- that are not the worker's any more
local lease, worker, keeps, answer = tonumber(ARGV[first]), ARGV[first + 1], ARGV[first + 2] == '1', {'ok'}
for i = first + 3, #ARGV do
  local id = tonumber(ARGV[i])
  if not holds(id, standing(id), worker, keeps, lease) then
    answer[#answer + 1] = id
  elseif lease > 0 then
    redis.call('ZADD', P..'lapse', micros(now + lease), id)
  end
end
return answer
