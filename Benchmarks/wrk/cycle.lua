-- Sends POSTs for one session after the other.
-- From the environment: BODY, COOKIES (a file with one cookie a line), REQUESTS (how many requests to prepare).
--
-- The requests are prepared beforehand. Their number does not depend on the number of cookies and each has a request id
-- of its own, so that the client does the same work, over as much memory, for one session as for 100,000.
local requests = {}
local next_request = 0

function init()
   local cookies = {}
   for line in io.lines(os.getenv("COOKIES")) do
      cookies[#cookies + 1] = line
   end
   local headers = { ["Host"] = wrk.headers["Host"], ["Content-Type"] = "application/json" }
   for i = 1, tonumber(os.getenv("REQUESTS")) do
      headers["Cookie"] = cookies[(i - 1) % #cookies + 1]
      headers["X-Request-ID"] = string.format("benchmark%06d", i)
      requests[i] = wrk.format("POST", nil, headers, os.getenv("BODY"))
   end
end

function request()
   next_request = next_request % #requests + 1
   return requests[next_request]
end

dofile(os.getenv("WRK_SCRIPTS") .. "/done.lua")
