"""Instructions per event, by valgrind's callgrind: they show progress on any machine, however busy it is."""

import re
from pathlib import Path

import client
import events
import programs as build
import servers
import varied
from client import Failure
from events import GUESTBOOK
from programs import say
from servers import RESULTS, Server
from varied import Workload

STORED = Path("Benchmarks/instructions.txt")
LENGTHS = (300, 1500)  # events; the difference leaves out the start, the first events and the end
TIMEOUT = 120  # seconds in which a server under valgrind starts, and stops
HEADING = """\
# Instructions per event. After a change to the path of an event, `scripts/bench --instructions` shows the difference, and
# `scripts/bench --instructions --save` stores the new figures, to be committed with the change.
"""
DEFAULT = ()
KINDS = {
    "registration": (events.BEARER, DEFAULT),
    "cookie": (events.COOKIE, DEFAULT),
    "white-space": (events.WHITE_SPACE, DEFAULT),
    "browser-headers": (events.BROWSER_HEADERS, DEFAULT),
    "form": (events.FORM, DEFAULT),
    "products": (events.PRODUCTS, DEFAULT),
    "new-session": (events.NEW_SESSION, DEFAULT),
    "login": (events.LOGIN, DEFAULT),
    "access-log-off": (events.BEARER, ("--access-log", "off")),
    "varied": (varied.API_MIX, DEFAULT),
    "varied-browser": (varied.BROWSER_MIX, DEFAULT),
    "varied-events": (varied.API_EVENTS, DEFAULT),
}


def collected(command, kind, count, *options):
    """The instructions of a server that receives so many requests of a kind, one after the other on one connection.

    `options` are callgrind's."""
    log = RESULTS / "callgrind.log"
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={RESULTS}/callgrind.out", f"--log-file={log}", *options]
    variables = servers.environment(LD_PRELOAD=str(build.build_preload()))
    with Server("callgrind", [*valgrind, *command], variables=variables, timeout=TIMEOUT) as server:
        token = client.new_token(server.port)
        if isinstance(kind, Workload):
            requests = [kind.request(number, server.port, token) for number in range(count)]
        else:
            client.check(server.port, kind, token)
            requests = [kind.request(server.port, token)] * count
        with client.connect(server.port) as connection:
            responses = client.Responses(connection)
            for request in requests:
                connection.sendall(request)
                if client.status_of(responses.next()[0]) != 200:
                    raise Failure(f"{kind.name} did not get 200 under valgrind")
        server.stop(TIMEOUT)
    found = re.search(r"Collected : (\d+)", log.read_text())
    if not found:
        raise Failure(f"valgrind failed: {log.read_text()}")
    return int(found[1])


def per_event(command, kind):
    first, second = (collected(command, kind, count) for count in LENGTHS)
    return (second - first) // (LENGTHS[1] - LENGTHS[0])


def stripped(binary):
    """Programs with a copy of the binary without debug information: valgrind 3.19 cannot read that of Swift 6."""
    copy = RESULTS / f"{binary.parent.parent.name}-{binary.name}"
    build.run("strip", "-g", "-o", copy, binary)
    return build.Programs(understudy=copy)


def guestbook(binary):
    """The instructions of an event of Examples/guestbook."""
    return per_event(servers.understudy_command(stripped(binary)), GUESTBOOK)


def stored():
    if not STORED.exists():
        return {}
    lines = (line.split() for line in STORED.read_text().splitlines() if line and not line.startswith("#"))
    return {name: int(number) for name, number in lines}


def change(before, now):
    return f"{(now / before - 1) * 100:+.1f} %" if before else ""


def run(programs, options, report):
    build.require("valgrind", "to count instructions")
    programs, before, now = stripped(programs.understudy), stored(), {}
    for name, (kind, settings) in KINDS.items():
        say(f"instructions: {name}")
        now[name] = per_event(servers.understudy_command(programs, *settings), kind)
    lines = [
        [name, f"{before[name]:,}" if name in before else "", f"{number:,}", change(before.get(name), number)]
        for name, number in now.items()
    ]
    report.table("Instructions per event", ["event", f"in {STORED}", "now", "change"], lines)
    if options.save:
        STORED.write_text(HEADING + "".join(f"{name} {number}\n" for name, number in now.items()))
        say(f"stored in {STORED}")
