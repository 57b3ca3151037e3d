"""Instructions per event, by valgrind's callgrind: they show progress on any machine, however busy it is."""

import re
from pathlib import Path

import client
import events
import programs as build
import servers
from client import Failure
from events import GUESTBOOK
from programs import say
from servers import RESULTS, Server

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
}


def collected(command, event, count):
    """The instructions of a server that handles the event so many times, one after the other on one connection."""
    log = RESULTS / "callgrind.log"
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={RESULTS}/callgrind.out", f"--log-file={log}"]
    variables = servers.environment(LD_PRELOAD=str(build.build_preload()))
    with Server("callgrind", [*valgrind, *command], variables=variables, timeout=TIMEOUT) as server:
        token = client.new_token(server.port)
        client.check(server.port, event, token)
        request = event.request(server.port, token)
        with client.connect(server.port) as connection:
            responses = client.Responses(connection)
            for _ in range(count):
                connection.sendall(request)
                if client.status_of(responses.next()[0]) != 200:
                    raise Failure(f"{event.name} did not get 200 under valgrind")
        server.stop(TIMEOUT)
    found = re.search(r"Collected : (\d+)", log.read_text())
    if not found:
        raise Failure(f"valgrind failed: {log.read_text()}")
    return int(found[1])


def per_event(command, event):
    first, second = (collected(command, event, count) for count in LENGTHS)
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
    for name, (event, settings) in KINDS.items():
        say(f"instructions: {name}")
        now[name] = per_event(servers.understudy_command(programs, *settings), event)
    lines = [
        [name, f"{before[name]:,}" if name in before else "", f"{number:,}", change(before.get(name), number)]
        for name, number in now.items()
    ]
    report.table("Instructions per event", ["event", f"in {STORED}", "now", "change"], lines)
    if options.save:
        STORED.write_text(HEADING + "".join(f"{name} {number}\n" for name, number in now.items()))
        say(f"stored in {STORED}")
