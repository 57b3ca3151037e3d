"""A PostgreSQL primary with a synchronous standby, in folders of their own, and what can happen to both."""

import asyncio
import os
import re
import shutil
import signal
import subprocess

from testbed.postgresql import INITDB, QUERY, folder_of_programs, process_options, rows

from nodes import dies_with_parent, free_port

ROLE = "understudy"
SETTINGS = {
    "fsync": "off",  # processes are killed, the machine is not
    "max_connections": "100",
    "shared_buffers": "32MB",
    "wal_retrieve_retry_interval": "200ms",
    "wal_keep_size": "64MB",
}


def is_running(pid):
    """Whether a process has not ended yet."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(") ")[2][0] not in "ZX"
    except OSError:
        return False


class Failed(RuntimeError):
    """A program of PostgreSQL failed, or took too long."""


class Server:
    """One PostgreSQL server. Its processes are not those of root, which PostgreSQL rejects."""

    def __init__(self, folder, name, problems, trusted=None):
        self.folder = os.path.join(folder, name)
        self.data = os.path.join(self.folder, "data")
        self.log = os.path.join(self.folder, "log")
        self.port = free_port()
        self.process = None
        self.problems = problems
        # The network of other machines that may connect; `None` if only this machine may.
        self.trusted = trusted
        self.programs = folder_of_programs()
        os.mkdir(self.folder)
        self.options = process_options(self.folder)

    async def run(self, program, *arguments, seconds=60):
        """The output of one of PostgreSQL's programs."""
        process = await asyncio.create_subprocess_exec(
            self.programs / program, *arguments,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=dies_with_parent(signal.SIGKILL), **self.options,
        )  # fmt: skip
        try:
            async with asyncio.timeout(seconds):
                output, errors = await process.communicate()
        except (TimeoutError, asyncio.CancelledError):
            process.kill()
            await process.wait()
            raise
        if process.returncode:
            raise Failed(f"{program}: {errors.decode().strip()}")
        return output.decode()

    async def query(self, sql, database="postgres", seconds=10):
        """The rows of a query, each a list of texts."""
        output = await self.run(
            "psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-d", database, *QUERY, sql,
            seconds=seconds,
        )  # fmt: skip
        return rows(output)

    async def create(self):
        """Creates an empty database. Every local process may connect."""
        await self.run(*INITDB, "-D", self.data, "-N")
        if self.trusted:
            with open(os.path.join(self.data, "pg_hba.conf"), "a") as file:
                print(f"host all all {self.trusted} trust", file=file)

    async def copy(self, other):
        """Replaces all data by those of another server, as its standby."""
        shutil.rmtree(self.data, ignore_errors=True)
        await self.run(
            "pg_basebackup", "-h", "127.0.0.1", "-p", str(other.port), "-U", "postgres", "-D", self.data,
            "-R", "-c", "fast", "-X", "stream", "--no-sync",
        )  # fmt: skip
        # The other server's setting. A standby that is promoted must not wait for a standby of its own.
        path = os.path.join(self.data, "postgresql.auto.conf")
        with open(path) as file:
            text = re.sub(r"(?m)^synchronous_standby_names.*\n", "", file.read())
        with open(path, "w") as file:
            file.write(text)

    async def start(self):
        """Starts the server, and waits until it accepts connections."""
        settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        settings += ["-c", f"listen_addresses={'*' if self.trusted else '127.0.0.1'}"]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.data, "-p", str(self.port), "-k", self.folder, *settings],
                stdout=log, stderr=log, preexec_fn=dies_with_parent(signal.SIGQUIT), **self.options,
            )  # fmt: skip
        await self.wait_until("SELECT 1", "1")

    async def wait_until(self, sql, expected, seconds=60):
        """Waits until a query returns one value, which is the expected one."""
        end = asyncio.get_running_loop().time() + seconds
        last = None
        while asyncio.get_running_loop().time() < end:
            if self.process.poll() is not None:
                raise Failed(f"PostgreSQL ended by itself; its log is {self.log}")
            try:
                last = await self.query(sql)
                if last == [[expected]]:
                    return
            except Failed as error:
                last = error
            await asyncio.sleep(0.05)
        raise Failed(f"{sql}: {last} after {seconds} s; the log of PostgreSQL is {self.log}")

    async def stop(self):
        """Stops the server: it ends all connections, and writes everything."""
        self.process.send_signal(signal.SIGINT)
        await self._wait()

    async def kill(self):
        """Kills all processes at once, as a machine that loses its power."""
        pid = self.process.pid
        if self.process.poll() is not None:
            return
        # Stopped, it starts no more processes while the existing ones are listed.
        os.kill(pid, signal.SIGSTOP)
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            children = [int(child) for child in file.read().split()]
        for one in [pid, *children]:
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass
        await self._wait()
        # As long as one of them uses the shared memory, the server cannot start again.
        while any(is_running(child) for child in children):
            await asyncio.sleep(0.01)

    async def _wait(self):
        while self.process.poll() is None:
            await asyncio.sleep(0.01)


class Database:
    """A primary and a synchronous standby. Commits are acknowledged only when both have them.

    After a promotion, the new primary works alone until the former one is its synchronous standby.
    """

    # The database's name.
    name = "understudy"

    def __init__(self, folder, problems, trusted=None):
        self.primary = Server(folder, "a", problems, trusted)
        self.standby = Server(folder, "b", problems, trusted)
        # In an order that never changes: that of the nodes' proxies.
        self.ports = [self.primary.port, self.standby.port]

    async def start(self):
        await self.primary.create()
        await self.primary.start()
        await self.primary.query(f"CREATE ROLE {ROLE} LOGIN")
        await self.primary.query(f"CREATE DATABASE {self.name} OWNER {ROLE}")
        await self._add_standby()

    async def _add_standby(self):
        await self.standby.copy(self.primary)
        await self.standby.start()
        await self.primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
        await self.primary.query("SELECT pg_reload_conf()")
        await self._wait_for_standby()
        # Commits wait for the standby only when the checkpointer has read the setting, which may be later than the sender of the log.
        await self.primary.query("CHECKPOINT")

    async def _wait_for_standby(self):
        await self.primary.wait_until("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'", "sync")

    async def restart(self):
        """Restarts the primary as an operator does."""
        await self.primary.stop()
        await self.primary.start()
        await self._wait_for_standby()

    async def crash(self):
        """Kills the primary and starts it again."""
        await self.primary.kill()
        await self.primary.start()
        await self._wait_for_standby()

    async def disappear(self, seconds):
        """Stops the primary for a while."""
        await self.primary.stop()
        await asyncio.sleep(seconds)
        await self.primary.start()
        await self._wait_for_standby()

    async def lose_standby(self, seconds):
        """Kills the standby for a while, so that no commit is acknowledged."""
        await self.standby.kill()
        await asyncio.sleep(seconds)
        await self.standby.start()
        await self._wait_for_standby()

    async def promote(self, seconds):
        """Kills the primary; after a while, the standby takes its place. Then the former primary becomes its standby."""
        await self.primary.kill()
        await asyncio.sleep(seconds)
        await self.standby.query("SELECT pg_promote()", seconds=60)
        await self.standby.wait_until("SELECT pg_is_in_recovery()", "f")
        self.primary, self.standby = self.standby, self.primary
        await self._add_standby()

    async def query(self, sql):
        """The rows of a query of the primary, in the database of the nodes."""
        return await self.primary.query(sql, self.name)

    async def close(self):
        for server in (self.primary, self.standby):
            if server.process:
                await server.kill()
