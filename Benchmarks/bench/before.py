"""An earlier program and this one in turn: processor time of each kind of event, and the profile of the plain event."""

import re
import shutil
import subprocess
from collections import Counter
from statistics import median

import client
import events
import programs as build
import servers
from estimate import estimate, quotients
from events import KINDS
from generators import measure
from programs import Programs, say

# The symbols of Swift that count references, copy values, and create and destroy objects.
ARC = re.compile(
    r"retain|release|refcount|weakload|isuniquely|outlined|allocobject|dealloc|swift_slow|swift_array(destroy|init)"
    r"|witness|initializewithcopy|destroy for|tuple_",
    re.IGNORECASE,
)
MEMORY = re.compile(r"malloc|free|calloc")


def run(programs, options, report):
    both = {"before": Programs(understudy=build.given(options.before, "--before")), "now": programs}
    lines = []
    for kind, (event, settings) in KINDS.items():
        say(f"before, {kind}")
        costs = compare(programs, both, event, settings, options)
        figures = [(f"{median(own):.1f}", estimate(quotients(ceiling, own))) for own, ceiling in costs.values()]
        lines.append([kind, *figures[0], *figures[1]])
    report.table(
        f"Before and after ({options.rounds} rounds of {options.seconds} s)",
        ["64 clients", "CPU µs before", "ceiling's CPU / CPU before", "CPU µs", "ceiling's CPU / CPU"],
        lines,
    )
    if not shutil.which("perf"):
        say("no profile: perf is not installed (Debian package linux-perf)")
        return
    before, now = (profile(programs, name, options) for name, programs in both.items())
    parts = sorted(set(before) | set(now), key=lambda part: -before[part])
    report.table(
        "Profile of an event with a bearer token",
        ["part", "µs before", "share before", "µs", "share"],
        [[part, *share(before, part), *share(now, part)] for part in parts],
    )


def share(profile, part):
    return [f"{profile[part]:.1f}", f"{profile[part] / profile.total():.1%}"]


def compare(programs, both, event, settings, options):
    """The processor times of each program, and those of the ceiling directly after it."""
    costs = {name: ([], []) for name in both}
    for number in range(options.rounds):
        for name in list(both)[:: -1 if number % 2 else 1]:
            own, ceilings = costs[name]
            with servers.understudy(both[name], *settings, name=name) as server:
                if not event.starts_session:
                    server.token = client.new_token(server.port)
                    measure(server, event, seconds=1)
                response = client.check(server.port, event, server.token)
                own.append(measure(server, event, seconds=options.seconds).cost)
            with servers.ceiling(programs, event, response) as server:
                server.token = events.TOKEN
                measure(server, event, seconds=1)
                ceilings.append(measure(server, event, seconds=options.seconds).cost)
    return costs


def profile(programs, name, options):
    """The microseconds of processor time of an event, by part."""
    say(f"before, profile: {name}")
    samples = servers.RESULTS / "perf.data"
    with servers.understudy(programs, name=name) as server:
        server.token = client.new_token(server.port)
        measure(server, events.BEARER, seconds=1)
        recorder = subprocess.Popen(
            ["perf", "record", "-F", "2000", "-p", str(server.pid), "-o", samples], stderr=subprocess.DEVNULL
        )
        cost = measure(server, events.BEARER, seconds=4 * options.seconds).cost
        recorder.terminate()
        recorder.wait()
    command = ["perf", "report", "-i", samples, "--no-children", "--sort", "dso,sym", "-F", "overhead,dso,sym"]
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    parts = Counter()
    for percent, library, mode, symbol in re.findall(r"^\s+([\d.]+)%\s+(\S+)\s+\[(.)\] (.*)$", output, re.MULTILINE):
        library = "kernel" if mode == "k" else library
        parts[part(library, symbol, programs.understudy.name)] += float(percent) / 100 * cost
    return parts


def part(library, symbol, program):
    if library == program:
        return "references, copies and objects" if ARC.search(symbol) else "Understudy and Swift's libraries otherwise"
    if library.startswith("libc."):
        return "libc: memory" if MEMORY.search(symbol) else "libc otherwise"
    return library.split(".so")[0]
