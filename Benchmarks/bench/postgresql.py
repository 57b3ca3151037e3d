"""A PostgreSQL server of its own, with the settings that Debian installs, and pgbench."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from testbed.postgresql import INITDB, QUERY, folder_of_programs, process_options, rows
from testbed.program import free_port

import client
from client import Failure

TICK = os.sysconf("SC_CLK_TCK")


class PostgreSQL:
    """An empty server in a temporary folder, which listens on a socket there. Use it in a `with` statement."""

    name = "understudy"

    def __init__(self):
        self.programs = folder_of_programs()
        self.folder = Path(tempfile.mkdtemp(prefix="understudy-bench-"))
        self.port = free_port()
        self.process = None
        self.options = process_options(self.folder)
        try:
            self.run(*INITDB, "-D", "data")
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", "data", "-p", str(self.port), "-k", self.folder, "-c", "listen_addresses="],
                stderr=open(self.folder / "log", "wb"),
                **self.options,
            )
            self.wait()
            self.query(f"CREATE DATABASE {self.name}", "postgres")
        except BaseException:
            self.stop()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def wait(self):
        end = time.monotonic() + client.TIMEOUT
        while True:
            try:
                return self.query("SELECT 1", "postgres")
            except Failure:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def run(self, program, *arguments):
        """The output of one of PostgreSQL's programs."""
        ended = subprocess.run(
            [self.programs / program, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            **self.options,
        )
        if ended.returncode:
            raise Failure(f"{program} failed: {ended.stderr}")
        return ended.stdout

    def query(self, sql, database=name):
        """The rows of a query, each a list of texts."""
        connection = ["-h", self.folder, "-p", str(self.port), "-U", "postgres", "-d", database]
        return rows(self.run("psql", *connection, *QUERY, sql))

    def uri(self, database=name):
        return f"postgresql://postgres@localhost:{self.port}/{database}?host={self.folder}"

    def cpu(self):
        """The processor time in seconds of all processes of the server, including those that have ended."""
        pid = self.process.pid
        total = sum(times(pid))
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            try:
                total += sum(times(child)[:2])
            except (FileNotFoundError, ProcessLookupError):
                pass  # it ended just now
        return total / TICK

    def pgbench(self, script, clients, seconds):
        """Runs a script of one statement, prepared. Returns transactions a second, and the mean latency in milliseconds."""
        (self.folder / "script.sql").write_text(script)
        connection = ["-h", self.folder, "-p", str(self.port), "-U", "postgres"]
        output = self.run(
            "pgbench", *connection, "-n", "-M", "prepared", "-c", str(clients), "-j", "1", "-T", str(seconds),
            "-f", "script.sql", self.name,
        )  # fmt: skip
        rate = re.search(r"^tps = ([\d.]+)", output, re.M)
        latency = re.search(r"^latency average = ([\d.]+) ms", output, re.M)
        if not rate or not latency:
            raise Failure(f"pgbench failed: {output}")
        return float(rate[1]), float(latency[1])


def times(pid):
    """The clock ticks in user mode and in the kernel, of the process and then of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return [int(field) for field in fields[11:15]]
