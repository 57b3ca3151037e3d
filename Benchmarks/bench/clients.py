"""Throughput from 1 to 1,000 keep-alive clients: a server that stalls loses nearly all of it."""

from collections import defaultdict
from statistics import median

import client
import events
import servers
from estimate import estimate, quotients
from generators import measure
from programs import say
from report import middle

COUNTS = (1, 64, 128, 256, 512, 1000)


def run(programs, options, report):
    rounds = min(options.rounds, 3)
    counts = (1, 64, 128, 512) if options.quick else COUNTS
    runs = defaultdict(list)
    with servers.understudy(programs) as understudy:
        understudy.token = client.new_token(understudy.port)
        response = client.check(understudy.port, events.BEARER, understudy.token)
        with servers.ceiling(programs, events.BEARER, response) as ceiling:
            ceiling.token = events.TOKEN
            for number in range(rounds):
                for clients in counts:
                    say(f"clients, round {number + 1} of {rounds}, {clients} clients")
                    for server in (understudy, ceiling)[:: -1 if number % 2 else 1]:
                        name = "ours" if server is understudy else "ceiling"
                        runs[name, clients].append(measure(server, events.BEARER, clients, options.seconds))
        client.check(understudy.port, events.BEARER, understudy.token)
    rates = {key: [run.rate for run in values] for key, values in runs.items()}
    lines = []
    for clients in counts:
        # Both lose the processor time of wrk and of the kernel's sockets.
        falls = {name: quotients(rates[name, clients], rates[name, 64]) for name in ("ours", "ceiling")}
        fall = estimate(quotients(falls["ours"], falls["ceiling"]))
        cells = [f"{middle(runs[name, clients], 'rate'):,.0f}" for name in ("ours", "ceiling")]
        cells += [f"{median(falls[name]):.2f}" for name in ("ours", "ceiling")]
        lines.append([clients, *cells, fall, f"{middle(runs['ours', clients], 'p99'):.1f}"])
        if clients > 64:
            report.goal(f"no stall at {clients} clients: fall from 64, of the ceiling's", fall, fall.mean >= 0.8, "at least 0.8")
    header = ["clients", "events/s", "ceiling's", "of 64 clients", "ceiling's", "of the ceiling's", "p99 ms"]
    report.table(f"Keep-alive clients, {events.BEARER.name} ({rounds} rounds)", header, lines)
