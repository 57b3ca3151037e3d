"""The ceiling and Understudy with either version of libmicrohttpd, in turn.

With 64 and 512 clients, because the versions may stall differently.
"""

import os
from contextlib import ExitStack

import client
import events
import servers
from client import Failure
from estimate import estimate, quotients
from generators import measure
from programs import say
from report import middle

COUNTS = (64, 512)


def run(programs, options, report):
    newer = os.environ.get("NEWER_LIBRARY")
    if not newer:
        raise Failure("this machine has no libmicrohttpd 0.9 to compare with")
    environments = {"0.9": servers.environment(), "1.0": servers.environment(LD_LIBRARY_PATH=newer)}
    runs = {}
    with ExitStack() as stack:
        measured = {}
        for version, variables in environments.items():
            understudy = servers.understudy(programs, name=f"understudy {version}", variables=variables)
            stack.enter_context(understudy).token = client.new_token(understudy.port)
            response = client.check(understudy.port, events.BEARER, understudy.token)
            ceiling = stack.enter_context(servers.ceiling(programs, events.BEARER, response, variables=variables))
            ceiling.token = events.TOKEN
            measured["Understudy", version], measured["ceiling", version] = understudy, ceiling
        for server in measured.values():
            measure(server, events.BEARER, seconds=1)
        for number in range(options.rounds):
            say(f"libmicrohttpd 0.9 and 1.0, round {number + 1} of {options.rounds}")
            for clients in COUNTS:
                for key, server in measured.items():
                    runs.setdefault((*key, clients), []).append(measure(server, events.BEARER, clients, options.seconds))
    lines = []
    for (name, version, clients), results in sorted(runs.items()):
        older = runs[name, "0.9", clients]
        lines.append(
            [
                name,
                version,
                clients,
                f"{middle(results, 'rate'):,.0f}",
                estimate(quotients([run.rate for run in results], [run.rate for run in older])),
                f"{middle(results, 'cost'):.1f}",
                estimate(quotients([run.cost for run in results], [run.cost for run in older])),
                f"{middle(results, 'p99'):.1f}",
            ]
        )
    header = ["", "libmicrohttpd", "clients", "events/s", "of 0.9", "CPU µs", "of 0.9", "p99 ms"]
    report.table(f"Versions of libmicrohttpd, {events.BEARER.name} ({options.rounds} rounds)", header, lines)
