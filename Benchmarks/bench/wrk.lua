-- Sends the prepared requests of the file that REQUESTS names, in turn. Before each is a line with its length in bytes.
-- If there is only one, wrk reads it once and calls no Lua for a request, so that the client costs next to nothing.
local requests = {}
local next_request = 0

local file = assert(io.open(os.getenv("REQUESTS"), "rb"))
for line in file:lines() do
   requests[#requests + 1] = assert(file:read(tonumber(line)))
end
file:close()

function wrk.format()
   return requests[1]
end

if #requests > 1 then
   function request()
      next_request = next_request % #requests + 1
      return requests[next_request]
   end
end

-- Prints the result as one line: responses, bytes received, duration in microseconds, errors of each kind, and how long the
-- slow responses took, in microseconds.
function done(summary, latency)
   local errors = summary.errors
   io.write(string.format(
      "RESULT requests=%d bytes=%d microseconds=%d status=%d connect=%d read=%d write=%d timeout=%d p99=%d max=%d\n",
      summary.requests, summary.bytes, summary.duration,
      errors.status, errors.connect, errors.read, errors.write, errors.timeout,
      latency:percentile(99), latency.max))
end
