"""Proxies, files, terminals and the container: the surroundings of the server."""

import json
import os
import re
import shutil
import socket
import subprocess
import time

from testbed.program import free_port

from harness import CHEAP_HASH, JSON, PASSWORD, Broken, Client, bearer, cookie, exchange, login_request, to_json, wait_until
from registry import attack, judge

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", "..", ".."))
# ESC, BEL, DEL, CSI and NEL of C1, marks that change the order of text, and a line separator.
HOSTILE = "a\x1b]0;b\x07\x7f\x9b31m\x85\u200f\u202e\u2066\u2028"


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def steering(data):
    """The characters that a terminal or a reader would obey."""
    text = data.decode(errors="replace")
    return sorted(
        {
            f"U+{ord(one):04X}"
            for one in text
            if ord(one) < 0x20 and one != "\n" or 0x7F <= ord(one) <= 0x9F or one in "\u200f\u202e\u2066\u2028"
        }
    )


@attack(10, "Behind nginx as in Examples/nginx, a client's own X-Forwarded-For does not count")
def nginx(run):
    program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not program:
        return judge("nginx is not installed", (False, "install nginx-light"))
    with run.server("--trusted-proxies", "127.0.0.1", "--requests", "10/1h", "--limit-loopback", demo=True) as server:
        folder = run.folder()
        front, application = free_port(), free_port()
        with open(os.path.join(ROOT, "Examples/nginx/nginx.conf"), encoding="utf-8") as file:
            text = file.read()
        for old, new in (("8080", server.port), ("8000", front), ("8001", application)):
            text = text.replace(f"127.0.0.1:{old}", f"127.0.0.1:{new}")
        path = os.path.join(folder, "nginx.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        process = subprocess.Popen([program, "-p", folder, "-c", path], stderr=subprocess.DEVNULL)
        try:
            if not wait_until(lambda: listens(front), 6):
                raise Broken("nginx does not start")
            # From an address that is no trusted proxy, as clients of a real nginx come.
            with Client(front, source="127.0.0.2") as client:
                statuses = [
                    client.request("GET", "/private/", [("X-Forwarded-For", f"203.0.113.{number}")]).status
                    for number in range(30)
                ]
            # nginx makes 500 of a 429 that `auth_request` gets; 401 is that no user is logged in.
            unlimited = sum(status == 401 for status in statuses)
            with server.client(address="203.0.113.29") as victim:
                victim_gets = victim.request("GET", "/session").status
        finally:
            process.terminate()
            process.wait()
    return judge(
        f"{unlimited} of 30 requests with forged addresses pass a limit of 10; the address that was forged gets {victim_gets}",
        (unlimited <= 10, "at most 10 pass"),
        (victim_gets == 401, "the limit of the address that was forged is untouched (401)"),
    )


@attack(10, "A request that a trusted proxy sent is never exempt as one from this machine")
def proxied_loopback(run):
    wrong = []
    cases = [
        [("X-Forwarded-For", "127.0.0.1")],
        [("X-Forwarded-For", "::1")],
        [("X-Forwarded-For", "::ffff:127.0.0.1")],
        [("X-Forwarded-For", "127.9.9.9")],
    ]
    for headers in cases:
        with run.server("--trusted-proxies", "127.0.0.1", "--requests", "5/1h", demo=True) as server:
            with server.client() as client:
                statuses = [client.request("GET", "/login", headers).status for _ in range(10)]
        if statuses.count(429) < 5:
            wrong.append(f"{headers[0][0]}: {headers[0][1]} gets {statuses.count(200)} of 10 with a limit of 5")
    return judge(
        f"{len(cases) - len(wrong)} of {len(cases)} forms are limited" + (f" ({wrong[0]})" if wrong else ""),
        (not wrong, "; ".join(wrong)),
    )


@attack(12, "No recording and no name steers the operator's terminal")
def terminal(run):
    found = {}
    with run.server(*CHEAP_HASH) as server:

        def note(what, *arguments, text=""):
            done = server.command(*arguments, text=text, may_fail=True)
            found[what] = steering(done.stdout + done.stderr)

        text = json.dumps(HOSTILE, ensure_ascii=False)
        header = '{"recording":1,"understudy":"0.1.0","started":0,"redacted":false}\n'
        event = (
            '{"page":%s,"event":%s,"values":{"username":%s,"password":%s},"erased":[],"answers":[],'
            '"commands":[{"command":"render","key":%s,"value":%s,"code":%s}]}'
        )
        for name, page, what in (
            ("event", '"login"', text),
            ("known", '"login"', '"loginButtonPressed"'),
            ("page", text, text),
        ):
            with open(server.path(f"{name}.jsonl"), "w", encoding="utf-8") as file:
                file.write(header + event % (page, what, text, text, text, text, text))
            note(f"replay ({name})", "replay", server.path(f"{name}.jsonl"))
        name = HOSTILE.replace("\u2028", "")
        server.command(
            "account", "add", "--email", "lisa@rules.example", "--name", name, *CHEAP_HASH, text=PASSWORD + "\n"
        )
        for command in (
            ("list",),
            ("list", "--json"),
            ("show", "lisa@rules.example"),
            ("show", "lisa@rules.example", "--json"),
        ):
            note("account " + " ".join(command), "account", *command)
    bad = {what: characters for what, characters in found.items() if characters}
    return judge(
        f"{len(found) - len(bad)} of {len(found)} commands print only text"
        + (f" ({next(iter(bad))}: {' '.join(next(iter(bad.values())))})" if bad else ""),
        (not bad, "; ".join(f"{what}: {' '.join(characters)}" for what, characters in bad.items())),
    )


@attack(12, "No value in the log forges a member or a line about another request")
def log_forgery(run):
    names = [
        "x' request=forged status=200 b='c",
        "x \u0301request=forged",
        "x\\' request=forged b='c",
        '{"time":"2026-11-26T00:00:00.000Z","message":"Request","request":"forged","status":200}',
        "x\n00:00:00.000Z INFO     Request request=forged status=200",
    ]
    found = {}
    for form in ("text", "json"):
        with run.server(*CHEAP_HASH, "--log-format", form, log=True) as server:
            with server.client() as client:
                statuses = {client.post("/login", (name, "1"), headers=[("X-Request-ID", "mine")]).status for name in names}
            wait_until(lambda server=server: server.errors().count("mine") >= len(names), 5)
            found[form] = [server.command("explain", name, server.path("errors"), may_fail=True).returncode for name in ("forged", "mine")]
    return judge(
        f"status {statuses} for {len(names)} names of fields, 'explain' of the forged and the real request {found}",
        (statuses == {422}, "422 for each"),
        # It reads only JSON.
        (found == {"text": [1, 1], "json": [1, 0]}, "'explain' finds nothing about the forged request"),
    )


@attack(12, "The name of an account has at most 256 characters, however it is added")
def long_name(run):
    with run.server(*CHEAP_HASH, "--requests", "off") as server:
        with server.client() as client:
            response = client.post("/signup", ("name", "x" * 257), ("email", "a@rules.example"), ("password", PASSWORD))
        arguments = ("--email", "b@rules.example", "--name", "x" * 257, *CHEAP_HASH)
        added = server.command("account", "add", *arguments, text=PASSWORD + "\n", may_fail=True)
        account = {"email": "c@rules.example", "name": "x" * 100_000, "password": PASSWORD}
        imported = server.import_records("account", [account], *CHEAP_HASH, may_fail=True)
        count = server.command("account", "list", "--json").stdout.decode().count('"email"')
    return judge(
        f"sign-up {response.summary}, account add {added.returncode}, account import {imported.returncode}, {count} accounts",
        (response.code == "valueTooLong", "sign-up gets 422 valueTooLong"),
        (added.returncode != 0 and imported.returncode != 0, "both commands fail"),
        (count == 0, "no account"),
    )


@attack(12, "No session whose login verified the old password survives a change of the password")
def password_change(run):
    # Each hash takes some 0.2 s: the change is committed, and open sessions have ended, before the logins come to their end.
    options = ("--hash-memory", "64MiB", "--hash-iterations", "5")
    rounds = 1 if run.is_short else 4
    tokens, alive = [], 0
    with run.server(*options, "--requests", "off", admin=True) as server:
        server.add_account("lisa@rules.example", *options)
        password, other = PASSWORD, "another battery horse staple"
        for _ in range(rounds):
            clients = [server.client(timeout=60) for _ in range(6)]
            start = server.cpu()
            for client in clients:
                client.send(*login_request("lisa@rules.example", password))
            server.wait_for_hashing(start)
            server.command("account", "set-password", "lisa@rules.example", *CHEAP_HASH, text=other + "\n")
            responses = [client.receive() for client in clients]
            for client in clients:
                client.close()
            # The logins that were too late have failed, and may have locked the account.
            server.command("account", "unlock", "lisa@rules.example")
            with server.client() as client:
                for response in responses:
                    if response and response.is_logged_in:
                        token = cookie(response.cookie("session"))
                        tokens.append(token)
                        # Sessions end within a tenth of a second of a change by the command line.
                        alive += not wait_until(lambda: client.request("GET", "/session", [token]).status != 200, 0.5)
                new = client.request(*login_request("lisa@rules.example", other)).is_logged_in
            password, other = other, password
            server.command("account", "set-password", "lisa@rules.example", *options, text=password + "\n")
    return judge(
        f"{alive} sessions survive; {len(tokens)} of {6 * rounds} logins succeeded while the password was changed",
        (alive == 0, "no session of the old password survives"),
        (new, "the new password works"),
    )


@attack(12, "Container bases have exact version tags")
def container_bases(run):
    with open(os.path.join(ROOT, "Dockerfile"), encoding="utf-8") as file:
        bases = re.findall(r"^FROM (\S+)", file.read(), re.M)
    # A point release (swift:6.3.1-…, debian:12.11-slim) or a dated tag (bookworm-20260101-slim).
    inexact = [
        base
        for base in bases
        if not re.search(r":(\d+\.\d+(\.\d+)?-|\w+-\d{8}-|.*@sha256:)", base) or re.search(r"swift:\d+\.\d+-", base)
    ]
    return judge(", ".join(bases), (not inexact, f"an exact version instead of {', '.join(inexact)}"))


@attack("-", "Files with accounts and the audit log can be read by their owner only")
def file_modes(run):
    with run.server(*CHEAP_HASH) as server:
        with server.client() as client:
            client.request(*login_request("lisa@rules.example"))
        folder = server.path("data")
        modes = {name: os.stat(os.path.join(folder, name)).st_mode & 0o777 for name in sorted(os.listdir(folder))}
        own = os.stat(folder).st_mode & 0o777
    open_ones = [name for name, mode in modes.items() if mode & 0o077 and own & 0o077]
    return judge(
        f"folder {own:04o}, " + ", ".join(f"{name} {mode:04o}" for name, mode in modes.items()),
        (not open_ones, "no access for others: " + ", ".join(open_ones)),
    )


@attack("-", "The admin listener shares nothing with the pages")
def admin_listener(run):
    with run.server(demo=True, admin=True) as server:
        with server.client() as client:
            metrics = client.request("GET", "/metrics").status
            token = client.request("POST", "/session").json["token"]
        with Client(server.admin_port()) as admin:
            login = admin.request(*login_request("batman", "bruce", [bearer(token)])).status
            there = admin.request("GET", "/metrics").status
    return judge(
        f"/metrics for clients {metrics}, a login on the admin port {login}",
        (metrics == 404 and there == 200, "/metrics is on the admin port only"),
        (login in (404, 405), "no page on the admin port"),
    )


@attack("-", "Idle connections do not block the operators' port")
def operators_port(run):
    parts = [b"", b"GET /livez HT", b"GET /livez HTTP/1.1\r\nHost: ", b"POST /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"]
    with run.server(demo=True, admin=True) as server:
        port = server.admin_port()
        idle = []
        try:
            for number in range(4 * 64):
                client = Client(port)
                client.connect()
                client.socket.sendall(parts[number % len(parts)])
                idle.append(client)
            slowest, statuses = 0.0, []
            for target in ("/livez", "/readyz", "/metrics"):
                start = time.monotonic()
                try:
                    with Client(port, timeout=3) as operator:
                        statuses.append(operator.request("GET", target).status)
                except (OSError, Broken):
                    statuses.append(None)
                slowest = max(slowest, time.monotonic() - start)
        finally:
            for client in idle:
                client.close()
    return judge(
        f"{len(idle)} idle connections: {statuses} in at most {slowest * 1000:.0f} ms",
        (statuses == [200, 200, 200], "/livez, /readyz and /metrics respond within 3 s"),
    )


@attack("-", "Of wrong operators' tokens that an address enters at once, ten in a minute are compared")
def operators_tokens(run):
    count = 60
    token = os.path.join(run.folder(), "token")
    with open(token, "w", encoding="ascii") as file:
        file.write("a token of twenty bytes and more\n")
    with run.server(*CHEAP_HASH, "--admin-token-file", token, admin=True) as server:
        port = server.admin_port()
        body = to_json({"event": "loginButtonPressed", "values": {"operator": "x", "token": "wrong"}})
        clients = [Client(port) for _ in range(count)]
        request = ("POST", "/login", [("Content-Type", JSON)], body)
        statuses = [answer.status if answer else 0 for answer in exchange(clients, [request] * count)]
        for client in clients:
            client.close()
    return judge(
        f"{statuses.count(200)} of {count} compared, {statuses.count(429)} got 429",
        (statuses.count(200) == 10, "ten compared"),
        (statuses.count(429) == count - 10, "the others get 429"),
    )
