"""Bytes that are not quite HTTP."""

import os
import random
import re
import shutil
import subprocess
import time

from harness import CHEAP_HASH, FORM, JSON, Broken, Client, bearer, form, login_request, wait_until
from registry import attack, judge

POST = b"POST /register HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
BODY = b"userID=012345678912"


def blocks(data):
    """The statuses of the header blocks in the bytes."""
    return [part.split(b" ", 2)[1].decode() for part in data.split(b"\r\n") if part.startswith(b"HTTP/1.")]


def raw(server, data, seconds=2.0):
    """The statuses that the bytes get, whether the server closes the connection, and after how long."""
    with server.client() as client:
        start = time.monotonic()
        client.send_raw(data)
        got, is_closed = client.until_closed(seconds)
        return blocks(got), is_closed, time.monotonic() - start, got


@attack(14, "White space behind Content-Length is accepted or rejected, with one response")
def length_with_space(run):
    with run.server(demo=True) as server:
        request = POST + b"Content-Length: 19 \r\nConnection: close\r\n\r\n" + BODY
        statuses, _, _, _ = raw(server, request)
    return judge(
        f"{' and '.join(statuses) or 'no response'}",
        (len(statuses) == 1, "one header block"),
        # RFC 9110 allows the white space, but libmicrohttpd 0.9 rejects it before any other code can see it.
        (statuses[:1] in (["200"], ["400"]), "200 or 400"),
    )


@attack(14, "A chunk size that no body can have gets a response at once, or keeps its own connection until body-timeout")
def chunk_size(run):
    with run.server("--body-timeout", "2s", demo=True) as server:
        results = []
        for size in (b"ffffffffffffffff", b"8000000000000000", b"fffffffffffffffff", b"7fffffffffffffff"):
            request = POST + b"Transfer-Encoding: chunked\r\n\r\n" + size + b"\r\nuserID=0"
            statuses, is_closed, seconds, _ = raw(server, request, 5)
            # libmicrohttpd 1.0 does not pass on the line of a chunk, so that the server counts the bytes that arrive.
            is_rejected = len(statuses) == 1 and statuses[0][0] == "4" and seconds < 1
            if not is_rejected and not (run.is_strict and is_closed and not statuses):
                results.append(f"{size.decode()}: {statuses} after {seconds:.1f} s")
    return judge(
        f"{4 - len(results)} of 4 rejected or cut" + (f" (not {results[0]})" if results else ""),
        (not results, "400 or 413 within 1 s for each, or with libmicrohttpd 1.0 a cut within 5 s: " + ", ".join(results)),
    )


@attack(14, "A chunk extension that is not a token is rejected")
def chunk_extension(run):
    bad = [
        b"13;",
        b"13; ",
        b"13;=x",
        b"13;a=",
        b"13;a b",
        b'13;a="x',
        b"13;a=b;",
        b"13;\x01=x",
        b"13;a\r=x",
        b"13 x",
        b"13;;a",
    ]
    good = [b"13", b"13;a", b"13;a=b", b'13;a="b c"', b"13;a=b;c=d"]
    wrong = []
    with run.server(demo=True) as server:
        for line in bad + good:
            request = POST + b"Transfer-Encoding: chunked\r\n\r\n" + line + b"\r\n" + BODY + b"\r\n0\r\n\r\n"
            statuses = raw(server, request)[0]
            # libmicrohttpd 1.0.1 misreads extensions, so that the server rejects them.
            accepted = ["400"] if run.is_strict and b";" in line else ["200"]
            if line in good and statuses != accepted or line in bad and (len(statuses) != 1 or statuses[0][0] != "4"):
                wrong.append(f"'{line.decode()}' {'+'.join(statuses) or 'no response'}")
    count = len(bad) + len(good)
    return judge(
        f"{count - len(wrong)} of {count} extensions as RFC 9112 has them" + (f" (not {wrong[0]})" if wrong else ""),
        (not wrong, "400 for: a bare ';', names and values that are not tokens; 200 otherwise: " + ", ".join(wrong)),
    )


@attack(14, "An empty Host with an origin-form target gets 400")
def empty_host(run):
    with run.server(demo=True) as server:
        results = [
            raw(server, b"GET /login HTTP/1.1\r\nHost:" + value + b"\r\nConnection: close\r\n\r\n")[0]
            for value in (b"", b" ", b"   ")
        ]
        absent = raw(server, b"GET /login HTTP/1.1\r\nConnection: close\r\n\r\n")[0]
    return judge(
        f"empty {results[0]}, absent {absent}",
        (all(result == ["400"] for result in results), "400 for each empty Host"),
        (absent == ["400"], "400 without Host"),
    )


@attack(12, "A request that consists of a query, with a value or without, and no header field stops no server")
def query_only(run):
    with run.server(demo=True) as server:
        for size in range(1000, 10_000, 125):
            for end, rest in ((b"", b""), (b"", b"Z" * 8), (b"=c", b"Z" * 8)):
                raw(server, b"GET /a?" + b"b" * size + end + b" HTTP/1.0\r\n\r\n" + rest, 1)
        status, _, _, _ = raw(server, b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    return judge(f"/livez {status}", (status == ["200"], "the server still responds"))


@attack(12, "A request that libmicrohttpd itself rejects gets a log line, and one with a wrong length gets one whole response")
def library_rejections(run):
    requests = {
        "long header": b"GET /login HTTP/1.1\r\nHost: localhost\r\nA: " + b"a" * 60_000 + b"\r\n\r\n",
        "many headers": b"GET /login HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 3_000 + b"\r\n",
        "long target": b"GET /" + b"a" * 60_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "many parameters": b"GET /a?" + b"&".join(b"a%d=1" % n for n in range(800)) + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        "length": POST + b"Content-Length: 5x\r\n\r\n" + BODY,
        "long length": POST + b"Content-Length: 99999999999999999999999\r\n\r\n" + BODY,
        "chunk size": POST + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "request line": b"GET\r\n\r\n",
        "version": b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    }
    wrong = []
    with run.server(demo=True, log=True) as server:
        for name, request in requests.items():
            lines = server.errors().count("\n")
            statuses, _, _, got = raw(server, request, 3)
            head = got.partition(b"\r\n\r\n")[0].lower()
            lacks = []
            # libmicrohttpd sends its other responses before any other code can change them.
            if "length" in name:
                if len(statuses) != 1:
                    lacks.append(f"one response instead of {len(statuses)}")
                lacks += [what for what in ("x-request-id", "nosniff", "no-store") if what.encode() not in head]
            if statuses and not wait_until(lambda: server.errors().count("\n") > lines, 1):
                lacks.append("a log line")
            if lacks:
                wrong.append(f"{name} ({'+'.join(statuses) or 'closed'}) lacks {' and '.join(lacks)}")
    return judge(
        f"{len(requests) - len(wrong)} of {len(requests)} complete" + (f" ({wrong[0]})" if wrong else ""),
        (not wrong, "one log line, and for a wrong length one response with X-Request-ID and nosniff: " + "; ".join(wrong)),
    )


@attack(12, "A page of another site cannot reach a server on loopback by DNS rebinding")
def dns_rebinding(run):
    wrong = []

    def expect(port, what, host, status, headers=()):
        with Client(port) as client:
            response = client.request("GET", "/livez", [("Host", host), *headers])
        is_right = (
            response.status == 421 and response.code == "misdirectedRequest"
            if status == 421
            else response.status == 200
        )
        if not is_right:
            wrong.append(f"{what} {host}: {response.summary}")

    good = ("localhost", "localhost:8080", "LOCALHOST", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:80", "192.0.2.1")
    bad = ("evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "a", "xlocalhost")
    with run.server("--public-url", "https://service.example", demo=True, admin=True) as server:
        admin = server.admin_port()
        for port, what in ((server.port, "pages"), (admin, "operators")):
            for host in good:
                expect(port, what, host, 200)
            for host in bad:
                expect(port, what, host, 421)
        expect(server.port, "public URL", "service.example", 200)
    with run.server("--trusted-proxies", "127.0.0.1", demo=True) as server:
        expect(server.port, "trusted proxy", "evil.example", 200, [("X-Forwarded-For", "203.0.113.1")])
    with run.server("--allowed-hosts", "app.example,other.example", demo=True) as server:
        expect(server.port, "--allowed-hosts", "app.example", 200)
        expect(server.port, "--allowed-hosts", "third.example", 421)
    with run.server("--host", "0.0.0.0", demo=True) as server:
        expect(server.port, "public listener", "anything.example", 200)
    with run.server("--host", "0.0.0.0", "--allowed-hosts", "app.example", demo=True) as server:
        expect(server.port, "public listener with --allowed-hosts", "app.example", 200)
        expect(server.port, "public listener with --allowed-hosts", "evil.example", 421)
    return judge(
        f"{34 - len(wrong)} of 34 hosts as promised" + (f" ({wrong[0]})" if wrong else ""),
        (not wrong, "421 misdirectedRequest for other hosts, 200 for its own: " + ", ".join(wrong)),
    )


@attack(12, "What clients send after they were refused is discarded cheaply")
def refused_bytes(run):
    # 16 MiB, of which each connection sends a part that the server reads to its end. In large pieces they take some 5 to
    # 15 ms; 32 bytes a call took more than 100.
    bound = 0.040
    times = 1 if run.is_short else 4
    with run.server("--connections-per-address", "off", demo=True) as server:
        before, sockets = server.cpu(), server.open_sockets()
        for _ in range(times):
            clients = [server.client(timeout=5) for _ in range(64)]
            for client in clients:
                client.send_raw(POST + b"Content-Length: 4000000000\r\n\r\n")
                client.fill()
            for client in clients:
                try:
                    client.send_raw(b"x" * 2**18)
                except OSError:
                    pass
            # The server reads from a rejected client for two seconds, and then closes the connection.
            if not wait_until(lambda: server.open_sockets() <= sockets, 10):
                raise Broken("the server does not close the connections of rejected clients")
            for client in clients:
                client.close()
        each = (server.cpu() - before) / times
    return judge(
        f"{each * 1000:.0f} ms of CPU for 16 MiB on 64 connections",
        (each <= bound, f"at most {bound * 1000:.0f} ms"),
    )


SMUGGLING = {
    "length and chunked": b"Content-Length: 19\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunked and length": b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "two lengths": b"Content-Length: 0\r\nContent-Length: 40\r\n\r\n",
    "two equal lengths": b"Content-Length: 0\r\nContent-Length: 0\r\n\r\n",
    "a list of lengths": b"Content-Length: 0, 40\r\n\r\n",
    "plus": b"Content-Length: +0\r\n\r\n",
    "minus": b"Content-Length: -0\r\n\r\n",
    "hexadecimal": b"Content-Length: 0x0\r\n\r\n",
    "a point": b"Content-Length: 0.0\r\n\r\n",
    "space before the colon": b"Content-Length : 0\r\n\r\n",
    "space before the colon of a coding": b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "identity": b"Transfer-Encoding: identity\r\n\r\n",
    "two codings": b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "chunked twice": b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "two headers of codings": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "an unknown coding": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "a vertical tab": b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "a coding in quotes": b'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n',
    "a folded header": b"A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
    "a folded coding": b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "bare LF": b"A: b\nContent-Length: 0\r\n\r\n",
    "bare LF at the end": b"Content-Length: 0\n\n",
    "bare CR": b"A: b\rContent-Length: 40\r\nContent-Length: 0\r\n\r\n",
    "NUL": b"A: b\x00c\r\nContent-Length: 0\r\n\r\n",
    "a line that starts with NUL": b"A: b\r\n\x00\r\nContent-Length: 0\r\n\r\n",
    "no name": b": b\r\nContent-Length: 0\r\n\r\n",
    "no colon": b"Content-Length\r\n\r\n",
    "two hosts": b"Host: other\r\nContent-Length: 0\r\n\r\n",
    "LF in a chunk size": b"Transfer-Encoding: chunked\r\n\r\n5\nabcde\r\n0\r\n\r\n",
    "signed chunk": b"Transfer-Encoding: chunked\r\n\r\n+5\r\nabcde\r\n0\r\n\r\n",
    "0x chunk": b"Transfer-Encoding: chunked\r\n\r\n0x5\r\nabcde\r\n0\r\n\r\n",
    "chunk without its end": b"Transfer-Encoding: chunked\r\n\r\n5\r\nabcdefg\r\n0\r\n\r\n",
}


@attack("-", "A request whose end is unclear is rejected, and nothing behind it is a request")
def smuggling(run):
    hidden = b"GET /livez?hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"
    wrong = []
    with run.server(demo=True, log=True) as server:
        for name, rest in SMUGGLING.items():
            statuses, is_closed, _, _ = raw(server, POST + rest + hidden, 1)
            # libmicrohttpd 0.9 may send a 400 twice; `length-with-space` and `library-rejections` judge that.
            if not statuses or any(status[0] == "2" for status in statuses) or not is_closed:
                wrong.append(f"{name}: {'+'.join(statuses) or 'no response'}{'' if is_closed else ', left open'}")
        # HTTP/1.0 has no chunks.
        old = POST.replace(b"HTTP/1.1", b"HTTP/1.0") + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        statuses, is_closed, _, _ = raw(server, old + hidden, 1)
        if len(statuses) != 1 or not is_closed:
            wrong.append(f"HTTP/1.0: {statuses}")
        # A chunked request ends its connection.
        chunked = POST + b"Transfer-Encoding: chunked\r\n\r\n13\r\n" + BODY + b"\r\n0\r\n\r\n"
        statuses, is_closed, _, _ = raw(server, chunked + hidden, 1)
        if statuses != ["200"] or not is_closed:
            wrong.append(f"behind chunks: {statuses}")
    count = len(SMUGGLING) + 2
    return judge(
        f"{count - len(wrong)} of {count} variants are rejected, and the connection is closed"
        + (f" (not {wrong[0]})" if wrong else ""),
        (not wrong, "; ".join(wrong)),
    )


@attack("-", "Nothing that a client sends becomes a header of a response")
def header_injection(run):
    evil = "a%0d%0aInjected: 1"
    wrong = []
    with run.server("--allowed-origins", "https://app.example", demo=True) as server, server.client() as client:
        requests = [
            ("GET", f"/{evil.replace(' ', '%20')}", []),
            ("GET", "/problems/a%0d%0aInjected:%201", []),
            ("GET", "/login", [("X-Request-ID", "a%0d%0aInjected: 1")]),
            ("GET", "/login", [("X-Request-ID", "x" * 65)]),
            ("GET", "/login", [("Origin", "https://app.example%0d%0aInjected: 1")]),
            (
                "OPTIONS",
                "/login",
                [("Origin", "https://app.example.evil.example"), ("Access-Control-Request-Method", "POST")],
            ),
        ]
        for method, target, headers in requests:
            response = client.request(method, target, headers)
            names = {name.lower() for name, _ in response.headers}
            given = response.header("X-Request-ID") or ""
            if (
                "injected" in names
                or "%0" in given
                or len(given) > 64
                or (response.header("Access-Control-Allow-Origin") or "*") != "*"
                and "evil" in response.header("Access-Control-Allow-Origin")
            ):
                wrong.append(f"{method} {target} {headers}")
        text = "\r\nInjected: 1\r\n\r\n<script>"
        for page, names in (("login", ["username", "password"]), ("product", ["product"]), ("register", ["userID"])):
            response = client.post(f"/{page}", *((name, text) for name in names), headers=[("Idempotency-Key", "a")])
            if any(name.lower() == "injected" for name, _ in response.headers) or "json" not in (
                response.header("Content-Type") or ""
            ):
                wrong.append(page)
        split = raw(server, b"GET /login HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: a\rInjected: 1\r\n\r\n", 1)
        if split[0] != ["400"]:
            wrong.append(f"CR in a value: {split[0]}")
    return judge(f"{10 - len(wrong)} of 10 without a trace", (not wrong, "; ".join(map(str, wrong))))


@attack("-", "Path tricks reach no other page")
def path_tricks(run):
    tricks = [
        "//login",
        "/login/",
        "/LOGIN",
        "/./login",
        "/x/../login",
        "/%256cogin",
        "/login%00",
        "/login%00.html",
        "/login%2f",
        "/..%2flogin",
        "/%2e%2e/login",
        "/%2e%2e%2f%2e%2e%2fetc/passwd",
        "/../../etc/passwd",
        "/login;a=b",
        "/login%20",
        "/\\login",
        "/problems/..%2f..%2fetc%2fpasswd",
        "/problems/%2e%2e",
        "/session/../login",
        "/metrics",
        "/.git/config",
        "/understudy.sqlite",
    ]
    wrong = []
    with run.server(demo=True) as server, server.client() as client:
        for target in tricks:
            response = client.request("GET", target)
            if response.status not in (400, 404) or b"root:" in response.body:
                wrong.append(f"{target}: {response.summary}")
        for line in (
            b"GET http://evil.example/login HTTP/1.1",
            b"GET * HTTP/1.1",
            b"CONNECT a:1 HTTP/1.1",
            b"TRACE /login HTTP/1.1",
        ):
            statuses = raw(server, line + b"\r\nHost: localhost\r\nCookie: session=x\r\nConnection: close\r\n\r\n", 1)[
                0
            ]
            # An absolute-form target is a valid one, and its own host counts.
            allowed = ("200", "4") if b"http:" in line else ("4", "5")
            if len(statuses) != 1 or not statuses[0].startswith(allowed):
                wrong.append(f"{line.decode()}: {statuses}")
    count = len(tricks) + 4
    return judge(f"{count - len(wrong)} of {count} rejected", (not wrong, "; ".join(wrong)))


@attack("-", "A page of another site changes nothing")
def cross_site(run):
    cases = [
        ([("Sec-Fetch-Site", "cross-site")], 403),
        ([("Sec-Fetch-Site", "same-site")], 403),
        ([("Origin", "https://evil.example")], 403),
        ([("Origin", "null")], 403),
        ([("Sec-Fetch-Site", "same-origin")], 200),
        ([("Sec-Fetch-Site", "none")], 200),
        ([], 200),
    ]
    wrong = []
    with run.server("--requests", "off", demo=True) as server, server.client() as client:
        for headers, status in cases:
            for method, target in (("POST", "/register"), ("POST", "/session"), ("DELETE", "/session")):
                body = form(("userID", "012345678912")) if target == "/register" else b""
                typed = [("Content-Type", FORM)] if body else []
                response = client.request(method, target, [*typed, *headers], body)
                if (response.status == 403) != (status == 403):
                    wrong.append(f"{method} {target} {headers}: {response.summary}")
        text = client.request(
            "POST", "/register", [("Content-Type", "text/plain"), ("Sec-Fetch-Site", "none")], b'{"userID":"1"}'
        )
        if text.status != 415:
            wrong.append(f"text/plain: {text.summary}")
    count = 3 * len(cases) + 1
    return judge(f"{count - len(wrong)} of {count} as promised", (not wrong, "; ".join(wrong)))


@attack("-", "A page for a browser links only to this service, whatever path a request names")
def foreign_links(run):
    targets = ["//evil.example/login", "/\\evil.example/login", "///evil.example", "/%2fevil.example", "/.//evil.example", "/login//evil.example"]
    wrong, links = [], 0
    with run.server("--requests", "off", demo=True) as server, server.client() as client:
        for target in targets:
            for method in ("GET", "POST", "DELETE"):
                for site in ("cross-site", "same-origin"):
                    headers = [("Accept", "text/html"), ("Sec-Fetch-Site", site)]
                    typed = [("Content-Type", FORM)] if method == "POST" else []
                    response = client.request(method, target, [*typed, *headers], form(("userID", "1")) if typed else b"")
                    found = re.findall(r'(?:href|src|action)="([^"]*)"', response.body.decode())
                    found += response.all("Location")
                    links += len(found)
                    wrong += [f"{method} {target}: {link}" for link in found if not re.fullmatch(r"/(?![/\\]).*|#.*|data:,", link)]
    return judge(f"{links - len(wrong)} of {links} links stay", (not wrong, "; ".join(wrong)), (links > 100, f"only {links} links"))


@attack("-", "Values reach the database as values only")
def sql_injection(run):
    payloads = [
        "' OR '1'='1",
        "' OR 1=1 --",
        '" OR ""="',
        "'; DROP TABLE account; --",
        "') UNION SELECT * FROM sqlite_master --",
        "lisa@rules.example' --",
        "%' ESCAPE '",
        "*",
        "\\' OR 1=1",
        "1; ATTACH DATABASE 'x' AS y",
        "\u02bc OR 1=1",
        "lisa@rules.example\x00",
        "' || (SELECT passwordHash FROM account) || '",
    ]
    wrong = []
    with run.server(*CHEAP_HASH, "--requests", "off", "--signups", "1000/1m", "--failed-logins", "1000/1m") as server:
        server.add_account("lisa@rules.example")
        with server.client() as client:
            token = bearer(client.request("POST", "/session").json["token"])
            for text in payloads:
                fields = {
                    "/login": ["username", "password"],
                    "/signup": ["name", "email", "password"],
                    "/register": ["userID"],
                    "/email": ["email"],
                    "/product": ["product"],
                }
                for target, names in fields.items():
                    response = client.post(target, *((name, text) for name in names), headers=[token])
                    if response.status not in (200, 422) or response.is_logged_in:
                        wrong.append(f"{target} {text!r}: {response.summary}")
                for pairs in (
                    [("username", "lisa@rules.example"), ("password", text)],
                    [("username", text), ("password", "x" * 20)],
                ):
                    if client.post("/login", *pairs).is_logged_in:
                        wrong.append(f"logged in with {text!r}")
                for response in (
                    client.post("/products", ("event", "onSelected"), ("product", text), headers=[token]),
                    client.request(
                        "GET", "/session", [("Cookie", "session=" + text.replace("\x00", "").replace("\u02bc", "'"))]
                    ),
                ):
                    if response.status >= 500:
                        wrong.append(f"{text!r}: {response.summary}")
        accounts = server.command("account", "list", "--json").stdout.decode().count('"email"')
    return judge(
        f"{accounts} account left of 1, {len(payloads)} texts in every field" + (f" ({wrong[0]})" if wrong else ""),
        (not wrong, "; ".join(wrong[:3])),
        (accounts == 1, "one account"),
    )


@attack("-", "Random bytes and JSON do not end the server")
def garbage(run):
    numbers = random.Random(7)
    count = 300 if run.is_short else 3000
    with run.server("--requests", "off", demo=True) as server:
        for index in range(count):
            with server.client(timeout=2) as client:
                data = numbers.randbytes(numbers.randrange(1, 600))
                if index % 3 == 0:
                    data = b"POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(data) + data
                elif index % 3 == 1:
                    data = (
                        b"POST /login HTTP/1.1\r\nHost: a\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                        % (JSON.encode(), len(data))
                        + data
                    )
                try:
                    client.send_raw(data)
                except OSError:
                    pass
        with server.client() as client:
            status = client.request(*login_request("batman", "bruce")).summary
        is_alive = server.is_alive()
    return judge(f"{count} requests, then a login {status}", (is_alive and status == "200", "the server serves on"))


@attack("-", "A header of which the server reads one value gets 400 if it is there twice")
def repeated_headers(run):
    names = ["Content-Type", "Authorization", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest", "Sec-Fetch-User",
             "Idempotency-Key", "Device-Token", "Session-User", "Last-Event-ID"]
    accepted = []
    with run.server("--requests", "off", demo=True) as server:
        for name in names:
            value = {"Content-Type": FORM, "Origin": "http://localhost"}.get(name, "a")
            with server.client() as client:
                answer = client.request("POST", "/register", [(name, value), ("X", "b"), (name.lower(), value)], BODY)
                if answer.status != 400:
                    accepted.append(f"{name} {answer.summary}")
    return judge(f"accepted of {len(names)}: {', '.join(accepted) or 'none'}", (not accepted, "400 for each of them"))


@attack("-", "TLS: versions before 1.2, ciphers without forward secrecy and plain text are rejected")
def tls(run):
    openssl = shutil.which("openssl")
    if not openssl:
        return judge("openssl is not installed", (False, "install openssl"))
    folder = run.folder()
    key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "certificate.pem")
    subprocess.run(
        [
            openssl,
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-keyout",
            key,
            "-out",
            certificate,
        ],
        check=True,
        capture_output=True,
    )
    wrong = []

    def handshake(*options):
        done = subprocess.run(
            [openssl, "s_client", "-connect", f"127.0.0.1:{server.port}", "-CAfile", certificate, *options],
            input=b"",
            capture_output=True,
            timeout=20,
        )
        text = done.stdout.decode(errors="replace")
        return "Cipher is (NONE)" not in text and "Cipher    : 0000" not in text and "New," in text

    with run.server("--tls-certificate", certificate, "--tls-key", key, demo=True) as server:
        for options in (["-tls1_3"], ["-tls1_2"]):
            if not handshake(*options):
                wrong.append(f"{options[0]} does not work")
        for options in (
            ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"],
            ["-tls1", "-cipher", "ALL:@SECLEVEL=0"],
            ["-tls1_2", "-cipher", "AES128-GCM-SHA256:AES256-SHA:@SECLEVEL=0"],
            ["-tls1_2", "-cipher", "aNULL:eNULL:@SECLEVEL=0"],
            ["-tls1_2", "-cipher", "3DES:RC4:@SECLEVEL=0"],
        ):
            if handshake(*options):
                wrong.append(f"{' '.join(options)} works")
        if raw(server, b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n", 1)[0] == ["200"]:
            wrong.append("plain text works")
    return judge(f"{8 - len(wrong)} of 8 as promised", (not wrong, "; ".join(wrong)))
