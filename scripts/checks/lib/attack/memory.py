"""The memory that clients can make the server use."""

import os

from harness import CHEAP_HASH, Broken, bearer, exchange, login_request, on_one_processor
from registry import attack, judge

KIB = 1024
MIB = 1024 * KIB
# A character of four bytes: limits that count characters allow the most bytes with it.
WIDE = "\U0001f600"


def values(length):
    """Events that keep a value of that many characters, on every page."""
    text = WIDE * length
    email = "a@" + "b." * (max(0, length - 4) // 2) + "cc"
    return [
        ("/login", [("username", text[:254]), ("password", "x")]),
        ("/register", [("userID", text)]),
        ("/signup", [("event", "nameChanged"), ("name", text[:256])]),
        ("/signup", [("event", "emailChanged"), ("email", email)]),
        ("/product", [("product", text)]),
        ("/products", [("event", "onSelected"), ("product", text)]),
        ("/email", [("email", email)]),
    ]


def fill(client, token, catalogue):
    """Makes a session as large as a client can, with values, stored responses and history."""
    for length in (16_000, 1024, 250):
        for target, pairs in values(length):
            client.post(target, *pairs, headers=[bearer(token)])
    for number in range(catalogue):
        key = ("Idempotency-Key", f"{number:0255d}")
        client.request("POST", "/products", [bearer(token), key])
    # The history keeps 256 commands, two of each of these events.
    for number in range(7 * catalogue):
        client.post("/register", ("userID", f"{number}"), headers=[bearer(token)])


def import_products(server, count=38, length=200, may_fail=False):
    """A catalogue, so that the products page renders some 13 KiB: more would not fit into a session."""
    products = [
        {"name": f"product {number}", "description": "d" * length, "image": "i" * 100} for number in range(count)
    ]
    return server.import_records("products", products, may_fail=may_fail)


@attack(2, "A session that a client fills keeps at most 64 KiB")
def session_memory(run):
    # Measured: resident memory that 1,000 filled sessions add, divided by their number. The server counts the bytes of a
    # session; the allocator adds up to a third, and the catalogue, connections and buffers are in the figure as well.
    bound = 96 * KIB
    count = 50 if run.is_short else 1000
    with run.server(*CHEAP_HASH, "--requests", "off", "--max-session-size", "64KiB") as server:
        import_products(server)
        with server.client() as client:
            # So that one-time allocations are made before the measurement.
            warm = [client.request("POST", "/session").json["token"] for _ in range(20)]
            for token in warm:
                fill(client, token, 2)
            before = server.memory()
            for _ in range(count):
                fill(client, client.request("POST", "/session").json["token"], 20)
            each = (server.memory() - before) / count
    return judge(f"{each / KIB:.0f} KiB for each of {count} sessions", (each <= bound, f"at most {bound // KIB} KiB"))


@attack(2, "An event that would make a session too large gets 422 sessionFull, and the session stays as it was")
def session_full(run):
    with run.server(*CHEAP_HASH, "--requests", "off", "--max-session-size", "5KiB") as server:
        with server.client() as client:
            token = client.request("POST", "/session").json["token"]
            client.post("/signup", ("event", "nameChanged"), ("name", "Lisa"), headers=[bearer(token)])
            answers = []
            for target, pairs in values(1000) + values(250):
                before = client.request("GET", target, [bearer(token)]).json
                answer = client.post(target, *pairs, headers=[bearer(token)])
                answers.append(answer.code)
                if answer.code == "sessionFull":
                    after = client.request("GET", target, [bearer(token)]).json
                    break
            else:
                before = after = None
            name = client.request("GET", "/signup", [bearer(token)]).json.get("values", {}).get("name")
            works = client.post("/email", ("email", "a@b.example"), headers=[bearer(token)]).status
    full = answers[-1] == "sessionFull"
    return judge(
        f"{answers[-1] or 'no problem'} after {len(answers)} events, the next small event {works}",
        (full, "422 sessionFull with --max-session-size 5KiB"),
        (not full or before == after, "GET shows the same page before and after the event that got sessionFull"),
        (name is not None, "the session keeps its name"),
        (works == 200, "a small event gets 200 afterwards"),
    )


@attack(2, "All sessions together keep at most --max-session-memory", short=False)
def session_total(run):
    # 8 MiB by the server's own count, and as much again for the allocator, connections and buffers.
    bound = 16 * MIB
    with run.server(*CHEAP_HASH, "--requests", "off", "--max-session-memory", "8MiB") as server:
        import_products(server)
        with server.client() as client:
            for _ in range(20):
                fill(client, client.request("POST", "/session").json["token"], 2)
            before = server.memory()
            for _ in range(400):
                fill(client, client.request("POST", "/session").json["token"], 20)
            growth = server.memory() - before
            last = client.request("POST", "/session").json.get("token")
            works = client.post("/email", ("email", "a@b.example"), headers=[bearer(last)]).status
    return judge(
        f"{growth / MIB:.0f} MiB for 400 filled sessions, a new session {works}",
        (growth <= bound, f"at most {bound // MIB} MiB with --max-session-memory 8MiB"),
        (works == 200, "a new session is served"),
    )


@attack(2, "A catalogue that no session could show is rejected when it is imported")
def catalogue_size(run):
    with run.server(*CHEAP_HASH, "--max-session-size", "64KiB") as server:
        done = import_products(server, count=400, length=400, may_fail=True)
        with server.client() as client:
            status = client.request("POST", "/products").summary
    first = (done.stderr.decode().strip().splitlines() or ["no message"])[0][:60]
    return judge(
        f"status {done.returncode} ({first}), /products {status}",
        (done.returncode != 0, "`understudy products import` fails for a catalogue of 200 KiB"),
        (status.startswith("200"), "/products still gets 200"),
    )


@attack(8, "Empty sessions evict neither a logged-in session nor a used one")
def eviction(run):
    with run.server("--max-sessions", "200", "--requests", "off", demo=True) as server, server.client() as client:
        token = client.request("POST", "/session").json["token"]
        user = client.post("/login", ("username", "batman"), ("password", "bruce"), headers=[bearer(token)]).json[
            "token"
        ]
        used = client.request("POST", "/session").json["token"]
        client.post("/email", ("email", "a@b.example"), headers=[bearer(used)])
        for _ in range(300):
            client.request("POST", "/session")
        logged_in = client.request("GET", "/session", [bearer(user)]).summary
        form = client.request("GET", "/email", [bearer(used)])
    kept = form.status == 200 and form.json.get("values", {}).get("email") == "a@b.example"
    return judge(
        f"logged in {logged_in}, used {'kept' if kept else 'ended'} ({form.summary}) after 300 empty ones of 200",
        (logged_in == "200", "the logged-in session is there"),
        (kept, "the session with a filled form is there"),
    )


@attack(8, "One address has at most --sessions-per-address anonymous sessions, and takes none from others")
def sessions_per_address(run):
    with run.server(
        "--trusted-proxies",
        "127.0.0.1",
        "--requests",
        "off",
        "--sessions-per-address",
        "10",
        demo=True,
        admin=True,
    ) as server:
        with server.client(address="198.51.100.7") as other:
            victim = other.request("POST", "/session").json["token"]
            with server.client(address="203.0.113.9") as attacker:
                tokens = [attacker.request("POST", "/session").json["token"] for _ in range(40)]
                first = attacker.request("GET", "/login", [bearer(tokens[0])]).summary
                last = attacker.request("GET", "/login", [bearer(tokens[-1])]).summary
            with server.client() as client:
                for number in range(40):
                    client.request("POST", "/session", [("X-Forwarded-For", f"2001:db8:1:2::{number:x}")])
            alive = other.request("GET", "/login", [bearer(victim)]).summary
        count = server.metric("understudy_sessions")
    return judge(
        f"{count:.0f} sessions after 81, the oldest {first}, the newest {last}, another address's {alive}",
        (count <= 21, "at most 10 for each of two addresses (IPv6: per /64) and 1 of the third: 21"),
        (first.startswith("401"), "the oldest session of the address gets 401"),
        (last == "200", "the newest session of the address gets 200"),
        (alive == "200", "the other address's session gets 200"),
    )


@attack(8, "The logins of one account end its own sessions before those of others")
def sessions_per_account(run):
    with run.server(
        *CHEAP_HASH, "--trusted-proxies", "127.0.0.1", "--requests", "off", "--max-sessions", "100"
    ) as server:
        server.add_account()
        with server.client(address="198.51.100.7") as other, server.client(address="203.0.113.9") as attacker:
            empty = other.request("POST", "/session").json["token"]
            used = other.request("POST", "/session").json["token"]
            other.post("/email", ("email", "a@b.example"), headers=[bearer(used)])
            logged_in = 0
            for _ in range(110):
                token = attacker.request("POST", "/session").json["token"]
                logged_in += attacker.request(*login_request("lisa@rules.example", headers=[bearer(token)])).is_logged_in
            states = [other.request("GET", "/email", [bearer(token)]).summary for token in (empty, used)]
    return judge(
        f"after {logged_in} logins of one account with --max-sessions 100, an empty session of another address "
        f"{states[0]}, a used one {states[1]}",
        (logged_in == 110, "all logins succeed"),
        (states == ["200", "200"], "both sessions of the other address are there"),
    )


@attack(2, "Connections that send nothing cost a bounded amount of memory", short=False)
def idle_connections(run):
    # docs/install.md: 12 KiB for each connection; twice that for the allocator.
    with run.server("--requests", "off", demo=True) as server:
        clients = [server.client() for _ in range(500)]
        for client in clients[:50]:
            client.send_raw(b"POST /login HTTP/1.1\r\nHost: ")
        before = server.memory()
        for client in clients[50:]:
            client.send_raw(b"POST /login HTTP/1.1\r\nHost: " + os.urandom(512).hex().encode())
        exchange([server.client()], [login_request("batman", "bruce")])
        each = (server.memory() - before) / 450
        for client in clients:
            client.close()
    return judge(f"{each / KIB:.0f} KiB for each of 450 connections", (each <= 24 * KIB, "at most 24 KiB"))


@attack(2, "Clients that do not receive a large response cost a bounded amount of memory", short=False)
def slow_readers(run):
    # A part of 32 KiB, and what a connection takes.
    with run.server("--requests", "off", demo=True) as server:
        size = len(server.client().request("GET", "/openapi.json").body)
        clients = [server.client() for _ in range(100)]
        before = server.memory()
        for client in clients:
            client.send_raw(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2)
        exchange([server.client()], [login_request("batman", "bruce")])
        each = (server.memory() - before) / len(clients)
        for client in clients:
            client.close()
    return judge(
        f"{each / KIB:.0f} KiB for each of {len(clients)} clients of {size / KIB:.0f} KiB",
        (each <= 80 * KIB, "at most 80 KiB"),
    )


def repeat(server, request, count, batch=50):
    """Sends a request so many times on one connection, without waiting for each response. Returns how many were responded to."""
    responses = 0
    with server.client(timeout=60) as client:
        client.connect()
        try:
            for _ in range(count // batch):
                client.send_raw(request * batch)
                received = b""
                while received.count(b"HTTP/1.1 ") < batch:
                    data = client.socket.recv(262_144)
                    if not data:
                        return responses
                    # The part of a status line at the end belongs to the next bytes, and bodies are of no interest.
                    received += data
                responses += batch
        except OSError:
            pass
    return responses


@attack(1, "The 200,000th request to /livez costs as much as the first, and the server survives it")
def repeated_livez(run):
    request = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"

    def cost(server):
        """Microseconds of processor time for each of 2,000 requests."""
        before = server.cpu()
        if repeat(server, request, 2000) < 2000:
            raise Broken("the server does not respond")
        return (server.cpu() - before) / 2000 * 1e6

    with run.server(demo=True) as used, run.server(demo=True) as fresh, on_one_processor(used, fresh):
        for _ in range(100):
            cost(used)
        cost(fresh)
        # In turn, so that a machine whose speed changes slows both.
        pairs = [(cost(fresh), cost(used)) for _ in range(10)]
    first, last = (min(costs) for costs in zip(*pairs))
    return judge(
        f"{first:.1f} µs in a new server, {last:.1f} µs after 200,000 requests",
        (last <= 1.2 * first, "at most 1.2 times as much"),
    )


@attack(2, "Requests for static files leave no memory behind, with and without a new copy, and count for the limit of requests")
def repeated_files(run):
    whole = b"GET /understudy.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    unchanged = whole.replace(b"\r\n\r\n", b"\r\nIf-None-Match: *\r\n\r\n")
    with run.server("--requests", "off", demo=True) as server:
        for request in (whole, unchanged):
            repeat(server, request, 2000)
        before = server.memory("RssAnon")
        for request in (whole, unchanged):
            repeat(server, request, 20_000)
        each = (server.memory("RssAnon") - before) / 40_000
    with run.server("--requests", "5/1h", "--limit-loopback", demo=True) as server, server.client() as client:
        statuses = [client.request("GET", "/understudy.js").status for _ in range(7)]
    return judge(
        f"{each:.1f} bytes each, then {statuses}",
        (each < 8, "less than 8 bytes for each"),
        (statuses == [200] * 5 + [429] * 2, "429 from the sixth on"),
    )
