"""The functions and files of this project that run for each event, by callgrind: how far a reader has to walk.

Functions that the compiler has inlined count as well, and so do accessors."""

import re
import subprocess
from collections import Counter

import instructions
import programs as build
import servers
import varied
from servers import RESULTS

POSITION = re.compile(r"(0x[0-9a-f]+|[+-]\d+|\*) \S+ (\d+)$")
OBJECT = re.compile(r"(c?ob)=\((\d+)\)(?: (.*))?$")
# As real clients send them: each with a key and a value of its own.
REGISTRATIONS = varied.Workload("registrations", (varied.registration,), varied.API, varied.API_WITHOUT_SESSION)


def executed(binary):
    """The instructions at each address of the binary, as callgrind has counted them."""
    objects, counts = {}, Counter()
    current, address, is_call = "", 0, False
    for line in (RESULTS / "callgrind.out").read_text().splitlines():
        if found := OBJECT.match(line):
            kind, number, name = found.groups()
            if name:
                objects[number] = name
            if kind == "ob":
                current = objects[number]
        elif line.startswith("calls="):
            # The next line counts what the called function executes.
            is_call = True
        elif found := POSITION.match(line):
            position, count = found.groups()
            if position.startswith("0x"):
                address = int(position, 16)
            elif position != "*":
                address += int(position)
            if not is_call and current.endswith(f"/{binary.name}"):
                counts[address] += int(count)
            is_call = False
    return counts


def counted(binary, count):
    """The instructions at each address of a server that receives so many registrations."""
    command = servers.understudy_command(build.Programs(understudy=binary))
    instructions.collected(command, REGISTRATIONS, count, "--dump-instr=yes")
    return executed(binary)


def walk(binary):
    """The functions and files that run for each registration: pairs of a file in Sources and a function."""
    stripped = instructions.stripped(binary)
    first, second = (counted(stripped.understudy, count) for count in instructions.LENGTHS)
    repeated = instructions.LENGTHS[1] - instructions.LENGTHS[0]
    addresses = [hex(address) for address, count in second.items() if count - first[address] >= repeated / 2]
    symbolizer = ["llvm-symbolizer", "--inlines", "-e", binary]
    frames = subprocess.run(symbolizer, input="\n".join(addresses), stdout=subprocess.PIPE, text=True, check=True)
    frames = frames.stdout.splitlines()
    return {
        (found[1], function)
        for function, place in zip(frames, frames[1:])
        if "/checkouts/" not in place and (found := re.search(r"/Sources/(\w+/.*\.swift):", place))
    }


def run(programs, options, report):
    build.require("valgrind", "to count instructions")
    build.require("llvm-symbolizer", "to find the functions of instructions")
    steps = walk(programs.understudy)
    lines = []
    for target in [*sorted({file.split("/")[0] for file, _ in steps}), ""]:
        found = [file for file, _ in steps if file.startswith(f"{target}/" if target else "")]
        lines.append([target or "all", str(len(set(found))), str(len(found))])
    report.table("Files and functions that run for each registration", ["target", "files", "functions"], lines)
