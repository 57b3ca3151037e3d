"""What a scrape, a sweep, a stalled log, idle connections and TLS handshakes cost the other clients."""

import resource
import time
from contextlib import ExitStack, contextmanager

import certificate
import client
import events
import servers
from background import Repeated
from generators import FixedRate, write_requests
from programs import say
from report import middle
from throughput import scraped, scraper

RATE = 2000  # events a second of the other clients: few enough that the processors are not the limit
CONNECTIONS = 16
IDLE = 10_000
SESSIONS = 100_000
SESSION_IDLE = 12  # seconds


class Others:
    """The other clients, which send events at a fixed rate. Waits and errors are a result here, and no failure."""

    def __init__(self, programs, seconds):
        self.programs, self.seconds = programs, seconds

    def measure(self, server, seconds=None):
        server.token = client.new_token(server.port, server.tls)
        requests = write_requests(server.name, [events.BEARER.request(server.port, server.token)])
        with FixedRate(self.programs, server, requests, RATE, CONNECTIONS, seconds or self.seconds) as load:
            return load.result()


@contextmanager
def idle_connections(server, count):
    """Connections that have each had one request, and stay open."""
    with ExitStack() as stack:
        for _ in range(count):
            connection = stack.enter_context(client.connect(server.port))
            connection.sendall(f"GET /livez HTTP/1.1\r\nHost: {events.HOST}\r\n\r\n".encode())
            client.Responses(connection).next()
        yield


def scrape(others, note):
    server, port = scraped(others.programs)
    with server:
        without = others.measure(server)
        with scraper(port):
            return without, others.measure(server)


def sweep(others, note):
    with servers.understudy(others.programs, "--session-idle", f"{SESSION_IDLE}s", name="sweep") as server:
        without = others.measure(server)
        began = time.monotonic()
        client.start_sessions(server.port, events.NEW_SESSION, SESSIONS)
        duration = time.monotonic() - began
        time.sleep(max(0, SESSION_IDLE - 1 - duration))
        # From a second before the first session expires until two seconds after the last one does.
        during = others.measure(server, min(duration, SESSION_IDLE) + 3)
        return without, during


def stalled_log(others, note):
    with servers.understudy(others.programs) as server:
        without = others.measure(server)
    with servers.understudy(others.programs, name="stalled log", log="stalled") as server:
        return without, others.measure(server)


def many_connections(others, note):
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < IDLE + 1000:
        say(f"{IDLE:,} idle connections are left out: they need {IDLE + 1000:,} open files (ulimit -n)")
        return None
    with servers.understudy(others.programs, name="idle connections") as server:
        without = others.measure(server)
        before = server.resident()
        with idle_connections(server, IDLE):
            note(f"{(server.resident() - before) / IDLE:.1f} KiB each")
            return without, others.measure(server)


def handshakes(others, note):
    with servers.understudy(others.programs, *certificate.options(), name="TLS", tls=True) as server:
        without = others.measure(server)
        with Repeated(lambda: client.connect(server.port, tls=True).close()) as repeated:
            began = time.monotonic()
            during = others.measure(server)
            note(f"{repeated.count / (time.monotonic() - began):,.0f} handshakes/s")
        return without, during


SCENARIOS = {
    "metrics scraped each 100 ms": scrape,
    f"{SESSIONS:,} sessions expire": sweep,
    "nothing reads the log's pipe": stalled_log,
    f"{IDLE:,} idle connections": many_connections,
    "a client makes TLS handshakes; all use TLS": handshakes,
}


def run(programs, options, report):
    others = Others(programs, 2 * options.seconds)
    rounds = min(options.rounds, 2)
    lines = []
    for title, scenario in SCENARIOS.items():
        say(f"other clients: {title}")
        notes, runs = [], []
        for _ in range(rounds):
            result = scenario(others, notes.append)
            if result:
                runs.append(result)
        if runs:
            note = f" ({notes[-1]})" if notes else ""
            lines.append([title + note, *cells(*zip(*runs))])
            if scenario is stalled_log:
                unanswered = sum(during.unanswered + during.errors for _, during in runs)
                report.goal("a stalled log: requests without a response", unanswered, unanswered == 0, "0")
    report.table(
        f"Other clients, {RATE:,} events a second on {CONNECTIONS} connections ({rounds} rounds; milliseconds)",
        HEADER,
        lines,
    )


HEADER = ["", "p99 without", "p99", "p99.9 without", "p99.9", "longest without", "longest", "unanswered"]


def cells(without, during):
    times = [f"{middle(runs, name):.2f}" for name in ("p99", "p999", "max") for runs in (without, during)]
    return [*times, sum(run.unanswered + run.errors for run in during)]
