"""A server to attack, with its own process and data folder, and clients that can send any bytes."""

import contextlib
import json
import os
import re
import selectors
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.parse

from testbed.program import CHEAP_HASH, PASSWORD, DidNotStart, Program, environment

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"


class Broken(Exception):
    """The server or a client failed in a way that no attack tests."""


def form(*pairs):
    """A form's body."""
    return urllib.parse.urlencode(pairs).encode()


def to_json(value):
    """A JSON body, with the characters as they are."""
    return json.dumps(value, ensure_ascii=False).encode()


def wait_until(condition, seconds):
    """Whether the condition is met within so many seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def median(figures):
    figures = sorted(figures)
    return figures[len(figures) // 2]


class Response:
    """A response, as the bytes have it."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    def all(self, name):
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def header(self, name):
        return (self.all(name) or [None])[0]

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return {}

    @property
    def code(self):
        """The code of a problem."""
        value = self.json
        return value.get("code") if isinstance(value, dict) else None

    @property
    def summary(self):
        """The status, with the code of the problem."""
        return f"{self.status} {self.code}" if self.code else f"{self.status}"

    def cookie(self, name):
        """The value that `Set-Cookie` gives to a cookie, with any prefix of its name."""
        for value in self.all("Set-Cookie"):
            key, _, rest = value.partition("=")
            if re.sub("^__(Host|Secure)-", "", key) == name:
                return rest.partition(";")[0]
        return None

    @property
    def is_logged_in(self):
        commands = self.json.get("commands") if self.status == 200 else None
        return any(command.get("name") == "Home" for command in commands or [])


class Client:
    """A connection, which is opened again when the server has closed it."""

    def __init__(self, port, host="127.0.0.1", headers=(), timeout=20, source=None):
        self.port = port
        self.host = host
        self.headers = list(headers)
        self.timeout = timeout
        # The source address of the connection; by default, the system chooses it.
        self.source = source
        self.socket = None
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None
        self.rest = b""

    def connect(self):
        if not self.socket:
            family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
            self.socket = socket.socket(family, socket.SOCK_STREAM)
            self.socket.settimeout(self.timeout)
            if self.source:
                self.socket.bind((self.source, 0))
            self.socket.connect((self.host, self.port))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def head(self, method, target, headers, body):
        """The bytes of a request. A header that is given takes the place of the usual one."""
        headers = self.headers + list(headers)
        names = {name.lower() for name, _ in headers}
        lines = [method.encode() + b" " + (target if isinstance(target, bytes) else target.encode()) + b" HTTP/1.1"]
        if "host" not in names:
            headers.insert(0, ("Host", "localhost"))
        if (body or method == "POST") and "content-length" not in names:
            headers.append(("Content-Length", str(len(body))))
        for name, value in headers:
            lines.append(name.encode() + b": " + (value if isinstance(value, bytes) else str(value).encode()))
        return b"\r\n".join(lines) + b"\r\n\r\n"

    def send(self, method, target, headers=(), body=b""):
        self.connect()
        self.socket.sendall(self.head(method, target, headers, body) + body)

    def send_raw(self, data):
        self.connect()
        self.socket.sendall(data)

    def fill(self):
        """Reads the available bytes. Returns false at the end of the stream."""
        data = self.socket.recv(65536)
        self.rest += data
        return bool(data)

    def receive(self, has_body=True):
        """The next response, or None if the server has closed the connection."""
        while b"\r\n\r\n" not in self.rest:
            if not self.fill():
                self.close()
                return None
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        headers = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:] if ":" in line]
        status = int(lines[0].split()[1])
        length = next((int(value) for key, value in headers if key.lower() == "content-length"), None)
        if not has_body or status in (204, 304):
            length = 0
        while len(self.rest) < (length or 0) or length is None:
            if not self.fill():
                break
        body, self.rest = (self.rest, b"") if length is None else (self.rest[:length], self.rest[length:])
        response = Response(status, headers, body)
        if (response.header("Connection") or "").lower() == "close":
            self.close()
        return response

    def request(self, method, target, headers=(), body=b""):
        """The response to a request, sent again once if the connection was closed before."""
        for attempt in range(2):
            is_new = self.socket is None
            try:
                self.send(method, target, headers, body)
                response = self.receive(has_body=method != "HEAD")
            except (BrokenPipeError, ConnectionResetError):
                self.close()
                response = None
            if response:
                return response
            if is_new:
                break
        raise Broken(f"no response to {method} {str(target)[:60]}: the server closed the connection")

    def post(self, target, *pairs, headers=()):
        """Posts a form."""
        return self.request("POST", target, [("Content-Type", FORM), *headers], form(*pairs))

    def post_json(self, target, value, headers=()):
        return self.request("POST", target, [("Content-Type", JSON), *headers], to_json(value))

    def until_closed(self, seconds):
        """All bytes that come until the server closes the connection or the time has passed, and whether it closed."""
        self.socket.settimeout(max(0.01, seconds))
        end = time.monotonic() + seconds
        data, self.rest = self.rest, b""
        while time.monotonic() < end:
            try:
                more = self.socket.recv(65536)
            except (TimeoutError, socket.timeout):
                return data, False
            except ConnectionResetError:
                return data, True
            if not more:
                return data, True
            data += more
        return data, False


class Server(Program):
    """A server with accounts and a data folder of its own, or the demonstration. Each attack starts its own."""

    def __init__(self, binary, *options, demo=False, loops=1, admin=False, log=False):
        self.folder = tempfile.mkdtemp(prefix="understudy-attack-")
        self.data = {"UNDERSTUDY_DATA": self.path("data"), "NO_COLOR": "1"}
        usual = {"--loops": loops, "--access-log": "on" if log else "off", "--log-format": "json"}
        usual |= {"--log-level": "info" if log or admin else "error"}
        # The attack's own value of an option is the only one.
        usual = [part for option in usual.items() if option[0] not in options for part in option]
        usual += ["--demo"] if demo else []
        try:
            with open(self.path("errors"), "ab") as errors:
                super().__init__(
                    binary, *usual, *options, admin_port=0 if admin else "off", stderr=errors, variables=self.data
                )
        except DidNotStart:
            error = Broken(f"the server does not start: {self.errors().strip()[-300:]}")
            self.remove_folder()
            raise error from None

    def path(self, name):
        return os.path.join(self.folder, name)

    def remove_folder(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def kill(self):
        super().kill()
        self.remove_folder()

    def errors(self):
        """The text that the server has written to standard error."""
        with open(self.path("errors"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def client(self, *headers, address=None, **more):
        """A client; with an address, one that a trusted proxy reports."""
        return Client(self.port, headers=[*headers, *([("X-Forwarded-For", address)] if address else [])], **more)

    def command(self, *arguments, text="", may_fail=False):
        """Runs `understudy` on the same data."""
        done = subprocess.run(
            [self.program, *arguments], input=text.encode(), capture_output=True, env=environment(**self.data), timeout=60
        )
        if done.returncode and not may_fail:
            raise Broken(f"understudy {' '.join(arguments[:2])}: {done.stderr.decode()}")
        return done

    def add_account(self, email="lisa@rules.example", *hash_options, password=PASSWORD):
        options = hash_options or CHEAP_HASH
        self.command("account", "add", "--email", email, "--name", "Lisa", *options, text=password + "\n")

    def import_records(self, kind, records, *options, may_fail=False):
        """Runs `account import` or `products import`."""
        lines = "\n".join(json.dumps(record) for record in records)
        return self.command(kind, "import", *options, "-", text=lines, may_fail=may_fail)

    def import_accounts(self, emails, password=PASSWORD):
        accounts = [{"email": email, "name": email.partition("@")[0], "password": password} for email in emails]
        self.import_records("account", accounts, *CHEAP_HASH)

    # Resources

    def threads(self):
        """Nanoseconds on a processor, by thread. A loop that sleeps is counted to the last nanosecond."""
        times = {}
        folder = f"/proc/{self.pid}/task"
        for thread in os.listdir(folder):
            try:
                with open(f"{folder}/{thread}/schedstat", encoding="ascii") as file:
                    times[thread] = int(file.read().split()[0])
            except (FileNotFoundError, ProcessLookupError):
                pass
        return times

    def open_sockets(self):
        """How many sockets are open. The runtime opens other descriptors, for its timers, at any time."""
        folder, count = f"/proc/{self.pid}/fd", 0
        for name in os.listdir(folder):
            try:
                count += os.readlink(f"{folder}/{name}").startswith("socket:")
            except FileNotFoundError:
                pass
        return count

    def wait_for_hashing(self, since):
        """Waits until the server hashes a password: it has used 20 ms of a processor since `cpu()` returned that figure."""
        if not wait_until(lambda: self.cpu() - since >= 0.02, 5):
            raise Broken("the server does not hash a password")

    def loop_thread(self):
        """The thread of the only event loop: the one that serves /livez."""
        with self.client() as client:
            client.request("GET", "/livez")
            before = self.threads()
            for _ in range(200):
                client.request("GET", "/livez")
            after = self.threads()
        return max(after, key=lambda thread: after[thread] - before.get(thread, 0))

    def admin_port(self):
        """The port for operators, of a server with `admin`."""
        line = r'Listening for operators".*?"address":"[^"]*:(\d+)"'
        if not wait_until(lambda: re.search(line, self.errors()), 5):
            raise Broken("the server has no port for operators")
        return int(re.search(line, self.errors()).group(1))

    def metric(self, name):
        """The sum of a metric over its labels."""
        with Client(self.admin_port()) as client:
            text = client.request("GET", "/metrics").body.decode()
        return sum(float(value) for value in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", text, re.M))


@contextlib.contextmanager
def on_one_processor(*servers):
    """Keeps this process and the servers on the same processor. On a busy machine each thread tends to stay where it is, and a
    server on another processor than its client spends up to a quarter more on the same request, to wake the client."""
    everywhere = os.sched_getaffinity(0)
    one = {min(everywhere)}
    for server in servers:
        for thread in server.threads():
            os.sched_setaffinity(int(thread), one)
    os.sched_setaffinity(0, one)
    try:
        yield
    finally:
        os.sched_setaffinity(0, everywhere)


def exchange(clients, requests, seconds=60, on_response=None):
    """Sends a request on each connection at once and reads the responses as they arrive; None if there is no response.

    `on_response(index, response)` may return the next request of that connection.
    """
    responses = [None] * len(clients)
    selector = selectors.DefaultSelector()
    for index, (client, request) in enumerate(zip(clients, requests)):
        try:
            client.send(*request)
            selector.register(client.socket, selectors.EVENT_READ, index)
        except OSError:
            client.close()
    end = time.monotonic() + seconds
    while selector.get_map() and time.monotonic() < end:
        for key, _ in selector.select(timeout=0.2):
            index = key.data
            selector.unregister(key.fileobj)
            try:
                responses[index] = clients[index].receive()
                follow = on_response(index, responses[index]) if on_response and responses[index] else None
                if follow:
                    clients[index].send(*follow)
                    selector.register(clients[index].socket, selectors.EVENT_READ, index)
            except OSError:
                clients[index].close()
    selector.close()
    return responses


def login_request(username, password=PASSWORD, headers=()):
    """A login, for `Client.send` and `exchange`."""
    return "POST", "/login", [("Content-Type", FORM), *headers], form(("username", username), ("password", password))


def bearer(token):
    return ("Authorization", f"Bearer {token}")


def cookie(value, name="session"):
    return ("Cookie", f"{name}={value}")
