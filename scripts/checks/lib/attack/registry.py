"""The list of attacks, and what an attack reports."""

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Callable

from harness import Server


@dataclass
class Finding:
    """What an attack measured, and whether the guarantee applies."""

    figure: str
    is_met: bool
    # What was expected, for a guarantee that does not apply.
    expected: str = ""


@dataclass
class Attack:
    name: str
    # The number of the guarantee that the attack tests; `-` if the server has always withstood the attack.
    item: str
    guarantee: str
    run: Callable
    is_short: bool


ATTACKS: list[Attack] = []


def attack(item, guarantee, short=True):
    """Registers a function as an attack, under its name. `short`: also part of `--short`."""

    def register(function):
        ATTACKS.append(Attack(function.__name__.replace("_", "-"), str(item), guarantee, function, short))
        return function

    return register


class Run:
    """The context of an attack: the program, and whether the attack must be short."""

    def __init__(self, binary, is_short):
        self.binary = binary
        self.is_short = is_short
        # Whether the server runs with libmicrohttpd 1.0, which reads requests more strictly than 0.9.
        version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout
        self.is_strict = "libmicrohttpd 0." not in version
        self.folders = []

    def folder(self):
        """An empty folder, which is removed afterwards."""
        self.folders.append(tempfile.mkdtemp(prefix="understudy-attack-"))
        return self.folders[-1]

    def clean(self):
        for folder in self.folders:
            shutil.rmtree(folder, ignore_errors=True)

    def server(self, *options, **more):
        return Server(self.binary, *options, **more)


def judge(figure, *expectations):
    """A finding from pairs of a condition and its description."""
    missed = [text for is_true, text in expectations if not is_true]
    return Finding(figure, not missed, "; ".join(missed))
