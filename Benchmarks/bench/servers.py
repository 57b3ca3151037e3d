"""The servers that the benchmark compares: how each is started, and what it costs."""

import re
import subprocess
from pathlib import Path

from testbed.program import cpu_of, environment, free_port, memory_of

import client
from client import Failure
from events import HOST, TOKEN

RESULTS = Path("Benchmarks/results")


class Server:
    """A process that listens on a free port. Use it in a `with` statement, which stops it.

    Standard error goes to a file, as an operator has it, unless `log` is "pipe" (a reader discards it) or "stalled" (no
    program reads the pipe). A server that writes its access log to another file has `access_log`.
    """

    def __init__(
        self,
        name,
        command,
        loops=1,
        log="file",
        variables=None,
        tls=False,
        timeout=client.TIMEOUT,
        pause=0.02,
        port=None,
        access_log=None,
    ):
        self.name, self.loops, self.tls, self.access_log = name, loops, tls, access_log
        self.port = port or free_port()
        self.token = None
        self.log_path = RESULTS / f"{name.replace(' ', '-')}.log"
        self.reader = None
        errors = subprocess.PIPE
        if log == "file":
            self.log_path.write_bytes(b"")
            # For appending, so that `forget_log` can empty it.
            errors = open(self.log_path, "ab")
        self.process = subprocess.Popen(
            [str(part).replace("{port}", str(self.port)) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=variables or environment(),
        )
        if log == "pipe":
            self.reader = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=subprocess.DEVNULL)
        elif log == "file":
            errors.close()
        try:
            if not client.wait_until_ready(self.port, self.is_alive, pause, timeout, tls):
                raise Failure(f"{name} did not start: {self.log_end()}")
        except BaseException:
            self.stop()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def address(self):
        return f"{'https' if self.tls else 'http'}://{HOST}:{self.port}"

    @property
    def pid(self):
        return self.process.pid

    def is_alive(self):
        return self.process.poll() is None

    def require_alive(self):
        if not self.is_alive():
            raise Failure(f"{self.name} stopped by itself, with status {self.process.returncode}: {self.log_end()}")

    def stop(self, timeout=5):
        """Sends SIGTERM and, after the timeout in seconds, SIGKILL."""
        self.process.terminate()
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()
        if self.reader:
            self.reader.wait(timeout)

    def log_end(self):
        return self.log_path.read_bytes()[-2000:].decode(errors="replace") if self.log_path.exists() else ""

    def forget_log(self):
        """Empties the log, which would otherwise fill the disk."""
        for path in (self.log_path, self.access_log):
            if path and path.exists():
                path.open("w").close()

    def cpu(self):
        """The processor time in seconds that all threads have used, including those that have ended."""
        return cpu_of(self.pid)

    def thread_cpu(self, name):
        """The processor time in seconds of the threads with that name."""
        total = 0
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            if (task / "comm").read_text().strip() == name:
                total += int((task / "schedstat").read_text().split()[0]) / 1e9
        return total

    def resident(self):
        """The resident memory in KiB."""
        return memory_of(self.pid) // 1024


# The settings that a benchmark needs, and otherwise the defaults: the access log is on, and standard error is not a terminal.
def understudy_command(programs, *options, loops=1):
    return [
        programs.understudy,
        "serve",
        "--demo",
        "--port",
        "{port}",
        "--loops",
        loops,
        *(() if "--admin-port" in options else ("--admin-port", "off")),
        *options,
    ]


def understudy(programs, *options, name="understudy", loops=1, **others):
    return Server(name, understudy_command(programs, *options, loops=loops), loops, **others)


def ceiling(programs, event, response, **others):
    """The ceiling, which sends that response of Understudy to every request."""
    file = RESULTS / f"{event.name.replace(' ', '-')}.response"
    file.write_bytes(as_late(event, *response))
    return Server(f"ceiling {event.name}", [programs.ceiling, "{port}", file], **others)


def understudy_and_ceiling(programs, event, stack):
    """Understudy with a session, and the ceiling with its response to the event, until the stack ends."""
    server = stack.enter_context(understudy(programs))
    server.token = client.new_token(server.port)
    response = client.check(server.port, event, server.token)
    highest = stack.enter_context(ceiling(programs, event, response))
    highest.token = TOKEN
    return server, highest


def as_late(event, header, body):
    """The response as in the middle of a run: the session's sequence has seven digits then."""
    if not event.starts_session:
        body = re.sub(rb'"sequence":\d+', b'"sequence":1000000', body)
    return header + body


def hummingbird_command(programs):
    return [programs.hummingbird, "{port}", "1"]


def hummingbird(programs):
    return Server("hummingbird", hummingbird_command(programs))


def go(programs):
    return Server("go", [programs.go, "{port}"], variables=environment(GOMAXPROCS="1"))


def nginx(programs, response):
    """One worker without a master, which returns a constant body as long as Understudy's and writes its usual access log."""
    header, body = response
    folder = (RESULTS / "nginx").resolve()
    (folder / "temporary").mkdir(parents=True, exist_ok=True)
    fields = [line.split(": ", 1) for line in header.decode().splitlines()[1:] if line]
    wanted = {"cache-control", "x-content-type-options", "x-request-id"}
    headers = "\n".join(f"        add_header {name} '{value}';" for name, value in fields if name.lower() in wanted)
    temporary = "\n".join(
        f"    {kind}_temp_path {folder}/temporary/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = f"""
daemon off;
master_process off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log stderr;
events {{ worker_connections 4096; }}
http {{
    access_log {folder}/access.log;
    keepalive_requests 1000000000;
    default_type application/json;
{temporary}
    server {{
        listen 127.0.0.1:PORT;
{headers}
        return 200 '{body.decode()}';
    }}
}}
"""
    port = free_port()
    file = folder / "nginx.conf"
    file.write_text(configuration.replace("PORT", str(port)))
    (folder / "access.log").open("w").close()
    command = [programs.nginx, "-p", folder, "-c", file, "-e", "stderr"]
    return Server("nginx", command, port=port, access_log=folder / "access.log")
