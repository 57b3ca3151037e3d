"""A server with and without a shadow, in turn: what a sample of 1 % costs its clients."""

from statistics import median

import client
import servers
from estimate import estimate, quotients
from events import KINDS
from generators import throughput, write_requests
from programs import say

MEASURED = ["registration", "products", "new-session"]
CLIENTS = 64
# The sample contains some sessions only, so that one session would show nothing.
SESSIONS = 1000
# The server without a shadow runs twice in a round: the second quotient shows what the machine alone does.
VARIANTS = ["without", "with", "again"]


def run(programs, options, report):
    lines = []
    for kind in MEASURED:
        event, settings = KINDS[kind]
        say(f"shadow, {kind}")
        shadow = ("--shadow", str(programs.understudy))
        runs = {name: [] for name in VARIANTS}
        for number in range(options.rounds):
            for name in VARIANTS[number % 3 :] + VARIANTS[: number % 3]:
                added = shadow if name == "with" else ()
                with servers.understudy(programs, *settings, *added, name=f"{name}-shadow") as server:
                    tokens = [""] if event.starts_session else [client.new_token(server.port) for _ in range(SESSIONS)]
                    requests = write_requests(f"{server.name}-{event.name}", [event.request(server.port, token) for token in tokens])
                    throughput(server, requests, CLIENTS, seconds=1)
                    runs[name].append(throughput(server, requests, CLIENTS, options.seconds))
        rates = {name: [one.rate for one in all] for name, all in runs.items()}
        costs = {name: [one.cost for one in all] for name, all in runs.items()}
        p99 = {name: median(one.p99 for one in all) for name, all in runs.items()}
        lines.append(
            [
                kind,
                f"{median(rates['without']):,.0f}",
                estimate(quotients(rates["with"], rates["without"])),
                estimate(quotients(rates["again"], rates["without"])),
                estimate(quotients(costs["with"], costs["without"])),
                f"{p99['without']:.2f}",
                f"{p99['with']:.2f}",
            ]
        )
    report.table(
        f"A shadow that runs 1 % of the events ({options.rounds} rounds of {options.seconds} s)",
        [
            f"{CLIENTS} clients",
            "requests/s without",
            "with / without",
            "without, again / without",
            "processor time of the server, with / without",
            "p99 ms without",
            "p99 ms with",
        ],
        lines,
    )
