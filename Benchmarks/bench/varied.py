"""Requests that differ as those of real clients do, at a fixed rate: processor time next to the ceiling's, and the latency next to other servers'."""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Callable

import client
import servers
from estimate import estimate, quotients
from events import BROWSER, Event, json_body
from generators import FixedRate, throughput, write_requests
from programs import say
from rate import compare, figures
from report import middle

CONNECTIONS = 64
# Of each connection. A session keeps the last 16 idempotency keys, so that a key is fresh again when it is repeated.
REQUESTS = 60

# What an HTTP client of a programming language sends.
API = """\
User-Agent: python-requests/2.32.3
Accept-Encoding: gzip, deflate
Accept: */*
Connection: keep-alive
Authorization: Bearer {token}
"""
API_WITHOUT_SESSION = API.replace("Authorization: Bearer {token}\n", "")
BROWSER_WITHOUT_SESSION = BROWSER.replace("; session={token}", "")


def registration(number):
    # Between 12 and 40 characters, with white space that the server removes.
    digits = f"{number * 7919 % 10**12:012}"
    user_id = digits[:4] + " " * (number % 15) + digits[4:8] + " " * (number % 14) + digits[8:]
    return Event("registration", "/register", json_body("textFieldDidEndEditing", userID=user_id), '"errorMessage","value":null')


def form(number):
    body = f"userID={number * 7919 % 10**12:012}"
    return Event(
        "form", "/register", body, '"errorMessage","value":null', media_type="application/x-www-form-urlencoded"
    )


def login(number):
    values = {"username": f"user{'.' * (number % 20)}{number}@rules.example", "password": "x" * (8 + number % 30)}
    return Event("login", "/login", json_body("loginButtonPressed", **values), "login.tooManyAttempts")


def products(number):
    return Event("products", "/products", json_body("onStart"), '"description":"A beautiful car"')


def page(number):
    return Event("page", ("/login", "/register", "/products")[number % 3], "", '"events":[', method="GET")


def new_session(number):
    body = json_body("emailChanged", email=f"lisa{'.x' * (number % 12)}{number}@rules.example")
    return Event("new session", "/email", body, '"saveButtonEnabled"')


@dataclass(frozen=True)
class Workload:
    name: str
    # The requests of a connection, in turn.
    parts: tuple[Callable[[int], Event], ...]
    header: str
    header_without_session: str
    has_keys: bool = True

    def event(self, number):
        part = self.parts[number % len(self.parts)]
        return replace(part(number), header=self.header_without_session if part is new_session else self.header)

    def request(self, number, port, token):
        event = self.event(number)
        # As long as a UUID, as clients use it.
        key = f"Idempotency-Key: 6f9619ff-8b86-d011-b42d-{number:012x}\n" if self.has_keys and event.method == "POST" else ""
        return event.request(port, token, key)

    def requests(self, port, tokens):
        """The requests of all connections: the first of each, then the second of each, and so on."""
        return [
            # Each connection begins elsewhere, so that at any time all kinds arrive.
            self.request(turn + index * 7, port, token)
            for turn in range(REQUESTS)
            for index, token in enumerate(tokens)
        ]

    def responses(self, port, token):
        """The response to each kind of request, by method and path."""
        found = {}
        for number in range(len(self.parts) * 3):
            event = self.event(number)
            header, body = client.exchange(port, self.request(number, port, token))
            if client.status_of(header) != 200 or event.response not in body.decode():
                raise client.Failure(f"{event.name}: expected 200 with {event.response}, received {(header + body).decode()}")
            found[event.method, event.path] = servers.as_late(event, header, body)
        return found


MIX = (registration, page, login, products, registration, page, new_session, login, page, registration)
EVENTS = (registration, registration, login, registration, login)
API_MIX = Workload("an API client, all kinds", MIX, API, API_WITHOUT_SESSION)
BROWSER_MIX = Workload("a browser, all kinds", MIX, BROWSER, BROWSER_WITHOUT_SESSION)
API_EVENTS = Workload("an API client, events", EVENTS, API, API_WITHOUT_SESSION)
SHARES = {"half": 1 / 2, "three quarters": 3 / 4}
REQUIRED_SHARE = "three quarters"


def run(programs, options, report):
    costs(programs, options, report)
    latencies(programs, options, report)


# MARK: Processor time


def costs(programs, options, report):
    lines, ratios = [], {}
    for workload in (API_MIX, BROWSER_MIX, API_EVENTS):
        for share, (ours, theirs) in next_to_ceiling(programs, options, workload).items():
            ratios[workload, share] = quotients([run.cost for run in theirs], [run.cost for run in ours])
            lines.append([f"{workload.name}, {share}", *figures(ours), f"{middle(theirs, 'cost'):.1f}", f"**{compare(theirs, ours)}**"])
    report.table(
        f"Varied requests at the same rate as the ceiling, {CONNECTIONS} connections ({options.rounds} rounds of {options.seconds} s)",
        ["of Understudy's highest throughput", "requests/s", "CPU µs", "ceiling's", "ceiling's CPU / CPU"],
        lines,
    )
    plain = ratios[API_MIX, REQUIRED_SHARE]
    report.goal("varied requests: the ceiling's CPU / CPU", estimate(plain), estimate(plain).mean >= 0.6, "at least 0.6, aim 0.7")
    browser = estimate(quotients(ratios[BROWSER_MIX, REQUIRED_SHARE], plain))
    report.goal("varied requests with a browser's headers: of the figure before", browser, browser.mean >= 0.9, "at least 0.9")


def next_to_ceiling(programs, options, workload):
    """For each share, the runs of Understudy and those of the ceiling."""
    with ExitStack() as stack:
        ours = stack.enter_context(servers.understudy(programs))
        tokens = [client.new_token(ours.port) for _ in range(CONNECTIONS)]
        theirs = stack.enter_context(ceiling(programs, workload, workload.responses(ours.port, tokens[0])))
        files = [write_requests(f"{server.name}-varied", workload.requests(server.port, tokens)) for server in (ours, theirs)]
        runs = {share: ([], []) for share in SHARES}
        for number in range(options.rounds):
            say(f"varied, {workload.name}, round {number + 1} of {options.rounds}")
            highest = throughput(ours, files[0], CONNECTIONS, options.seconds).rate
            for share, factor in SHARES.items():
                both = list(zip((ours, theirs), files, runs[share]))
                for server, file, results in both[:: -1 if number % 2 else 1]:
                    results.append(send(programs, server, file, highest * factor, options.seconds))
    return runs


def ceiling(programs, workload, responses):
    """The ceiling, which sends the response of Understudy to a request of the same kind."""
    arguments = []
    for (method, path), response in responses.items():
        file = servers.RESULTS / f"{workload.name.replace(' ', '-')}{path.replace('/', '-')}-{method}.response"
        file.write_bytes(response)
        arguments += [method, path, file]
    return servers.Server(f"ceiling {workload.name}", [programs.ceiling, "{port}", arguments[2], *arguments])


def send(programs, server, requests, rate, seconds):
    with FixedRate(programs, server, requests, rate, CONNECTIONS, seconds, own=True) as load:
        result = load.result()
    if result.errors:
        raise client.Failure(f"{server.name} at {rate:,.0f} requests a second: {result.errors} responses were errors")
    return result


# MARK: Latency


def latencies(programs, options, report):
    """Of events only, because the other servers have no other requests."""
    rounds, seconds = min(options.rounds, 3), 2 * options.seconds
    with ExitStack() as stack:
        measured = {"Understudy": servers.understudy(programs), "Hummingbird 2": servers.hummingbird(programs)}
        if programs.go:
            measured["Go net/http"] = servers.go(programs)
        runs, files = {name: [] for name in measured}, {}
        for name, server in measured.items():
            stack.enter_context(server)
            tokens = [client.new_token(server.port) for _ in range(CONNECTIONS)]
            files[name] = write_requests(f"{server.name}-varied", API_EVENTS.requests(server.port, tokens))
        for number in range(rounds):
            for name, server in measured.items():
                say(f"varied, latency, round {number + 1} of {rounds}, {name}")
                highest = throughput(server, files[name], CONNECTIONS, options.seconds).rate
                runs[name].append(send(programs, server, files[name], highest / 2, seconds))
    lines = [
        [name, f"{middle(results, 'rate'):,.0f}", *(f"{middle(results, key):.2f}" for key in ("mean", "p50", "p99", "p999"))]
        + [f"{middle(results, 'cost'):.1f}", sum(result.unanswered for result in results)]
        for name, results in runs.items()
    ]
    report.table(
        f"Latency of varied events at half of the highest throughput, {CONNECTIONS} connections ({rounds} rounds of {seconds} s)",
        ["", "events/s", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "CPU µs", "unanswered"],
        lines,
    )
