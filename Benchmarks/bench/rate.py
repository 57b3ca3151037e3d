"""Processor time of Understudy and of the ceiling for the same events at the same rate."""

from contextlib import ExitStack, contextmanager
from statistics import median

import client
import events
import servers
from estimate import estimate, quotients
from generators import latency, measure
from programs import say
from report import middle

SHARES = {"a quarter": 1 / 4, "half": 1 / 2, "three quarters": 3 / 4}
HIGHEST_SHARE = "three quarters"
ROWS = {
    "bearer token": (events.BEARER, SHARES),
    "login, locked page": (events.LOGIN, {HIGHEST_SHARE: SHARES[HIGHEST_SHARE]}),
}
HEADER = ["of Understudy's highest throughput", "events/s", "CPU µs"]


def run(programs, options, report):
    lines = []
    for title, (event, shares) in ROWS.items():
        for share, (ours, theirs) in next_to_ceiling(programs, options, event, shares, title).items():
            costs = f"{middle(theirs, 'cost'):.1f}", f"**{compare(theirs, ours)}**"
            lines.append([f"{title}, {share}", *figures(ours), *costs])
    rounds = f"({options.rounds} rounds of {options.seconds} s)"
    report.table(
        f"Processor time at the same rate as the ceiling, 64 connections {rounds}",
        [*HEADER, "ceiling's", "ceiling's CPU / CPU"],
        lines,
    )
    plain, new = next_to_plain(programs, options)
    quotient = compare(plain, new)
    report.table(
        f"Processor time of new sessions at the same rate, 64 connections {rounds}",
        [*HEADER, "with a bearer token", "bearer token's CPU / CPU"],
        [[f"a new session each time, {HIGHEST_SHARE}", *figures(new), f"{middle(plain, 'cost'):.1f}", f"**{quotient}**"]],
    )
    report.goal(
        f"a new session each time, {HIGHEST_SHARE} of the highest throughput: bearer token's CPU / CPU",
        quotient,
        quotient.mean >= 0.7,
        "at least 0.7",
    )


def compare(theirs, ours):
    return estimate(quotients([run.cost for run in theirs], [run.cost for run in ours]))


def figures(runs):
    return [f"{median(run.rate for run in runs):,.0f}", f"{middle(runs, 'cost'):.1f}"]


def next_to_ceiling(programs, options, event, shares, title):
    """For each share, the runs of Understudy and those of the ceiling."""
    with ExitStack() as stack:
        pair = servers.understudy_and_ceiling(programs, event, stack)
        runs = {share: ([], []) for share in shares}
        for number in range(options.rounds):
            say(f"rate, {title}, round {number + 1} of {options.rounds}")
            highest = measure(pair[0], event, seconds=options.seconds).rate
            for share, factor in shares.items():
                both = list(zip(pair, runs[share]))
                for server, results in both[:: -1 if number % 2 else 1]:
                    results.append(latency(programs, server, event, highest * factor, seconds=options.seconds))
    return runs


def next_to_plain(programs, options):
    """The runs of events in an existing session, and of as many events of which each starts a session."""
    plain, new = [], []
    for number in range(options.rounds):
        say(f"rate, new sessions, round {number + 1} of {options.rounds}")
        with new_server(programs, events.NEW_SESSION) as server:
            rate = measure(server, events.NEW_SESSION, seconds=options.seconds).rate * SHARES[HIGHEST_SHARE]
        both = [(events.BEARER, plain), (events.NEW_SESSION, new)]
        for event, results in both[:: -1 if number % 2 else 1]:
            # A server of its own for each run, so that no earlier session must end to make room.
            with new_server(programs, event) as server:
                results.append(latency(programs, server, event, rate, seconds=options.seconds))
    return plain, new


@contextmanager
def new_server(programs, event):
    """A server that has handled the event once, with a session if the event needs one."""
    with servers.understudy(programs) as server:
        if not event.starts_session:
            server.token = client.new_token(server.port)
        client.check(server.port, event, server.token)
        yield server
