"""The memory of a session, and the cost of an event with 1, 1,000 and 100,000 sessions, touched in random order."""

import random
from contextlib import ExitStack

import client
import events
import servers
from estimate import estimate, quotients
from generators import throughput, write_requests
from programs import say
from report import middle

COUNTS = (1, 1_000, 100_000)
MOST = COUNTS[-1]


def requests(server, tokens):
    """Prepared requests for the sessions in random order.

    Their number does not depend on the number of sessions, and each has a request ID of its own. So the client does the same
    work, over as much memory, for one session as for 100,000.
    """
    chosen = [tokens[i % len(tokens)] for i in range(MOST)]
    random.Random(1).shuffle(chosen)
    return write_requests(
        server.name,
        (events.COOKIE.request(server.port, token, f"X-Request-ID: benchmark{i:06}\n") for i, token in enumerate(chosen)),
    )


def run(programs, options, report):
    runs = {count: [] for count in COUNTS}
    with ExitStack() as stack:
        measured, files = {}, {}
        for count in COUNTS:
            say(f"starting {count:,} sessions")
            server = stack.enter_context(servers.understudy(programs, name=f"{count} sessions"))
            tokens = client.start_sessions(server.port, events.NEW_SESSION, 1)
            # The first session is not measured: it includes one-time allocations.
            before = server.resident()
            tokens += client.start_sessions(server.port, events.NEW_SESSION, count - 1)
            if count == MOST:
                kib = (server.resident() - before) / (count - 1)
            measured[count], files[count] = server, requests(server, tokens)
            server.forget_log()
        for number in range(options.rounds):
            say(f"sessions, round {number + 1} of {options.rounds}")
            for count in COUNTS[:: -1 if number % 2 else 1]:
                runs[count].append(throughput(measured[count], files[count], 64, options.seconds))
    lines = []
    for count in COUNTS:
        growth = estimate(quotients([run.cost for run in runs[count]], [run.cost for run in runs[1]]))
        lines.append([f"{count:,}", f"{middle(runs[count], 'rate'):,.0f}", f"{middle(runs[count], 'cost'):.1f}", growth])
    report.table(
        "Live sessions, touched in random order, 64 clients",
        ["sessions", "events/s", "CPU µs", "cost of 1 session"],
        lines,
    )
    report.goal(f"cost of an event, {MOST:,} sessions against 1", growth, growth.mean <= 1.2, "at most 1.2")
    report.goal("memory of an idle session, KiB", f"{kib:.2f}", kib <= 1.5, "at most 1.5")
