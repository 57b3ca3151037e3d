"""Instructions per request, by valgrind's callgrind: they show progress on any machine, however busy it is."""

import re
from pathlib import Path

from testbed.program import environment

import client
import programs as build
import servers
import varied
from client import Failure
from events import GUESTBOOK
from programs import say
from servers import RESULTS, Server
from varied import API, API_WITHOUT_SESSION, BROWSER, Workload

STORED = Path("Benchmarks/instructions.txt")
LENGTHS = (500, 2500)  # requests; the difference leaves out the start, the first requests and the end
TIMEOUT = 120  # seconds in which a server under valgrind starts, and stops
# What the event loop's thread does for requests. Valgrind slows a server down, so that what the loop and other threads do by time, such as
# sweeps and writing logs, would count more often than on a processor, and differ between runs. Each toggles whether callgrind counts.
TOGGLES = ("*MicroHTTP12runEventLoop*", "*MicroHTTP9EventLoopC5sweep*", "*MicroHTTP9EventLoopC13reportBlocked*")
# Valgrind counts an instruction for each byte that `rep stosb` and `rep movsb` write, which a processor counts as one: of libmicrohttpd's
# clearing of a connection's memory, 15,000 for each request. So the C library uses other instructions for it.
WITHOUT_REPETITION = "glibc.cpu.x86_rep_stosb_threshold=1000000:glibc.cpu.x86_rep_movsb_threshold=1000000"
COUNTED = ("--collect-atstart=no", *(f"--toggle-collect={function}" for function in TOGGLES))
HEADING = """\
# Instructions per request. After a change to the path of an event, `scripts/bench --instructions` shows the difference, and
# `scripts/bench --instructions --save` stores the new figures, to be committed with the change.
"""


def repeated(part, header=API, header_without_session=API_WITHOUT_SESSION):
    """Requests of one kind, which differ in their values, and have no idempotency keys."""
    return Workload(part.__name__, (part,), header, header_without_session, has_keys=False)


KINDS = {
    "registration": repeated(varied.registration),
    "cookie": repeated(varied.registration, API.replace("Authorization: Bearer {token}", "Cookie: session={token}")),
    "browser-headers": repeated(varied.registration, BROWSER),
    "form": repeated(varied.form),
    "products": repeated(varied.products),
    "page": repeated(varied.page),
    "new-session": repeated(varied.new_session),
    "login": repeated(varied.login),
    "access-log-off": repeated(varied.registration),
    "varied": varied.API_MIX,
    "varied-browser": varied.BROWSER_MIX,
    "varied-events": varied.API_EVENTS,
}
SETTINGS = {"access-log-off": ("--access-log", "off")}


def collected(command, workload, count, *options):
    """The instructions of a server's event loop that receives so many requests, one after the other on one connection.

    `options` are callgrind's."""
    log = RESULTS / "callgrind.log"
    files = (f"--callgrind-out-file={RESULTS}/callgrind.out", f"--log-file={log}")
    # Otherwise, the hash tables of each process differ.
    variables = environment(
        LD_PRELOAD=str(build.build_preload()), SWIFT_DETERMINISTIC_HASHING="1", GLIBC_TUNABLES=WITHOUT_REPETITION
    )
    valgrind = ["valgrind", "--tool=callgrind", *files, *COUNTED, *options]
    with Server("callgrind", [*valgrind, *command], variables=variables, timeout=TIMEOUT) as server:
        token = client.new_token(server.port)
        with client.connect(server.port) as connection:
            responses = client.Responses(connection)
            for number in range(count):
                connection.sendall(workload.request(number, server.port, token))
                header, body = responses.next()
                if client.status_of(header) != 200 or workload.event(number).response not in body.decode():
                    raise Failure(f"{workload.name}, under valgrind: {(header + body).decode()}")
        server.stop(TIMEOUT)
    found = re.search(r"Collected : (\d+)", log.read_text())
    if not found or found[1] == "0":
        raise Failure(f"valgrind failed: {log.read_text()}")
    return int(found[1])


def per_event(command, workload):
    first, second = (collected(command, workload, count) for count in LENGTHS)
    return (second - first) // (LENGTHS[1] - LENGTHS[0])


def stripped(binary):
    """Programs with a copy of the binary without debug information: valgrind 3.19 cannot read that of Swift 6."""
    copy = RESULTS / f"{binary.parent.parent.name}-{binary.name}"
    build.run("strip", "-g", "-o", copy, binary)
    return build.Programs(understudy=copy)


def guestbook(binary):
    """The instructions of an event of Examples/guestbook."""
    workload = Workload("guestbook", (lambda _: GUESTBOOK,), API, API_WITHOUT_SESSION, has_keys=False)
    return per_event(servers.understudy_command(stripped(binary)), workload)


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
    for name, workload in KINDS.items():
        say(f"instructions: {name}")
        now[name] = per_event(servers.understudy_command(programs, *SETTINGS.get(name, ())), workload)
    lines = [
        [name, f"{before[name]:,}" if name in before else "", f"{number:,}", change(before.get(name), number)]
        for name, number in now.items()
    ]
    report.table("Instructions per event", ["event", f"in {STORED}", "now", "change"], lines)
    if options.save:
        STORED.write_text(HEADING + "".join(f"{name} {number}\n" for name, number in now.items()))
        say(f"stored in {STORED}")
