"""Processes of `understudy serve`."""

import os
import re
import socket
import subprocess
import time

PASSWORD = "correct horse battery staple"
# The cheapest hash that Argon2id has.
CHEAP_HASH = ("--hash-memory", "8KiB", "--hash-iterations", "1")


def environment(**variables):
    """The variables of a process: without the settings of this machine, without a configuration file, and with these variables."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("UNDERSTUDY_")}
    return {**kept, "UNDERSTUDY_CONFIG": "", **variables}


def free_port():
    # Five digits on every machine with the usual range, so that all requests are equally long.
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def cpu_of(pid):
    """The processor time in seconds of all threads of a process, including those that have ended, to the nanosecond."""
    # The clock of another process: clock_getcpuclockid(3) calculates its number in this way.
    return time.clock_gettime(~pid << 3 | 2)


def memory_of(pid, what="VmRSS"):
    """Bytes of a process's memory: VmRSS now, VmHWM at most so far."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(rf"{what}:\s+(\d+) kB", file.read()).group(1)) * 1024


class DidNotStart(SystemExit):
    """A server ended, or printed no address."""


class Program:
    """A server, which listens as soon as it exists. In a `with` statement, it is killed at the end.

    Its port is None if it did not start, which is an error unless `may_fail`.
    """

    def __init__(self, path, *options, port=0, admin_port="off", stderr=None, variables=None, may_fail=False):
        arguments = ["serve", "--port", port, "--admin-port", admin_port, *options]
        self.program, self.arguments = path, [str(part) for part in arguments]
        self.stderr, self.variables, self.may_fail = stderr, variables or {}, may_fail
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.program, *self.arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
            env=environment(**self.variables),
            text=True,
        )
        found = re.search(r":(\d+)(/\S*)?$", self.process.stdout.readline().strip())
        self.port = int(found[1]) if found else None
        if not found and not self.may_fail:
            self.process.kill()
            self.process.wait()
            raise DidNotStart(f"the server does not start: {' '.join(self.arguments)}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    @property
    def pid(self):
        return self.process.pid

    def is_alive(self):
        return self.process.poll() is None

    def cpu(self):
        return cpu_of(self.pid)

    def memory(self, what="VmRSS"):
        return memory_of(self.pid, what)

    def kill(self):
        self.process.kill()
        self.wait(None)

    def stop(self, seconds=20):
        """Sends SIGTERM, and SIGKILL after the time. Returns the exit status: negative if a signal has ended the process."""
        self.process.terminate()
        return self.wait(seconds)

    def wait(self, seconds):
        """Waits for the end, and sends SIGKILL after the time. Returns the exit status."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        return self.process.returncode
