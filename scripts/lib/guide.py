"""Runs the commands of docs/guide.md in their order, with the program of Examples/expenses, which is the argument."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from testbed.postgresql import INITDB, folder_of_programs, process_options
from testbed.program import PASSWORD, Program, environment

# The statuses of `compare`: equal, or equal except for what no input reaches, as the guide says.
EQUAL = (0, 2)


def main(program):
    lines = Path("docs/guide.md").read_text(encoding="utf-8").splitlines()
    commands = [match[1] for line in lines if (match := re.fullmatch(r"    swift run expenses (.*)", line))]
    assert len(commands) > 5, "the form of the guide has changed"
    sources = Path("Examples/expenses/Sources").resolve()
    with tempfile.TemporaryDirectory() as parent, database() as uri:
        folder = Path(parent) / "expenses"
        folder.mkdir()
        (folder / "Sources").symlink_to(sources)
        # The program of a release.
        (Path(parent) / "expenses-1.0").symlink_to(program)
        os.chdir(folder)
        for command in commands:
            print(command, flush=True)
            command = command.replace("postgresql://expenses@db.example/expenses", shlex.quote(uri))
            run(program, command, {"XDG_DATA_HOME": parent})
    print(f"==> {len(commands)} commands")


def run(program, command, variables):
    words = shlex.split(command)
    if words[0] == "serve":
        with Program(program, *words[1:], variables=variables) as server:
            address = f"http://127.0.0.1:{server.port}"
            with urllib.request.urlopen(urllib.request.Request(f"{address}/expense", headers={"Accept": "text/html"})) as page:
                assert page.headers["Content-Type"].startswith("text/html"), page.headers["Content-Type"]
            # So that there is something to record.
            urllib.request.urlopen(f"{address}/login", data=b"username=batman&password=bruce").close()
            assert server.stop() == 0
        return
    # A command may ask for a password.
    limit = " --seconds 5" if words[0] == "compare" else ""
    result = subprocess.run(
        f"{shlex.quote(program)} {command}{limit}", shell=True, env=environment(**variables), input=f"{PASSWORD}\n", text=True
    )
    assert result.returncode in (EQUAL if words[0] == "compare" else (0,)), result.returncode


@contextmanager
def database():
    """The URI of an empty database of PostgreSQL."""
    with tempfile.TemporaryDirectory() as folder:
        options, programs, data = process_options(folder), folder_of_programs(), f"{folder}/data"
        subprocess.run([programs / INITDB[0], *INITDB[1:], "-N", "-D", data], check=True, stdout=subprocess.DEVNULL, **options)
        control = [programs / "pg_ctl", "-w", "-s", "-D", data]
        settings = f"-c listen_addresses= -k {folder}"
        subprocess.run([*control, "-l", f"{folder}/log", "-o", settings, "start"], check=True, **options)
        try:
            yield f"postgresql://postgres@/postgres?host={folder}"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], check=True, **options)


main(sys.argv[1])
