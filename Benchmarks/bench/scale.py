"""Several event loops, and TLS on connections that stay open."""

import os
import random
from contextlib import ExitStack

import certificate
import client
import events
import servers
from estimate import estimate, quotients
from generators import throughput, write_requests
from programs import say
from report import middle
from throughput import EXPLANATION, mark


# The events of one session run one at a time, so that several loops would wait for each other if all clients used the same.
SESSIONS = 1_000


def requests(server):
    """A prepared request for each of many sessions, in random order."""
    tokens = [client.new_token(server.port, server.tls) for _ in range(SESSIONS)]
    random.Random(1).shuffle(tokens)
    return write_requests(server.name, (events.BEARER.request(server.port, token) for token in tokens))


def loop_counts():
    """1, 2, 4, … up to the number of processors."""
    counts = [1]
    while counts[-1] * 2 <= os.cpu_count():
        counts.append(counts[-1] * 2)
    return counts


def run(programs, options, report):
    with ExitStack() as stack:
        measured = {}
        for loops in loop_counts():
            server = servers.understudy(programs, name=f"{loops} loops", loops=loops)
            measured[f"{loops} event loop{'s' if loops > 1 else ''}"] = stack.enter_context(server)
        tls = servers.understudy(programs, *certificate.options(), name="TLS", tls=True)
        measured["1 event loop, TLS"] = stack.enter_context(tls)
        first, *_ = measured
        runs = {name: [] for name in measured}
        files = {name: requests(server) for name, server in measured.items()}
        for number in range(options.rounds):
            say(f"scale, round {number + 1} of {options.rounds}")
            for name, server in list(measured.items())[:: -1 if number % 2 else 1]:
                # As many threads of wrk as loops, so that it can keep up if there are enough processors.
                runs[name].append(throughput(server, files[name], 64, options.seconds, threads=server.loops))
    lines = []
    for name, results in runs.items():
        rates = estimate(quotients([run.rate for run in results], [run.rate for run in runs[first]]))
        costs = estimate(quotients([run.cost for run in results], [run.cost for run in runs[first]]))
        rate = f"{middle(results, 'rate'):,.0f}{mark(results)}"
        lines.append([name, rate, rates, f"{middle(results, 'cost'):.1f}", costs, f"{middle(results, 'server_load'):.2f}"])
    header = ["64 clients", "events/s", f"of {first}", "CPU µs", f"of {first}", "processors used"]
    report.table(f"Event loops and TLS ({options.rounds} rounds)", header, lines)
    report.paragraph(
        f"wrk takes as many threads as the server has loops, and {os.cpu_count()} processors serve both. {EXPLANATION}"
    )
