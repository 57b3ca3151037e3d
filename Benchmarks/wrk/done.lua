-- Prints what a run came to as one line: answers, bytes received, duration in microseconds, errors of each kind, and
-- how long the slow answers took, in microseconds.
function done(summary, latency)
   local errors = summary.errors
   io.write(string.format(
      "RESULT requests=%d bytes=%d microseconds=%d status=%d connect=%d read=%d write=%d timeout=%d p99=%d max=%d\n",
      summary.requests, summary.bytes, summary.duration,
      errors.status, errors.connect, errors.read, errors.write, errors.timeout,
      latency:percentile(99), latency.max))
end
