"""Examples/guestbook, built by plain `swift build -c release` as an embedder does, and with the flags of scripts/build."""

import subprocess
from contextlib import ExitStack
from pathlib import Path

import client
import instructions
import programs as build
import servers
from estimate import estimate, quotients
from events import GUESTBOOK
from generators import measure
from programs import Programs, say
from report import middle

PACKAGE = Path("Examples/guestbook")


def build_guestbook():
    """The binary of the plain build, and that of the build with our flags. Each has its own folder, or SwiftPM builds all again."""
    flags = subprocess.run(
        ["bash", "-c", 'source scripts/lib/release.sh; printf "%s\\n" "${release_options[@]}"'],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.split()
    binaries = []
    for name, options in (("plain", ["-c", "release"]), ("flags", flags)):
        say(f"building {PACKAGE}, {name} (the first time takes minutes)")
        scratch = Path(f".build/guestbook-{name}")
        command = ["swift", "build", "--package-path", PACKAGE, "--scratch-path", scratch, "--product", "guestbook", *options]
        build.run(*command)
        binaries.append(build.products(*command) / "guestbook")
    return binaries


def run(_, options, report):
    build.require("valgrind", "to count instructions")
    plain, flags = build_guestbook()
    runs = {plain: [], flags: []}
    with ExitStack() as stack:
        measured = {}
        for binary, name in ((plain, "plain"), (flags, "flags")):
            server = servers.understudy(Programs(understudy=binary), name=f"guestbook {name}")
            stack.enter_context(server).token = client.new_token(server.port)
            client.check(server.port, GUESTBOOK, server.token)
            measure(server, GUESTBOOK, seconds=1)
            measured[binary] = server
        for number in range(options.rounds):
            say(f"embedder, round {number + 1} of {options.rounds}")
            for binary, server in list(measured.items())[:: -1 if number % 2 else 1]:
                runs[binary].append(measure(server, GUESTBOOK, seconds=options.seconds))
    say("embedder: instructions")
    counts = {binary: instructions.guestbook(binary) for binary in (plain, flags)}
    cost = estimate(quotients([run.cost for run in runs[flags]], [run.cost for run in runs[plain]]))
    lines = [
        [title, f"{middle(runs[binary], 'rate'):,.0f}", f"{middle(runs[binary], 'cost'):.1f}", f"{counts[binary]:,}"]
        for title, binary in (("plain `swift build -c release`", plain), ("flags of scripts/build", flags))
    ]
    report.table(f"Examples/guestbook ({options.rounds} rounds)", ["build", "events/s", "CPU µs", "instructions"], lines)
    report.goal("an embedder's build: CPU per event with our flags / plain", cost, cost.mean >= 0.9, "at least 0.9")
    share = counts[flags] / counts[plain]
    report.goal("an embedder's build: instructions with our flags / plain", f"{share:.2f}", share >= 0.9, "at least 0.9")
