"""Repeats each kind of request against one server, and compares the cost of the last ones with that of the first. Called by scripts/checks/soak."""

import argparse
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import urllib.parse
from dataclasses import dataclass
from typing import Callable

from harness import CHEAP_HASH, PASSWORD, Broken, Client, Server, wait_until

# The last tenth of the requests may cost so many times the first.
MAXIMUM_RATIO = 1.2
# Memory may grow by so many bytes for each request, or by so many in total if that is more: the allocator takes memory in larger steps, and the
# smallest piece that a request could leave behind takes 32 bytes.
BYTES_PER_REQUEST = 1.0
BYTES_IN_TOTAL = 256 * 1024
# A measurement that misses a limit is repeated with twice as many requests: what becomes more expensive or leaks does so all the more.
# Every five seconds, the probe of the database empties a cache of 1.3 MB, which then fills again: one measurement in ten begins at that moment.
TRIES = 4
# So many connections send requests at the same time, and each so many before it reads the responses.
CONNECTIONS = 16
BATCH = 4
# The long form sends at least so many requests of each kind: with fewer, what the allocator takes in steps hides a leak of some bytes.
MINIMUM_REQUESTS = 50_000

FORM = "application/x-www-form-urlencoded"
BROWSER = [("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"), ("Accept-Language", "de,en;q=0.5"), ("Accept-Encoding", "gzip")]
STREAM = [("Accept", "text/event-stream")]
STATUS_LINE = re.compile(rb"HTTP/1\.1 (\d{3}) ")


@dataclass
class Kind:
    """A kind of request.

    `prepare(run)` returns a function that returns the bytes of the request with a number.
    """

    name: str
    prepare: Callable
    # The status of each response; `None` if the first one decides.
    status: int | None = 200
    # How many times fewer requests of this kind are sent, in the long and in the short form.
    divisors: tuple[int, int] = (1, 1)
    # Whether each request has a connection of its own.
    closes: bool = False
    # Whether the client sends nothing that is responded to, and waits until the server has closed all connections of a slice.
    is_cut_off: bool = False
    # At least so many requests are sent before the first tenth.
    warm_up: int = 0
    # The server that the requests go to: `main`, `limited`, `tls`, `database`, `operators`, or `sessions`, which ends no session. The others
    # end sessions, so that they show what requests leave behind besides sessions.
    server: str = "main"


KINDS: list[Kind] = []
HTML = (1, 2)
HASHING = (4, 20)
CONNECTING = (1, 5)


def request(method, target, headers=(), body=b""):
    """The bytes of a request. With a host of its own, the usual one is left out."""
    headers = [("X-Request-ID", "soak"), *headers]
    if not any(name == "Host" for name, _ in headers):
        headers.insert(0, ("Host", "localhost"))
    if method in ("POST", "PUT") or body:
        headers.append(("Content-Length", len(body)))
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def json_request(target, body, headers=()):
    return request("POST", target, [("Content-Type", "application/json"), *headers], body.encode())


def form_request(target, values, headers=()):
    return request("POST", target, [("Content-Type", FORM), *headers], urllib.parse.urlencode(values).encode())


def add(name, make, **more):
    """Adds a kind. `make` returns the bytes of the request with a number; `{n}` in bytes is replaced by the number."""
    if isinstance(make, bytes):
        constant = make
        make = lambda number: constant  # noqa: E731
    KINDS.append(Kind(name, lambda run: make, **more))


def add_in_session(name, make, **more):
    """Adds a kind whose requests are in one session: `make` gets the number and the headers of the session."""

    def prepare(run):
        headers = [("Authorization", f"Bearer {run.new_session()}")]
        return lambda number: make(number, headers)

    KINDS.append(Kind(name, prepare, **more))


# MARK: What the service's documents list


def add_listed(binary):
    """The routes of the OpenAPI document, and the codes of problems in it."""
    document = subprocess.run([binary, "openapi"], capture_output=True, text=True, check=True).stdout
    paths = {}
    for line in document.splitlines():
        if found := re.match(r"  (/\S*):$", line):
            path = found[1]
        elif found := re.match(r"    (get|post|delete):$", line):
            paths.setdefault(path, []).append(found[1])
    for path, methods in paths.items():
        target = path.replace("{rule}", "userID").replace("{code}", "unknownPage")
        if "get" not in methods:
            continue
        add_in_session(f"GET {target}", lambda n, session, t=target: request("GET", t, session), status=None)
        add(f"HEAD {target}", request("HEAD", target), status=None)
        add(f"HTML {target}", request("GET", target, BROWSER), status=None, divisors=HTML)
    add("HTML /docs", request("GET", "/docs", BROWSER), divisors=HTML)
    codes = sorted(set(re.findall(r"/problems/(\w+)", document)))

    def prepare(run):
        known = [code for code in codes if b" 200 " in run.ask(request("GET", f"/problems/{code}"))[:20]]
        return lambda n: request("GET", f"/problems/{known[n % len(known)]}")

    KINDS.append(Kind("GET /problems/*", prepare))


def add_events():
    """Each event of the pages, with values that differ and a fresh idempotency key."""
    values = {
        "username": "a{n}@b.example", "password": "wrong {n}", "userID": " 0123 45{n:06}", "name": "n{n}",
        "email": "a{n}@b.example", "product": "IPhone {n}",
    }
    events = [
        ("login", "loginButtonPressed", ["username", "password"]),
        ("home", "viewDidLoad", []),
        *[("home", f"{name}ButtonPressed", []) for name in ("products", "register", "email", "logout")],
        ("register", "textFieldDidEndEditing", ["userID"]),
        ("signup", "viewDidLoad", []),
        *[("signup", f"{name}Changed", [name]) for name in ("name", "email", "password")],
        ("products", "onStart", []), ("products", "onSelected", ["product"]), ("product", "onStart", ["product"]),
        ("email", "viewDidLoad", []), ("email", "emailChanged", ["email"]), ("email", "saveButtonPressed", []),
    ]
    for page, event, fields in events:
        body = '{{"event":"%s","values":{{%s}}}}' % (event, ",".join(f'"{name}":"{values[name]}"' for name in fields))

        def make(n, session, target=f"/{page}", body=body, headers=()):
            return json_request(target, body.format(n=n), [*session, ("Idempotency-Key", f"key-{n}"), *headers])

        hashes = event == "loginButtonPressed"
        add_in_session(f"event {page}.{event}", make, divisors=HASHING if hashes else (1, 1))
        if not hashes:
            add_in_session(f"stream {page}.{event}", lambda n, session, make=make: make(n, session, headers=STREAM))
            add_in_session(f"database {page}.{event}", make, server="database", divisors=(4, 20))
    signup = [("name", "n"), ("email", "invalid"), ("password", "x")]
    add_in_session("event signup.submitButtonPressed", lambda n, session: form_request("/signup", signup, session))
    complete = lambda n: [("name", "n"), ("email", f"u{n}@b.example"), ("password", f"{PASSWORD} {n}")]  # noqa: E731
    # Until the caches of SQLite are full, which keep up to 2 MB of pages for each connection.
    add("account is added", lambda n: form_request("/signup", complete(n)), divisors=HASHING, warm_up=20_000)
    login = [("username", "lisa@rules.example"), ("password", PASSWORD)]
    add_in_session("login", lambda n, session: form_request("/login", login, [("Accept-Language", "de")]), divisors=HASHING)
    locked = lambda n, session: form_request("/login", [("username", "locked@b.example"), ("password", f"{n}")])  # noqa: E731
    add_in_session("login of a locked account", locked)
    add_in_session("event, repeated key", lambda n, session: form_request(
        "/register", [("userID", "012345678912")], [*session, ("Idempotency-Key", "same")]
    ))
    add_in_session("event, minimal", lambda n, session: form_request(
        "/register", [("userID", n)], [*session, ("Prefer", "return=minimal")]
    ))
    add_in_session("event, with a browser's headers", lambda n, session: form_request(
        "/register", [("userID", n)], [*session, *BROWSER, ("Origin", "http://localhost"), ("Sec-Fetch-Site", "same-origin")]
    ), status=303, divisors=HTML)
    add_in_session("event of another origin", lambda n, session: json_request(
        "/register", '{"userID": "x"}', [*session, ("Origin", "https://app.example"), ("Sec-Fetch-Site", "cross-site")]
    ))


# MARK: Sessions


def add_sessions():
    add("event in a new session", lambda n: form_request("/register", [("userID", n)]))
    add("event in a new session in the database", lambda n: form_request("/register", [("userID", n)]), server="database", divisors=(4, 20))
    add("POST /session", request("POST", "/session"), status=201)
    # Each browser that comes without a cookie starts a session. All that it takes must count for the limits of sessions.
    add("HTML in a new session, which stays", request("GET", "/register", BROWSER), server="sessions", divisors=HTML)
    add("POST /session, which stays", request("POST", "/session"), status=201, server="sessions", divisors=HTML)
    delete = lambda run: lambda n: request("DELETE", "/session", [("Authorization", f"Bearer {run.new_session()}")])  # noqa: E731
    KINDS.append(Kind("DELETE /session", delete, status=204, divisors=(4, 20)))
    add_in_session("history since a number", lambda n, session: request("GET", f"/session/history?since={n % 3}", session), status=None)
    add("form of a browser in a new session", lambda n: form_request(
        "/register", [("userID", n), ("_key", f"k{n}")], [*BROWSER, ("Origin", "http://localhost")]
    ), status=303, divisors=HTML)


# MARK: Problems


def add_problems():
    problems = [
        ("unknownPage", 404, request("GET", "/nowhere")),
        ("methodNotAllowed", 405, request("PUT", "/login", [("Content-Type", FORM)], b"x=1")),
        ("unsupportedMediaType", 415, request("POST", "/login", [("Content-Type", "text/plain")], b"x")),
        ("malformedJSON", 400, json_request("/login", '{"event":')),
        ("malformedBody", 400, json_request("/login", '{"event": 1}')),
        ("unknownEvent", 422, json_request("/login", '{"event": "none"}')),
        ("missingField", 422, json_request("/login", '{"username": "x"}')),
        ("wrongFieldType", 422, json_request("/login", '{"username": 1, "password": "x"}')),
        ("unknownField", 422, json_request("/login", '{"user": "x"}')),
        ("valueTooLong", 422, form_request("/register", [("userID", "1" * 5000)])),
        ("unknownRule", 422, form_request("/validate/none", [("value", "1")])),
        ("notAuthenticated", 401, request("GET", "/session", [("Authorization", "Bearer " + "A" * 22)])),
        ("crossSite", 403, form_request("/login", [("username", "x")], [("Origin", "https://evil.example")])),
        ("invalidParameter", 400, request("GET", "/session/history?since=x")),
    ]
    for code, status, data in problems:
        add(f"problem {code}", data, status=status if code != "invalidParameter" else None)
    for code, status, data in problems[:4]:
        head, _, body = data.partition(b"\r\n\r\n")
        browser = "".join(f"\r\n{name}: {value}" for name, value in BROWSER).encode()
        add(f"problem {code} as HTML", head + browser + b"\r\n\r\n" + body, status=None, divisors=HTML)
    add("problem tooManyRequests", request("GET", "/login"), status=429, server="limited")
    add("problem tooManyRequests, static file", request("GET", "/understudy.js"), status=429, server="limited")
    for code, status, data in [
        ("bodyTooLarge", 413, json_request("/login", " " * 70_000)[:300]),
        ("targetTooLong", 414, request("GET", "/" + "x" * 9000)),
        ("headersTooLarge", 431, request("GET", "/", [("X-Long", "x" * 17_000)])),
        ("malformedRequest", 400, b"GET /login\r\n\r\n"),
        ("unsupportedHTTPVersion", 505, b"GET /login HTTP/3.0\r\nHost: localhost\r\n\r\n"),
        ("unsupportedTransferCoding", None, request("GET", "/login", [("Transfer-Encoding", "gzip")])),
        ("misdirectedRequest", 421, request("GET", "/login", [("Host", "evil.example")])),
    ]:
        add(f"problem {code}", data, status=None, closes=True, divisors=CONNECTING)


# MARK: The rest


def add_others():
    for name in ("/livez", "/readyz", "/metrics"):
        add(f"operators {name}", request("GET", name), server="operators", divisors=(1, 10) if name == "/metrics" else (1, 1))
    add("validate a value", lambda n: form_request("/validate/userID", [("value", f"{n:012}")]))
    checks = '{{"checks": [{{"rule": "userID", "value": "{n}"}}, {{"rule": "email", "value": "a{n}@b.example"}}]}}'
    add("validate values", lambda n: json_request("/validate", checks.format(n=n)))
    add("preflight", request("OPTIONS", "/login", [("Origin", "https://app.example"), ("Access-Control-Request-Method", "POST")]), status=204)
    chunked = request("POST", "/register", [("Content-Type", FORM), ("Transfer-Encoding", "chunked")]).replace(b"Content-Length: 0\r\n", b"")
    add("chunked body", chunked + b"8\r\nuserID=1\r\n0\r\n\r\n", closes=True, divisors=CONNECTING)
    add("connection", request("GET", "/login", [("Connection", "close")]), closes=True, divisors=CONNECTING)
    add("connection without a request", b"", status=None, is_cut_off=True, divisors=CONNECTING)
    # The server closes such a connection after a second.
    add("half a request", b"POST /login HTTP/1.1\r\nHost: loc", status=None, is_cut_off=True, divisors=(4, 5))
    add("connection over TLS", request("GET", "/login", [("Connection", "close")]), closes=True, server="tls", divisors=(4, 100))
    add("event over TLS", lambda n: form_request("/register", [("userID", n)]), server="tls")

    def add_file(name, headers):
        def prepare(run):
            files = run.static_files()
            tags = [run.entity_tag(file) for file in files]
            requests = [request("GET", file, headers(tag)) for file, tag in zip(files, tags)]
            return lambda number: requests[number % len(requests)]

        for server in ("main", "tls"):
            suffix = " over TLS" if server == "tls" else ""
            KINDS.append(Kind(name + suffix, prepare, status=None, server=server, divisors=(1, 2)))

    add_file("static files", lambda tag: [])
    add_file("static files, not modified", lambda tag: [("If-None-Match", tag)])


# MARK: Running


class Run:
    """The servers, and what kinds ask them."""

    def __init__(self, binary):
        self.binary = binary
        self.servers = {}
        self.current = None

    def use(self, name):
        """Starts the server unless it runs."""
        self.current = name
        name = "main" if name == "operators" else name
        if name in self.servers and not self.servers[name].is_alive():
            self.servers.pop(name).kill()
        if name not in self.servers:
            self.servers[name] = self.start(name)

    def start(self, name):
        limit = "1000000" if name == "sessions" else "300"
        options = ["--header-timeout", "1s", "--max-sessions", limit, "--sessions-per-address", "off", "--pages", "on", "--allowed-origins", "https://app.example", *CHEAP_HASH]
        options += ["--requests", "1/1h", "--limit-loopback"] if name == "limited" else ["--requests", "off"]
        if name == "database":
            options += ["--sessions", "database"]
        if name == "tls":
            options += ["--tls-certificate", CERTIFICATE.certificate, "--tls-key", CERTIFICATE.key]
        server = Server(self.binary, *options, log=True, admin=True)
        # Before its log is emptied.
        server.operators_port = server.admin_port()
        server.idle_sockets = server.open_sockets()
        server.add_account()
        if name == "limited":
            # The only request that it accepts.
            Client(server.port).request("GET", "/login")
        server.import_records("products", [{"name": "IPhone 1", "description": "A phone"}])
        return server

    @property
    def server(self):
        return self.servers["main" if self.current == "operators" else self.current]

    def connect(self):
        port = self.server.operators_port if self.current == "operators" else self.server.port
        connection = socket.create_connection(("127.0.0.1", port), timeout=60)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.current == "tls":
            connection = ssl._create_unverified_context().wrap_socket(connection, server_hostname="localhost")
        return connection

    def ask(self, data):
        """The response to one request, with its head."""
        head_only = data.replace(b" HTTP/1.1\r\n", b" HTTP/1.1\r\nConnection: close\r\n", 1)
        with self.connect() as connection:
            connection.sendall(head_only)
            parts = []
            while part := connection.recv(65536):
                parts.append(part)
        return b"".join(parts)

    def new_session(self):
        """The token of a session that two requests have used: otherwise, it is the first to end if there are too many."""
        event = form_request("/register", [("userID", "1")])
        found = re.search(rb"[Ss]et-[Cc]ookie: [^=]*=([^;]+);", self.ask(event))
        if not found:
            raise Broken("no session")
        token = found[1].decode()
        self.ask(form_request("/register", [("userID", "2")], [("Authorization", f"Bearer {token}")]))
        return token

    def static_files(self):
        """The addresses of the static files, versioned and not."""
        text = b"".join(self.ask(request("GET", page, BROWSER)) for page in ("/login", "/docs")).decode("latin-1")
        files = sorted(set(re.findall(r'(?:src|href)="(/[^"]+\.(?:js|css))"', text)))
        return files + sorted({re.sub(r"-[0-9a-f]{16}\.", ".", file) for file in files})

    def entity_tag(self, file):
        return re.search(rb'ETag: (\S+)', self.ask(request("GET", file)))[1].decode()

    def memory(self, pipe):
        """Bytes of memory without files, and the bytes of them that count for the limits of sessions, when the server has closed the
        connections of clients that have gone."""
        pipe.close()
        wait_until(lambda: self.server.open_sockets() <= self.server.idle_sockets, 20)
        with Client(self.server.operators_port) as client:
            text = client.request("GET", "/metrics").body.decode()
        counted = float(re.search(r"^understudy_session_bytes (\S+)$", text, re.M)[1])
        return self.server.memory("RssAnon"), counted

    def stop(self):
        for server in self.servers.values():
            server.kill()


class Pipe:
    """Connections on which requests are sent without waiting for each response."""

    def __init__(self, run, kind):
        self.run, self.kind = run, kind
        self.status = kind.status
        self.connections = []

    def send(self, requests):
        if self.kind.is_cut_off:
            self.cut_off(requests)
        elif self.kind.closes:
            for data in requests:
                self.send_alone(data)
        else:
            while len(self.connections) < CONNECTIONS:
                self.connections.append(self.run.connect())
            for start in range(0, len(requests), CONNECTIONS * BATCH):
                self.send_batch(requests[start : start + CONNECTIONS * BATCH])

    def send_batch(self, requests):
        parts = [requests[index::CONNECTIONS] for index in range(CONNECTIONS)]
        for connection, part in zip(self.connections, parts):
            connection.sendall(b"".join(part))
        for connection, part in zip(self.connections, parts):
            self.receive(connection, len(part))

    def receive(self, connection, missing):
        rest = b""
        while missing:
            data = connection.recv(262_144)
            if not data:
                raise Broken("the server closed the connection")
            data = rest + data
            end = 0
            for found in STATUS_LINE.finditer(data):
                self.check(int(found[1]))
                missing -= 1
                end = found.end()
            rest = data[max(end, len(data) - 12) :]

    def cut_off(self, requests):
        for start in range(0, len(requests), 200):
            connections = []
            for data in requests[start : start + 200]:
                connections.append(self.run.connect())
                connections[-1].sendall(data)
                connections[-1].shutdown(socket.SHUT_WR)
            for connection in connections:
                while connection.recv(65536):
                    pass
                connection.close()

    def send_alone(self, data):
        with self.run.connect() as connection:
            connection.sendall(data)
            received = b""
            try:
                while part := connection.recv(65536):
                    received += part
            except ConnectionResetError:
                pass
        for found in STATUS_LINE.finditer(received):
            self.check(int(found[1]))

    def check(self, status):
        if self.status is None:
            self.status = status
        if status != self.status:
            raise Broken(f"status {status} instead of {self.status}")

    def close(self):
        for connection in self.connections:
            connection.close()
        self.connections = []


class Repetition:
    """Sends a kind of request again and again, in slices of a size."""

    def __init__(self, run, kind, size):
        run.use(kind.server)
        self.run, self.size, self.number = run, size, 0
        self.make = kind.prepare(run)
        self.pipe = Pipe(run, kind)

    def send(self):
        """The seconds of processor time of a request of the next slice."""
        requests = [self.make(self.number + index) for index in range(self.size)]
        self.number += self.size
        before = self.run.server.cpu()
        self.pipe.send(requests)
        return (self.run.server.cpu() - before) / self.size


def measure(run, kind, count):
    """The seconds of a request in the first and in the last tenth, the bytes for each request after the first tenth, and what sent them."""
    # As many slices in each tenth. The cheapest one is not affected by what else the server and the machine do. The server notices once a second
    # that a client has gone.
    slices = 1 if kind.is_cut_off else 10
    repetition = Repetition(run, kind, max(1, count // (10 * slices)))
    try:
        # Until caches, pools and the limit for sessions are full.
        for _ in range(max(slices, kind.warm_up // repetition.size)):
            repetition.send()
        costs = [repetition.send() for _ in range(slices)]
        memory, counted = run.memory(repetition.pipe)
        costs += [repetition.send() for _ in range(9 * slices)]
        last_memory, last_counted = run.memory(repetition.pipe)
        growth = last_memory - memory - max(0, last_counted - counted)
    finally:
        repetition.pipe.close()
    return min(costs[:slices]), min(costs[-slices:]), growth / (9 * slices * repetition.size), repetition


def compare(used, kind):
    """The seconds of a request in a new server and in one, a session and a connection that have handled many, in turn, so that a machine whose
    speed changes slows both."""
    fresh = Run(used.run.binary)
    try:
        new = Repetition(fresh, kind, used.size)
        for _ in range(10):
            new.send()
        for _ in range(90):
            used.send()
        pairs = [(new.send(), used.send()) for _ in range(10)]
    finally:
        used.pipe.close()
        fresh.stop()
    return tuple(min(costs) for costs in zip(*pairs))


def check(run, kind, count):
    """The line about a kind, and whether it is within the limits."""
    for attempt in range(1, TRIES + 1):
        if attempt > 1:
            count *= 2
        first, last, growth, repetition = measure(run, kind, count)
        leaks = growth > max(BYTES_PER_REQUEST, BYTES_IN_TOTAL / (0.9 * count))
        remark = f"  try {attempt}" if attempt > 1 else ""
        if last <= MAXIMUM_RATIO * first and not leaks:
            break
    else:
        if not leaks and not kind.is_cut_off:
            first, last = compare(repetition, kind)
            remark = "  a new and the used server"
    ratio = last / first if first else 1
    figure = f"{repetition.pipe.status or '':>3} {first * 1e6:8.1f} {last * 1e6:8.1f} {ratio:6.2f} {growth:9.2f}  {count:>7}"
    return figure + remark, ratio <= MAXIMUM_RATIO and not leaks


class Certificate:
    """A certificate of its own, made when it is first needed."""

    def __init__(self):
        self.folder = None

    def path(self, name):
        if not self.folder:
            self.folder = tempfile.TemporaryDirectory()
            command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
            command += ["-subj", "/CN=localhost", "-keyout", f"{self.folder.name}/key", "-out", f"{self.folder.name}/certificate"]
            subprocess.run(command, check=True, capture_output=True)
        return f"{self.folder.name}/{name}"

    certificate = property(lambda self: self.path("certificate"))
    key = property(lambda self: self.path("key"))


CERTIFICATE = Certificate()


def main():
    parser = argparse.ArgumentParser(prog="scripts/checks/soak", allow_abbrev=False)
    parser.add_argument("binary")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--requests", type=int)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    # Logins are last: sessions without a user end first if there are too many.
    for group in (lambda: add_listed(options.binary), add_sessions, add_problems, add_others, add_events):
        group()
    chosen = [kind for kind in KINDS if not options.only or any(text in kind.name for text in options.only)]
    if not chosen:
        print(f"soak: no kind's name contains {' or '.join(options.only)}; --list shows the names", file=sys.stderr)
        return 64
    if options.list:
        print("\n".join(kind.name for kind in chosen))
        return 0
    total = options.requests or (5_000 if options.short else 200_000)
    run, failed = Run(options.binary), 0
    print(f"{'':4}  {'kind':46}{'sta-':>4} {'µs first':>8} {'µs last':>8} {'ratio':>6} {'bytes per':>9}  {'requests':>7}")
    print(f"{'':4}  {'':46}{'tus':>4} {'tenth':>8} {'tenth':>8} {'':>6} {'request':>9}")
    for kind in chosen:
        least = 500 if options.short or options.requests else MINIMUM_REQUESTS
        count = max(least, total // kind.divisors[options.short])
        try:
            figure, is_met = check(run, kind, count)
        except (Broken, OSError, ValueError) as error:
            figure, is_met = f"{type(error).__name__}: {error}"[:200], False
            if not run.servers or not run.server.is_alive():
                figure += "; the server has ended"
        failed += not is_met
        print(f"{'ok' if is_met else 'FAIL':4}  {kind.name:46}{figure}", flush=True)
        for server in run.servers.values():
            # The access log of each kind can have a gigabyte.
            with open(server.path("errors"), "r+b") as errors:
                errors.truncate()
    run.stop()
    print(f"==> {len(chosen) - failed} of {len(chosen)} kinds cost the same after {total} requests, and leave no memory behind")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
