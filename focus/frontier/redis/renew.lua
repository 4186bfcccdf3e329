-- lease (microseconds), worker and ids: lets their leases begin anew, and answers the ids that are not the worker's any more
local lease, worker, answer = tonumber(ARGV[first]), ARGV[first + 1], {'ok'}
for i = first + 2, #ARGV do
  if redis.call('HGET', P..'out', ARGV[i]) ~= worker then
    answer[#answer + 1] = tonumber(ARGV[i])
  elseif lease > 0 then
    redis.call('ZADD', P..'lapse', micros(now + lease), ARGV[i])
  end
end
return answer
