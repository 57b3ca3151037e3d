"""Checks the measurement itself: does the fixed-rate client report a server that stands still, and its own delays?"""

import signal
import time

import client
import events
import servers
from generators import FixedRate, write_requests
from latency import HEADER, cells
from programs import say

RATE, SECONDS = 1000, 4
STOP = 0.2  # seconds


def measure(programs, server, choose):
    """A run during which the process stops that `choose` returns, given the server's and the client's."""
    requests = write_requests("method", [events.BEARER.request(server.port)])
    with FixedRate(programs, server, requests, RATE, 16, SECONDS) as load:
        time.sleep(SECONDS / 2)
        process = choose(server.process, load.process)
        if process:
            process.send_signal(signal.SIGSTOP)
            time.sleep(STOP)
            process.send_signal(signal.SIGCONT)
        return load.result()


def run(programs, options, report):
    say(f"method: {STOP} seconds without a server, and without a client")
    with servers.understudy(programs) as understudy:
        response = client.check(understudy.port, events.BEARER, client.new_token(understudy.port))
    with servers.ceiling(programs, events.BEARER, response) as ceiling:
        runs = {
            "nothing stops": measure(programs, ceiling, lambda server, load: None),
            "the server stops": measure(programs, ceiling, lambda server, load: server),
            "the client stops": measure(programs, ceiling, lambda server, load: load),
        }
    lines = [[name, *cells([result])] for name, result in runs.items()]
    report.table(
        f"The ceiling at {RATE:,} events a second; a process stops for {STOP * 1000:.0f} ms (milliseconds)", HEADER, lines
    )
    # 200 of 4,000 requests are due meanwhile, and wait for 100 ms on average.
    by_server, by_client = runs["the server stops"], runs["the client stops"]
    report.goal("the server stops: p99 in ms", f"{by_server.p99:.0f}", by_server.p99 > 100, "above 100")
    report.goal("the server stops: the client's delay in ms", f"{by_server.lag:.0f}", by_server.lag < 100, "below 100")
    report.goal("the client stops: the client's delay in ms", f"{by_client.lag:.0f}", by_client.lag > 100, "above 100")
