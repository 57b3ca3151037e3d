"""A server with and without a shadow, in turn: what a sample of 1 % costs its clients."""

from statistics import median

import client
import servers
from estimate import estimate, quotients
from generators import measure
from instructions import KINDS
from programs import say

MEASURED = ["registration", "products", "new-session"]


def run(programs, options, report):
    lines = []
    for kind in MEASURED:
        event, settings = KINDS[kind]
        say(f"shadow, {kind}")
        shadow = ("--shadow", str(programs.understudy))
        runs = {"without": [], "with": []}
        for number in range(options.rounds):
            for name in list(runs)[:: -1 if number % 2 else 1]:
                added = shadow if name == "with" else ()
                with servers.understudy(programs, *settings, *added, name=f"{name}-shadow") as server:
                    if not event.starts_session:
                        server.token = client.new_token(server.port)
                    measure(server, event, seconds=1)
                    runs[name].append(measure(server, event, seconds=options.seconds))
        rates = {name: [one.rate for one in all] for name, all in runs.items()}
        p99 = {name: median(one.p99 for one in all) for name, all in runs.items()}
        lines.append(
            [
                kind,
                f"{median(rates['without']):,.0f}",
                f"{median(rates['with']):,.0f}",
                estimate(quotients(rates["with"], rates["without"])),
                f"{p99['without']:.2f}",
                f"{p99['with']:.2f}",
            ]
        )
    report.table(
        f"A shadow that runs 1 % of the events ({options.rounds} rounds of {options.seconds} s)",
        ["64 clients", "requests/s without", "requests/s with", "with / without", "p99 ms without", "p99 ms with"],
        lines,
    )
