"""The time from the start of a server to its first response, and its resident memory then and after a login."""

import time
from statistics import median

import client
import servers
from programs import say


def start_once(name, command):
    """Milliseconds, KiB after the start, KiB after logins."""
    began = time.perf_counter()
    # The pause leaves the processor to the server, and limits the precision of the figure.
    with servers.Server(name, command, pause=0.0002) as server:
        milliseconds = (time.perf_counter() - began) * 1000
        kib = server.resident()
        client.new_token(server.port)
        return milliseconds, kib, server.resident()


def run(programs, options, report):
    times = 5 if options.quick else 20
    say(f"starting each server {times} times")
    commands = {
        "Understudy": servers.understudy_command(programs),
        "Hummingbird 2": servers.hummingbird_command(programs),
    }
    runs = {name: [] for name in commands}
    for _ in range(times):
        for name, command in commands.items():
            runs[name].append(start_once(name, command))
    figures = {name: [median(values) for values in zip(*runs[name])] for name in commands}
    lines = [
        [name, f"{ms:.0f} ms", f"{kib / 1024:.1f} MiB", f"{after / 1024:.1f} MiB"] for name, (ms, kib, after) in figures.items()
    ]
    report.table(f"Start (medians of {times})", ["", "first response", "resident", "after logins"], lines)
    milliseconds, kib, _ = figures["Understudy"]
    report.goal("start to first response, ms", f"{milliseconds:.0f}", milliseconds <= 50, "at most 50")
    report.goal("resident memory after start, MiB", f"{kib / 1024:.1f}", kib / 1024 <= 36, "at most 36, aim 25")
