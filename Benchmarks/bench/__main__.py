"""The load benchmark. scripts/bench runs it; Benchmarks/README.md explains how it measures."""

import argparse
import importlib
import resource
import signal
import sys
import time

import programs as build
from client import Failure
from programs import Programs, say
from report import Report, machine
from servers import RESULTS

# Those of a run without a section, in their order, with what each needs in addition to Understudy, and what it measures.
SECTIONS = {
    "throughput": ("peers", "each kind of event: requests a second, processor time, and the ceiling's"),
    "clients": ("c", "1 to 1,000 keep-alive clients: does a server stall?"),
    "sessions": ("c", "memory of a session, and the cost of an event with 1 to 100,000 of them"),
    "start": ("hummingbird", "from the start to the first response, and resident memory"),
    "latency": ("hummingbird", "p50, p99 and p99.9 at half of the highest throughput"),
    "rate": ("c", "processor time at the same rate as the ceiling"),
    "varied": ("peers", "requests that differ as those of real clients: processor time next to the ceiling's, and latency"),
    "scale": ("c", "several event loops, and TLS"),
    "others": ("c", "what scrapes, sweeps, stalled logs, TLS and idle connections cost other clients"),
    "database": ("c", "events that are durable before their response, next to pgbench"),
    "pages": ("c", "pages as HTML: processor time next to an event's"),
    "passwords": ("c", "64 clients that log in: the share of Argon2id, and what other clients wait"),
}
# Each of these only runs if it is asked for.
SPECIAL = {
    "instructions": ("", "instructions per event by callgrind, next to those in Benchmarks/instructions.txt"),
    "walk": ("", "the functions and files that run for each event"),
    "method": ("c", "checks the fixed-rate client: it must report a server that stops for 200 ms, and its own delays"),
    "embedder": ("c", "Examples/guestbook, built plainly and with the flags of scripts/build"),
    "before": ("c", "the binary of an earlier commit and this one in turn, with the profile of both if perf is installed"),
}
ROUNDS, SECONDS = 5, 2


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(1, f"bench: {message}\n")


def count(text):
    number = int(text) if text.isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1")
    return number


def parse():
    parser = Parser(
        prog="scripts/bench",
        description="Measures Understudy with default settings, next to a C server on libmicrohttpd alone (the ceiling), "
        "Hummingbird 2, Go and nginx, on this machine. Prints tables in Markdown, also to Benchmarks/results/report.md. "
        "Nothing else should run on the machine.",
        epilog="Exit status: 0 every required figure is met, 2 one is missed, 1 the run failed.",
    )
    parser.add_argument("--quick", action="store_true", help="one round of one second: a look, not a measurement; three minutes")
    parser.add_argument("--rounds", type=count, help=f"rounds, over which the tables average (default {ROUNDS})")
    parser.add_argument("--seconds", type=count, help=f"length of one run (default {SECONDS})")
    parser.add_argument("--understudy", metavar="PATH", help="measure this binary; otherwise it is built from this checkout")
    parser.add_argument(
        "--save", action="store_true", help="with --instructions: store the figures in Benchmarks/instructions.txt"
    )
    sections = parser.add_argument_group("sections", "Without any, all of these run, in less than twenty minutes:")
    for name, (_, text) in SECTIONS.items():
        sections.add_argument(f"--{name}", action="store_true", help=text)
    special = parser.add_argument_group("other measurements", "Only if you name them:")
    for name, (_, text) in SPECIAL.items():
        kind = {"metavar": "PATH"} if name == "before" else {"action": "store_true"}
        special.add_argument(f"--{name}", help=text, **kind)
    options = parser.parse_args()
    if options.save and not options.instructions:
        parser.error("--save needs --instructions")
    options.sections = [name for name in {**SECTIONS, **SPECIAL} if getattr(options, name)] or list(SECTIONS)
    options.rounds = options.rounds or (1 if options.quick else ROUNDS)
    options.seconds = options.seconds or (1 if options.quick else SECONDS)
    return options


def prepare(options):
    """Builds what the sections need."""
    needs = {({**SECTIONS, **SPECIAL})[name][0] for name in options.sections}
    programs = Programs()
    # First of all, because the path may be wrong.
    if options.understudy:
        programs.understudy = build.given(options.understudy, "--understudy")
    if needs - {""}:
        build.require("wrk", "to generate load")
        programs.ceiling, programs.load = build.build_c()
    if needs & {"hummingbird", "peers"}:
        programs.hummingbird = build.build_hummingbird()
    if "peers" in needs:
        programs.go, programs.nginx = build.build_go(), build.find_nginx()
    if not programs.understudy and options.sections != ["embedder"]:
        programs.understudy = build.build_understudy()
    return programs


def allow_files():
    """As many open files as possible: a client is one on each side."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(hard, 32768), max(hard, 32768)))
    except (ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 2048:
        raise Failure("1000 clients need 2048 open files (ulimit -n)")


def run_section(name, programs, options, report):
    """Returns whether it could be measured. The other sections run in any case."""
    began = time.monotonic()
    try:
        importlib.import_module(name).run(programs, options, report)
    except (Failure, OSError) as failure:
        say(f"{name} failed: {failure}")
        return False
    say(f"{name} took {time.monotonic() - began:.0f} seconds")
    return True


def main():
    options = parse()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        allow_files()
        RESULTS.mkdir(parents=True, exist_ok=True)
        (RESULTS / "runs.jsonl").open("w").close()
        programs = prepare(options)
        report = Report()
        report.write(machine(programs))
        failed = [name for name in options.sections if not run_section(name, programs, options, report)]
        met = report.finish()
        if failed:
            say(f"FAILED: {', '.join(failed)}")
            return 1
        return 0 if met else 2
    except (Failure, OSError) as failure:
        say(f"FAILED: {failure}")
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
