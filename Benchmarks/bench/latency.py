"""Latency at half of the highest throughput, measured from when a request was due."""

from contextlib import ExitStack

import client
import events
import servers
from generators import latency, measure
from programs import say
from report import middle


def run(programs, options, report):
    rounds = min(options.rounds, 3)
    seconds = 2 * options.seconds
    with ExitStack() as stack:
        understudy, ceiling = servers.understudy_and_ceiling(programs, events.BEARER, stack)
        hummingbird = stack.enter_context(servers.hummingbird(programs))
        hummingbird.token = client.new_token(hummingbird.port)
        measured = {"Understudy": understudy, "ceiling": ceiling, "Hummingbird 2": hummingbird}
        runs = {name: [] for name in measured}
        for number in range(rounds):
            for name, server in measured.items():
                say(f"latency, round {number + 1} of {rounds}, {name}")
                # At once before, because the machine's speed varies.
                highest = measure(server, events.BEARER, seconds=options.seconds).rate
                runs[name].append(latency(programs, server, events.BEARER, highest / 2, seconds=seconds))
    lines = [[name, *cells(results)] for name, results in runs.items()]
    report.table(
        f"Latency at half of the highest throughput, 64 connections ({rounds} rounds of {seconds} s; milliseconds)",
        HEADER,
        lines,
    )
    report.paragraph(
        "The generator's delay is the 99.9th percentile of its own lateness, which is part of the latency. "
        "∗: it was late by more than a millisecond in 1 % of the requests, so that the row measures the generator as well."
    )


HEADER = ["", "events/s", "p50", "p99", "p99.9", "longest", "generator's delay, p99.9", "unanswered"]


def cells(results):
    late = "" if sum(result.kept_up for result in results) * 2 > len(results) else "∗"
    times = [f"{middle(results, name):.2f}" for name in ("p50", "p99", "p999", "max", "lag")]
    return [f"{middle(results, 'rate'):,.0f}{late}", *times, sum(result.unanswered for result in results)]
