"""The two load generators: wrk for the highest throughput, and load.c for the latency at a fixed rate."""

import json
import os
import re
import subprocess
import threading
from dataclasses import dataclass

from client import Failure
from servers import RESULTS

BUSY = 0.95  # of a processor: a generator above this is taken for the limit, and so is a server
NOT_BUSY = 0.85
PATIENCE = 30  # seconds that a generator may take in addition to its run

# What wrk counts, by the name in its line.
FAULTS = {
    "status": "responses with a status of 400 or more",
    "connect": "failed connects",
    "read": "failed reads",
    "write": "failed writes",
    "timeout": "responses that took too long",
}


@dataclass
class Throughput:
    """A run of wrk."""

    rate: float  # events a second
    cost: float  # microseconds of the server's processor time for an event
    size: float  # bytes of a response with its header
    p99: float  # of the latency, in milliseconds; wrk sends the next request only after the response
    server_load: float  # processors that the server used
    generator_load: float  # share of its threads' time that wrk was busy
    is_limited: bool  # by the generator: it was busy all the time, and the server was not
    is_disturbed: bool  # neither was busy all the time: other processes took the processors


@dataclass
class Latency:
    """A run of load.c. Times are in milliseconds."""

    rate: float  # requests a second, as asked for
    cost: float  # microseconds of the server's processor time for a request
    mean: float
    p50: float
    p99: float
    p999: float
    max: float
    lag: float  # 99.9th percentile of the generator's own delay
    errors: int
    unanswered: int
    kept_up: bool


def write_requests(name, requests):
    """The file from which both generators read prepared requests: each with a line before it that contains its length."""
    path = RESULTS / f"{name.replace(' ', '-')}.requests"
    with open(path, "wb") as file:
        for request in requests:
            file.write(b"%d\n" % len(request) + request)
    return path


def record(kind, server, **values):
    """Appends a run to results/runs.jsonl, for those who want to look at single runs."""
    with open(RESULTS / "runs.jsonl", "a") as file:
        print(json.dumps({"kind": kind, "server": server.name, **values}), file=file)


def measure(server, event, clients=64, seconds=2, threads=1):
    """Repeats an event of the server's session."""
    requests = write_requests(f"{server.name}-{event.name}", [event.request(server.port, server.token or "")])
    return throughput(server, requests, clients, seconds, threads)


def throughput(server, requests, clients, seconds, threads=1, timeout=2):
    """Runs wrk, which sends a client's next request when it has the response.

    A response that takes longer than the timeout in seconds ends the benchmark, as does any other that is not 2xx.
    """
    server.require_alive()
    environment = {**os.environ, "REQUESTS": str(requests)}
    command = [
        "wrk",
        f"-t{threads}",
        f"-c{clients}",
        f"-d{seconds}s",
        f"--timeout={timeout}s",
        "-s",
        "Benchmarks/bench/wrk.lua",
        server.address,
    ]
    before = server.cpu()
    output, busy = run(command, environment, seconds)
    found = re.search(r"^RESULT (.*)$", output, re.M)
    if not found:
        raise Failure(f"wrk failed on {server.name}, {clients} clients: {output}")
    server.require_alive()
    used = server.cpu() - before
    counted = {name: int(value) for name, value in (pair.split("=") for pair in found[1].split())}
    run_name = f"{server.name}, {requests.stem}, {clients} clients"
    if not counted["requests"]:
        raise Failure(f"{run_name}: no response at all")
    for name, meaning in FAULTS.items():
        if counted[name]:
            raise Failure(f"{run_name}: {counted[name]} {meaning}. Such a run measures something else")
    server.forget_log()
    duration = counted["microseconds"] / 1e6
    generator_load, server_load = busy / threads / duration, used / duration
    result = Throughput(
        rate=counted["requests"] / duration,
        cost=used / counted["requests"] * 1e6,
        size=counted["bytes"] / counted["requests"],
        p99=counted["p99"] / 1000,
        server_load=server_load,
        generator_load=generator_load,
        is_limited=generator_load >= BUSY and server_load < BUSY * server.loops,
        is_disturbed=generator_load < NOT_BUSY and server_load < NOT_BUSY * server.loops,
    )
    record("throughput", server, requests=requests.stem, clients=clients, **vars(result))
    return result


def run(command, environment, seconds):
    """Runs a generator. Returns its output, and the processor time in seconds that it used."""
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True
    )
    killer = threading.Timer(seconds + PATIENCE, process.kill)
    killer.start()
    try:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    finally:
        killer.cancel()
        process.stdout.close()
        if process.returncode is None:
            process.kill()
            process.wait()
    return output, usage.ru_utime + usage.ru_stime


class FixedRate:
    """A run of load.c in the background: `result()` waits for its end. `own`: each connection has its own requests."""

    def __init__(self, programs, server, requests, rate, connections=64, seconds=4, own=False):
        self.server, self.rate, self.seconds = server, rate, seconds
        options = (["--own"] if own else ["--random", "1"]) + (["--tls"] if server.tls else [])
        arguments = [server.port, f"{rate:.0f}", connections, seconds, requests]
        self.command = [str(part) for part in (programs.load, *options, *arguments)]
        self.cpu = server.cpu()
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def result(self):
        try:
            output, _ = self.process.communicate(timeout=self.seconds + PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failure(f"the fixed-rate client did not end: {' '.join(self.command)}") from None
        if self.process.returncode != 0 or not output.startswith("due="):
            raise Failure(f"the fixed-rate client failed on {self.server.name}: {output}")
        values = {name: int(value) for name, value in (pair.split("=") for pair in output.split())}
        times = {name: values[name] / 1000 for name in ("mean", "p50", "p99", "p999", "max")}
        result = Latency(
            rate=self.rate,
            cost=(self.server.cpu() - self.cpu) / (self.rate * self.seconds) * 1e6,
            lag=values["lag999"] / 1000,
            errors=values["errors"],
            unanswered=values["unanswered"],
            kept_up=values["keptup"] == 1,
            **times,
        )
        record("latency", self.server, **vars(result))
        self.server.forget_log()
        return result


def latency(programs, server, event, rate, connections=64, seconds=4):
    """Repeats an event of the server's session at a fixed rate. An error ends the benchmark."""
    requests = write_requests(f"{server.name}-{event.name}", [event.request(server.port, server.token or "")])
    with FixedRate(programs, server, requests, rate, connections, seconds) as client:
        result = client.result()
    if result.errors:
        raise Failure(f"{server.name} at {rate:,.0f} events a second: {result.errors} responses were errors")
    return result
