"""Throughput and processor time of each kind of event, next to the ceiling and to other servers."""

from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

from testbed.program import free_port

import client
import events
import servers
from background import Repeated
from client import Failure
from estimate import estimate, quotients
from generators import measure
from programs import say
from report import middle

PLAIN = "bearer token"
LIMITED, DISTURBED = "†", "‡"
EXPLANATION = (
    f"{LIMITED}: wrk was busy all the time and the server was not, so that the rate is wrk's: only the processor time counts. "
    f"{DISTURBED}: neither was, because other processes used the processors: measure again on a quiet machine."
)


@dataclass
class Row:
    """A server and an event. The ceiling receives the same bytes, and sends as many."""

    title: str
    event: events.Event
    server: str = "understudy"
    is_default: bool = True  # Understudy with default settings
    goal: float = 0.9  # of the plain figure


ROWS = [
    Row(PLAIN, events.BEARER),
    Row("cookie", events.COOKIE),
    Row("white space to remove", events.WHITE_SPACE),
    Row("a browser's headers", events.BROWSER_HEADERS),
    Row("form", events.FORM),
    Row("products list", events.PRODUCTS),
    Row("a new session each time", events.NEW_SESSION, "new sessions", goal=0.7),
    Row("login, locked page", events.LOGIN),
    Row("access log off", events.BEARER, "access log off", is_default=False),
    Row("access log through a pipe", events.BEARER, "access log in a pipe", is_default=False),
    Row("metrics scraped each 100 ms", events.BEARER, "scraped", is_default=False),
]
PEERS = [
    Row("Hummingbird 2, registration", events.BEARER, "hummingbird"),
    Row("Hummingbird 2, login", events.LOGIN, "hummingbird"),
    Row("Go net/http, registration", events.BEARER, "go"),
    Row("nginx, return 200", events.BEARER, "nginx"),
]


def scraper(port):
    """Reads the metrics of a server each 100 milliseconds."""
    return Repeated(lambda: client.get(port, "/metrics"), pause=0.1)


def scraped(programs, *options, **others):
    """A server with metrics, and the port for them."""
    port = free_port()
    server = servers.understudy(programs, "--admin-port", port, *options, name="scraped", **others)
    return server, port


class Servers:
    """All servers of the rows, running at the same time, and idle while another is measured."""

    def __init__(self, programs, stack):
        self.programs, self.stack = programs, stack
        self.understudy = self.start(servers.understudy(programs))
        self.peers = {
            "understudy": self.understudy,
            "access log off": self.start(servers.understudy(programs, "--access-log", "off", name="access log off")),
            "access log in a pipe": self.start(servers.understudy(programs, name="access log in a pipe", log="pipe")),
        }
        server, self.metrics_port = scraped(programs)
        self.peers["scraped"] = self.start(server)
        if programs.hummingbird:
            self.peers["hummingbird"] = self.start(servers.hummingbird(programs))
        if programs.go:
            self.peers["go"] = self.start(servers.go(programs))
        self.ceilings = {}
        for event in {row.event for row in ROWS}:
            response = client.check(self.understudy.port, event, self.understudy.token)
            ceiling = self.start(servers.ceiling(programs, event, response), has_sessions=False)
            ceiling.token = events.TOKEN
            self.ceilings[event] = ceiling
            if event is events.BEARER and programs.nginx:
                nginx = servers.nginx(programs, (response[0], servers.as_late(event, *response)[len(response[0]) :]))
                self.peers["nginx"] = self.start(nginx, has_sessions=False)
                nginx.token = events.TOKEN
        self.rows = ROWS + [row for row in PEERS if row.server in self.peers]

    def start(self, server, has_sessions=True):
        self.stack.enter_context(server)
        if has_sessions:
            server.token = client.new_token(server.port)
        return server

    def check(self):
        for row in self.rows:
            if row.server in self.peers:
                server = self.peers[row.server]
                client.check(server.port, row.event, server.token)

    def measure(self, row, seconds):
        """A run of the row's server."""
        if row.server == "new sessions":
            # A server of its own for each run, so that no earlier session must end to make room.
            with servers.understudy(self.programs, name=row.server) as server:
                client.check(server.port, row.event, None)
                return measure(server, row.event, seconds=seconds)
        if row.server == "scraped":
            with scraper(self.metrics_port):
                return measure(self.peers[row.server], row.event, seconds=seconds)
        return measure(self.peers[row.server], row.event, seconds=seconds)


def run(programs, options, report):
    with ExitStack() as stack:
        all_servers = Servers(programs, stack)
        all_servers.check()
        say("warming up")
        for server in [*all_servers.peers.values(), all_servers.ceilings[events.BEARER]]:
            measure(server, events.BEARER, seconds=1)
        own, ceilings = defaultdict(list), defaultdict(list)
        for number in range(options.rounds):
            say(f"throughput, round {number + 1} of {options.rounds}")
            for row in all_servers.rows:
                both = [(own, lambda: all_servers.measure(row, options.seconds))]
                both.append((ceilings, lambda: measure(all_servers.ceilings[row.event], row.event, seconds=options.seconds)))
                # In turn, because a machine may be slower or faster after each run of a pair.
                for results, run_once in both[:: -1 if number % 2 else 1]:
                    results[row.title].append(run_once())
        all_servers.check()
    for row in ROWS:
        size, expected = middle(own[row.title], "size"), middle(ceilings[row.title], "size")
        if abs(size / expected - 1) > 0.05:
            raise Failure(f"{row.title}: the responses have {size:.0f} bytes, and the ceiling's {expected:.0f}")
    write(report, all_servers.rows, own, ceilings, options)


def figures(own, ceiling):
    """The ceiling's processor time for an event over the server's, round by round."""
    return quotients([run.cost for run in ceiling], [run.cost for run in own])


def write(report, rows, own, ceilings, options):
    shares = {row.title: figures(own[row.title], ceilings[row.title]) for row in rows}
    lines = []
    for row in rows:
        mine, ceiling = own[row.title], ceilings[row.title]
        rates = quotients([run.rate for run in mine], [run.rate for run in ceiling])
        lines.append(
            [
                row.title,
                f"{middle(mine, 'rate'):,.0f}{mark(mine)}",
                f"{middle(ceiling, 'rate'):,.0f}{mark(ceiling)}",
                f"{median(rates):.2f}",
                f"{middle(mine, 'cost'):.1f}",
                f"{middle(ceiling, 'cost'):.1f}",
                f"**{estimate(shares[row.title])}**",
                f"{middle(mine, 'size'):.0f} / {middle(ceiling, 'size'):.0f}",
            ]
        )
    header = ["64 clients", "events/s", "ceiling's", "ratio", "CPU µs", "ceiling's", "ceiling's CPU / CPU", "bytes"]
    report.table(f"Throughput and processor time ({options.rounds} rounds of {options.seconds} s)", header, lines)
    report.paragraph(EXPLANATION)
    compare(report, rows, shares, own)


def mark(runs):
    """What limited most of the runs, if it was not the server."""
    if sum(run.is_limited for run in runs) * 2 > len(runs):
        return LIMITED
    return DISTURBED if sum(run.is_disturbed for run in runs) * 2 > len(runs) else ""


def compare(report, rows, shares, own):
    for row in rows:
        if row.server not in ("understudy", "new sessions") or not row.is_default:
            continue
        # The figure of the plain event itself is for comparison: `varied` has the required one.
        if row.title != PLAIN and row.event is not events.LOGIN:
            share = estimate(quotients(shares[row.title], shares[PLAIN]))
            report.goal(f"{row.title}: of the figure for {PLAIN}", share, share.mean >= row.goal, f"at least {row.goal}")
    # By way of the ceiling that ran next to each, because the two rows are minutes apart.
    for title, ours in (("Hummingbird 2, login", "login, locked page"), ("Hummingbird 2, registration", PLAIN)):
        if title in shares:
            times = estimate(quotients(shares[ours], shares[title]))
            report.goal(f"{title}: CPU per event, times ours", times, times.mean >= 3, "at least 3")
