-- the item of the page that the links are on, its lease (empty if it is not being visited), the name of this call, and after
-- how many failures a host was given up that is pardoned for a start page (0 for none); for each item: where it is seen, as
-- what, host, key 0, key 1, address, carried, numbers; answers id, and 1 if it is new, 2 if it was raised, 0 otherwise
local lease, call, giveup = ARGV[first + 1], ARGV[first + 2], tonumber(ARGV[first + 3])
local news = P..'news:'..ARGV[first]
local function one(seen, digest, host, key0, key1, address, carried, numbers)
  local id = tonumber(redis.call('HGET', P..seen, digest) or 0)
  if id == 0 then
    id = redis.call('HINCRBY', P..'m', 'ids', 1)
    redis.call('HSET', P..seen, digest, id)
    redis.call('HSET', P..'a', id, address)
    redis.call('HSET', P..'c', id, carried)
    if numbers ~= '' then redis.call('HSET', P..'x', id, numbers) end
    redis.call('SADD', P..'hosts', host)
    if giveup > 0 and num(host, 'fails') >= giveup then
      redis.call('HDEL', P..'h:'..host, 'fails', 'why', 'next')
      found(host)
    end
    wait(id, {[0] = key0, [1] = key1, host = host})
    settle(host)
    return id, 1
  end
  local s = standing(id)
  local dropped = s.state == 'D'
  if s.state ~= 'W' and not dropped then return id, 0 end
  local tier, alt = key0:sub(1, 4), key1:sub(5)
  local oldAlt = s[1]:sub(5)
  if not dropped and carried:sub(1, 2) ~= '\0\0' then -- the longest reach of all links stays with the item
    local was = redis.call('HGET', P..'c', id)
    if unbytes(was, 1, 2) > unbytes(carried, 1, 2) then
      carried = was:sub(1, 2)..carried:sub(3)
    elseif was:sub(1, 2) ~= carried:sub(1, 2) then
      redis.call('HSET', P..'c', id, carried:sub(1, 2)..was:sub(3))
    end
  end
  if dropped or less(key0, s[0]) then
    if not dropped and less(oldAlt, alt) then key1 = tier..oldAlt end
    redis.call('HSET', P..'c', id, carried)
    if numbers ~= '' then redis.call('HSET', P..'x', id, numbers) else redis.call('HDEL', P..'x', id) end
    if dropped then
      s[0], s[1] = key0, key1
      wait(id, s)
      settle(s.host)
      return id, 1
    end
    restand(id, s, key0, key1)
    return id, 2
  elseif less(alt, oldAlt) then
    restand(id, s, s[0], s[1]:sub(1, 4)..alt)
  end
  return id, 0
end

-- Whoever pushed may have died before it could write down what its links were, or not have heard the answer, or have lost the visit
-- and not heard of that: who visits the page again, or asks again, is told the same, once for each link.
local visitor = redis.call('HGET', P..'out', ARGV[first]) or redis.call('HGET', P..'lapsed', ARGV[first])
local own = visitor and visitor:sub(-16) == lease:sub(1, 16)
local cut, said, notes = visitor and redis.call('EXISTS', news) == 1, {}, {}
local function again(id, new)
  if not visitor or said[id] then return new end
  local was = cut and redis.call('HGET', news, id)
  if was then
    local before, lessor, caller = was:match('^(%d) (%S*) (%S+)$')
    if (lessor ~= lease or caller == call) and (before == '1' or new == 0) then new = tonumber(before) end
  end
  if new > 0 then said[id] = true end
  if new > 0 and (own or not was) then -- what the visitor was told is not forgotten for one who has lost the visit
    notes[#notes + 1], notes[#notes + 2] = id, new..' '..lease..' '..call
  end
  return new
end

local answer = {'ok'}
for i = first + 4, #ARGV, 8 do
  local id, new = one(ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4], ARGV[i + 5], ARGV[i + 6], ARGV[i + 7])
  answer[#answer + 1], answer[#answer + 2] = id, again(id, new)
end
if #notes > 0 then
  redis.call('HSET', news, unpack(notes))
  redis.call('EXPIRE', news, 86400) -- of a page that nobody visits to its end
end
return answer
