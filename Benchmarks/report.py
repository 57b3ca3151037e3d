"""Prints the load benchmark's table from the records of a run. Standard library only; see README.md.

    report.py RECORDS

A record is one line: its kind, then NAME=VALUE pairs. The exit status is 0 where every figure is met, 2 where one is
missed, and 1 where an answer was not 2xx or a socket failed: such a run measured something else.
"""

import os
import platform
import sys
from collections import defaultdict
from statistics import median

TICK = 1_000_000 / os.sysconf("SC_CLK_TCK")  # of CPU time, in microseconds
# What wrk counts, by the name in a record.
FAULTS = {
    "status": "answers that were not 2xx",
    "connect": "failed connects",
    "read": "failed reads",
    "write": "failed writes",
    "timeout": "answers that took over two seconds",
}


def load_records(path):
    """All records by kind, with numeric values as numbers."""
    records = defaultdict(list)
    with open(path) as file:
        for line in file:
            kind, *pairs = line.split()
            record = dict(pair.split("=", 1) for pair in pairs)
            for name, value in record.items():
                if value.replace(".", "", 1).isdigit():
                    record[name] = float(value)
            records[kind].append(record)
    return records


def find_faults(loads):
    for load in loads:
        run = "{server}, {event}, {clients:.0f} clients, round {round:.0f}: ".format(**load)
        if not load["requests"]:
            yield run + "no answer at all"
        for name, meaning in FAULTS.items():
            if load[name]:
                yield f"{run}{load[name]:.0f} {meaning}"


class Loads:
    """The runs of wrk, each figure as a list with one element a round."""

    def __init__(self, loads):
        self.rates = defaultdict(list)  # events a second
        self.costs = defaultdict(list)  # microseconds of the server's CPU time, an event
        self.slow = defaultdict(list)  # 99th percentile of the time to an answer, in milliseconds
        self.sizes = defaultdict(list)  # of an answer with its header, in bytes
        for load in loads:
            key = load["event"], load["server"], load["clients"]
            self.rates[key].append(load["requests"] / load["microseconds"] * 1_000_000)
            self.costs[key].append(load["ticks"] * TICK / load["requests"])
            self.slow[key].append(load["p99"] / 1000)
            self.sizes[key].append(load["bytes"] / load["requests"])
        self.clients = sorted({clients for event, _, clients in self.rates if event == "login"})

    def ratio(self, event, server, clients=64):
        """Understudy against another server, round by round: the two ran one after the other."""
        return quotients(self.rates[event, "understudy", clients], self.rates[event, server, clients])

    def to_64(self, event, clients, server="understudy"):
        """A server with so many clients against itself with 64, round by round."""
        return quotients(self.rates[event, server, clients], self.rates[event, server, 64])

    def fall(self, event, clients):
        """The throughput of Understudy at that number of clients relative to 64, divided by the same of the ceiling.

        Both lose the processor time of wrk and the kernel.
        """
        return quotients(self.to_64(event, clients), self.to_64(event, clients, "ceiling"))


def quotients(numerators, denominators):
    return [a / b for a, b in zip(numerators, denominators)]


def spread(values):
    """The median and, if there are several rounds, the lowest and the highest value."""
    text = f"{median(values):.2f}"
    return text if len(values) == 1 else f"{text} ({min(values):.2f} to {max(values):.2f})"


def print_row(first, cells):
    print(f"{first:>9}" + "".join(f"{cell:>14}" for cell in cells))


def print_throughput(loads, event, servers):
    others = [server for server in servers if server != "understudy"]
    print(f"\n{event} events a second, one session; the ratios are understudy's")
    print_row("clients", [*servers, *(f"/{server}" for server in others), "/64 clients", "p99 ms"])
    for clients in loads.clients:
        cells = [f"{median(loads.rates[event, server, clients]):,.0f}" for server in servers]
        cells += [f"{median(loads.ratio(event, server, clients)):.2f}" for server in others]
        cells += [f"{median(loads.to_64(event, clients)):.2f}"]
        cells += [f"{median(loads.slow[event, 'understudy', clients]):.1f}"]
        print_row(f"{clients:.0f}", cells)
    costs = [f"{median(loads.costs[event, server, 64]):.1f}" for server in servers]
    print_row("CPU us", [*costs, "  an event, of the server, at 64 clients"])
    print_row("bytes", [*(f"{median(loads.sizes[event, server, 64]):.0f}" for server in servers), "  an answer"])


def print_libraries(loads):
    """Each version of libmicrohttpd, by itself and under Understudy; ratios are those of one round."""
    print("\nregistration events a second, one session, by the version of libmicrohttpd")
    print_row("clients", ["library", "ceiling", "understudy", "/ceiling", "/0.9", "CPU us", "CPU of 0.9's", "p99 ms"])
    for clients in (64, 512):
        for version in ("0.9", "1.0"):
            event, old = f"registration-{version}", "registration-0.9"
            ceiling, ours = (event, "ceiling", clients), (event, "understudy", clients)
            rates, costs = loads.rates[ours], loads.costs[ours]
            cells = [version, f"{median(loads.rates[ceiling]):,.0f}", f"{median(rates):,.0f}"]
            cells += [f"{median(quotients(rates, loads.rates[ceiling])):.2f}"]
            cells += [f"{median(quotients(rates, loads.rates[old, 'understudy', clients])):.2f}"]
            cells += [f"{median(costs):.1f}"]
            cells += [f"{median(quotients(costs, loads.costs[old, 'understudy', clients])):.2f}"]
            cells += [f"{median(loads.slow[ours]):.1f}"]
            print_row(f"{clients}", cells)


def main(path):
    records = load_records(path)
    faults = list(find_faults(records["load"]))
    if faults:
        print("FAILED: these runs had errors, so that no figure counts:", *faults, sep="\n  ")
        return 1

    loads = Loads(records["load"])
    if any(event == "registration-1.0" for event, _, _ in loads.rates):
        print_libraries(loads)
        return 0
    print(f"{platform.system()} {platform.release()} {platform.machine()}, {os.cpu_count()} cores", end=", ")
    print(f"rounds: {len(loads.rates['login', 'understudy', 64])}; medians throughout")
    print_throughput(loads, "login", ["ceiling", "understudy", "hummingbird"])
    print_throughput(loads, "registration", ["ceiling", "understudy"])

    memory = records["memory"][0]
    one, many = ("registration-one", "understudy", 64), ("registration-many", "understudy", 64)
    print("\nregistration events of understudy at 64 clients, by live sessions")
    print_row("sessions", ["a second", "CPU us"])
    live = memory["sessions"] + 1  # the first was not weighed
    for sessions, key in ((1, one), (live, many)):
        print_row(f"{sessions:,.0f}", [f"{median(loads.rates[key]):,.0f}", f"{median(loads.costs[key]):.1f}"])

    print(f"\n{'':>13}{'first answer, ms':>18}{'resident, MiB':>16}{'after logins':>16}")
    starts = {}
    for server in ("understudy", "hummingbird"):
        runs = [record for record in records["start"] if record["server"] == server]
        figures = [median(run[name] for run in runs) for name in ("milliseconds", "kib", "kib_login")]
        starts[server] = milliseconds, mebibytes = figures[0], figures[1] / 1024
        print(f"{server:>13}{milliseconds:>18.1f}{mebibytes:>16.1f}{figures[2] / 1024:>16.1f}")

    rows = []  # name, figure, whether the target is met, target
    for event in ("login", "registration"):
        ratio = loads.ratio(event, "ceiling")
        goal = "at least 0.75, aim 0.85"
        rows.append((f"{event} events, of the C ceiling, 64 clients", spread(ratio), median(ratio) >= 0.75, goal))
    ratio = loads.ratio("login", "hummingbird")
    rows.append(("login events, of Hummingbird, 64 clients", spread(ratio), median(ratio) >= 2.5, "at least 2.5"))
    for clients in loads.clients:
        if clients > 64:
            lowest = min((loads.fall(event, clients) for event in ("login", "registration")), key=median)
            what = f"no stall at {clients:.0f} clients: fall from 64, of the ceiling's"
            rows.append((what, spread(lowest), median(lowest) >= 0.8, "at least 0.80"))
    kib = (memory["after"] - memory["before"]) / memory["sessions"]
    rows.append(("memory for an idle session, KiB", f"{kib:.2f}", kib <= 1.5, "at most 1.5"))
    milliseconds, mebibytes = starts["understudy"]
    rows.append(("resident memory after start, MiB", f"{mebibytes:.1f}", mebibytes <= 36, "at most 36, aim 25"))
    rows.append(("start to first answer, ms", f"{milliseconds:.1f}", milliseconds <= 50, "at most 50"))
    # By both measures, since a client that is the slower side hides the server's cost in the rate.
    by_rate, by_cost = quotients(loads.rates[one], loads.rates[many]), quotients(loads.costs[many], loads.costs[one])
    growth = max(by_rate, by_cost, key=median)
    what = f"cost of an event, {live:,.0f} sessions against 1"
    rows.append((what, spread(growth), median(growth) <= 1.2, "at most 1.20"))

    print()
    for what, figure, met, goal in rows:
        print(f"{'met' if met else 'MISSED':<7}{what:<52}{figure:<23}{goal}")
    return 0 if all(met for _, _, met, _ in rows) else 2


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
