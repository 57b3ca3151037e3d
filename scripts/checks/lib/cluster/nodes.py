"""The nodes: processes of `understudy serve`, each with a port that stays the same when it is restarted."""

import asyncio
import ctypes
import os
import random
import signal
import socket
import subprocess

from testbed.program import CHEAP_HASH, environment

# prctl(2): the signal that a process gets when its parent ends.
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def dies_with_parent(number):
    """A function for `preexec_fn`, so that no process stays behind whatever ends this one."""
    return lambda: LIBC.prctl(PR_SET_PDEATHSIG, number)


def free_port():
    """A port of the loopback address that no process uses now, and that the system gives to no client's connection."""
    while True:
        port = random.SystemRandom().randrange(20000, 32000)
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


class Node:
    """A server and its process, in a `network` of its own or on the loopback address.

    `problems` receives what no fault explains, such as a process that ends by itself.
    """

    def __init__(self, binary, folder, number, database, problems, network=None):
        self.number = number
        self.address = (network.host if network else "127.0.0.1", free_port())
        self.process = None
        self.problems = problems
        self.log = os.path.join(folder, f"node-{number}.log")
        self.command = [
            *(network.prefix if network else []),
            binary, "serve", "--host", self.address[0], "--port", str(self.address[1]), "--admin-port", "off", *database,
            "--data", os.path.join(folder, f"node-{number}"),
            # A deadline that is shorter than a client's.
            *CHEAP_HASH, "--response-timeout", "5s", "--drain", "5s",
            "--log-level", "warning", "--log-format", "json",
        ]  # fmt: skip
        if network:
            # All clients have one address, which is not a loopback address as otherwise.
            limits = ["--requests", "--connections-per-address", "--sessions-per-address"]
            self.command += [part for limit in limits for part in (limit, "off")]
            self.command += [part for limit in ("--logins", "--failed-logins", "--signups") for part in (limit, "1000000/1m")]

    async def start(self, seconds=60):
        """Starts the process and waits until it listens. Without a database it may end; then it is started again."""
        end = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < end:
            with open(self.log, "ab") as log:
                self.process = subprocess.Popen(
                    self.command,
                    env=environment(),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    preexec_fn=dies_with_parent(signal.SIGKILL),
                )
            while self.process.poll() is None and asyncio.get_running_loop().time() < end:
                if await is_open(*self.address):
                    return
                await asyncio.sleep(0.05)
            await asyncio.sleep(0.2)
        raise RuntimeError(f"node {self.number} does not listen after {seconds} s; its log is {self.log}")

    def signal(self, number):
        """Sends a signal, unless the process has ended by itself, which is a problem."""
        status = self.process.poll()
        if status is not None:
            self.problems.append(f"node {self.number} ended by itself with status {status}; its log is {self.log}")
        else:
            self.process.send_signal(number)

    async def wait(self):
        """Waits for the end of the process, without blocking the clients."""
        while self.process.poll() is None:
            await asyncio.sleep(0.01)

    async def close(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            await self.wait()


async def is_open(host, port):
    """Whether a process accepts connections."""
    try:
        _, writer = await asyncio.open_connection(host, port)
    except OSError:
        return False
    writer.transport.abort()
    return True
