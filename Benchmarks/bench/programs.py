"""Builds and finds the programs that the benchmark runs."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from client import Failure

C = ["gcc", "-O2", "-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra"]
HUMMINGBIRD = Path("Benchmarks/hummingbird-login")


@dataclass
class Programs:
    """The paths of the programs. None: not needed, or not installed."""

    understudy: Path | None = None
    ceiling: Path | None = None
    load: Path | None = None
    hummingbird: Path | None = None
    go: Path | None = None
    nginx: Path | None = None


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def require(tool, purpose):
    path = shutil.which(tool, path=f"{os.environ['PATH']}:/usr/sbin")
    if not path:
        raise Failure(f"{tool} was not found; it is needed {purpose}")
    return Path(path)


def run(*command, environment=None):
    """Runs a build, whose output goes to standard error, and fails if it does."""
    if subprocess.run(command, stdout=sys.stderr, env=environment, check=False).returncode != 0:
        raise Failure(f"failed: {' '.join(str(part) for part in command)}")


def products(*build):
    """The folder with the products of a command that builds."""
    return Path(subprocess.run([*build, "--show-bin-path"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip())


def build_c():
    """The ceiling and the fixed-rate client."""
    say("building the ceiling and the fixed-rate client")
    require("gcc", "to build the ceiling")
    ceiling, load = Path("Benchmarks/ceiling/ceiling"), Path("Benchmarks/load/load")
    run(*C, "-o", ceiling, f"{ceiling}.c", "-lmicrohttpd")
    run(*C, "-o", load, f"{load}.c", "-lgnutls")
    return ceiling, load


@cache
def build_preload():
    """The library that servers under callgrind load first; its source gives the reason."""
    library = Path("Benchmarks/results/sigsuspend.so").resolve()
    run("gcc", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", library, "Benchmarks/callgrind/sigsuspend.c")
    return library


def build_hummingbird():
    say("building the Hummingbird server (the first time takes minutes)")
    # Hummingbird has package traits, and SwiftPM passes them on in the order of a hash: without a fixed one, it builds everything
    # again every other time.
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    command = ["swift", "build", "-c", "release", "--package-path", HUMMINGBIRD]
    run(*command, environment=environment)
    return products(*command) / "hummingbird-login"


def build_go():
    """The server on net/http, if Go is installed."""
    if not shutil.which("go"):
        say("Go is not installed: its row is left out")
        return None
    binary = Path("Benchmarks/go-login/go-login")
    run("go", "build", "-o", binary, "Benchmarks/go-login/main.go")
    return binary


def find_nginx():
    try:
        return require("nginx", "")
    except Failure:
        say("nginx is not installed: its row is left out")
        return None


def build_understudy():
    say("building Understudy")
    built = subprocess.run(["scripts/build"], stdout=subprocess.PIPE, text=True, check=False)
    if built.returncode != 0:
        raise Failure("scripts/build failed")
    return Path(built.stdout.strip())


def given(path, option):
    """A program that an option names relative to the folder of the caller."""
    found = shutil.which(Path(os.environ.get("caller", ".")) / path)
    if not found:
        raise Failure(f"{option} needs a program: '{path}' cannot be run")
    return Path(found)
