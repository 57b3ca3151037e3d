"""Attacks fresh servers and reports which guarantees apply. Called by scripts/checks/attack."""

import argparse
import socket
import sys
import time

import accounts  # noqa: F401
import agents  # noqa: F401
import cost  # noqa: F401
import factors  # noqa: F401
import markup  # noqa: F401
import memory  # noqa: F401
import recovery  # noqa: F401
import sessions  # noqa: F401
import streams  # noqa: F401
import system  # noqa: F401
import wire  # noqa: F401
from harness import Broken
from registry import ATTACKS, Finding, Run


def perform(attack, binary, is_short):
    """The finding of an attack, and how long it took."""
    run = Run(binary, is_short)
    start = time.monotonic()
    try:
        finding = attack.run(run)
    except (Broken, OSError, socket.timeout, KeyError, AttributeError, TypeError, ValueError) as error:
        # A response without what every attack relies on is also a failure of the server.
        finding = Finding(f"{type(error).__name__}: {error}"[:200], False, "the attack ends without an error")
    finally:
        run.clean()
    return finding, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(prog="scripts/checks/attack", allow_abbrev=False)
    parser.add_argument("binary", nargs="?")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    ordered = sorted(ATTACKS, key=lambda one: int(one.item) if one.item.isdigit() else 99)
    if options.list:
        for one in ordered:
            print(f"{one.item:>2}  {one.name:22}{'short  ' if one.is_short else '       '}{one.guarantee}")
        return 0
    unknown = set(options.only) - {one.name for one in ordered}
    if unknown:
        print(f"attack: no attack is named {', '.join(sorted(unknown))}; --list shows the names", file=sys.stderr)
        return 1
    chosen = [
        one for one in ordered if one.name in options.only or not options.only and (one.is_short or not options.short)
    ]
    failed = 0
    for one in chosen:
        finding, seconds = perform(one, options.binary, options.short)
        failed += not finding.is_met
        print(
            f"{'pass' if finding.is_met else 'FAIL'}  {one.item:>2}  {one.name:22}{finding.figure}  [{seconds:.1f} s]"
        )
        if not finding.is_met:
            print(f"          guarantee: {one.guarantee}")
            print(f"          expected:  {finding.expected}")
        sys.stdout.flush()
    print(f"{len(chosen) - failed} of {len(chosen)} guarantees apply" + (f", {failed} do not" if failed else ""))
    return 1 if failed else 0


sys.exit(main())
