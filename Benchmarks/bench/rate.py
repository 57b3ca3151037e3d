"""Processor time of Understudy and of the ceiling for the same events at the same rate."""

from contextlib import ExitStack
from statistics import median

import events
import servers
from estimate import estimate, quotients
from generators import latency, measure
from programs import say
from report import middle

SHARES = {"a quarter": 1 / 4, "half": 1 / 2, "three quarters": 3 / 4}


def run(programs, options, report):
    with ExitStack() as stack:
        understudy, ceiling = servers.understudy_and_ceiling(programs, events.BEARER, stack)
        runs = {(share, server.name): [] for share in SHARES for server in (understudy, ceiling)}
        for number in range(options.rounds):
            say(f"rate, round {number + 1} of {options.rounds}")
            highest = measure(understudy, events.BEARER, seconds=options.seconds).rate
            for share, factor in SHARES.items():
                for server in (understudy, ceiling)[:: -1 if number % 2 else 1]:
                    result = latency(programs, server, events.BEARER, highest * factor, seconds=options.seconds)
                    runs[share, server.name].append(result)
    lines = []
    for share in SHARES:
        ours, theirs = runs[share, understudy.name], runs[share, ceiling.name]
        quotient = estimate(quotients([run.cost for run in theirs], [run.cost for run in ours]))
        rate = f"{median(run.rate for run in ours):,.0f}"
        lines.append([share, rate, f"{middle(ours, 'cost'):.1f}", f"{middle(theirs, 'cost'):.1f}", f"**{quotient}**"])
    report.table(
        f"Processor time at the same rate, bearer token, 64 connections ({options.rounds} rounds of {options.seconds} s)",
        ["of Understudy's highest throughput", "events/s", "CPU µs", "ceiling's", "ceiling's CPU / CPU"],
        lines,
    )
    report.goal(
        f"at {share} of the highest throughput: the ceiling's CPU / CPU", quotient, quotient.mean >= 0.65, "at least 0.65"
    )
