"""Tokens that are no longer valid, and requests that wait while their session changes."""

import sqlite3

from harness import CHEAP_HASH, FORM, PASSWORD, bearer, cookie, form, login_request
from registry import attack, judge

LISA = "lisa@rules.example"
# Hashing takes some 0.2 s, so that requests certainly arrive meanwhile.
SLOW_HASH = ("--hash-memory", "64MiB", "--hash-iterations", "5")


def while_hashing(server, credential, others, password=PASSWORD):
    """Sends a login, and while its password is hashed the other requests with the same credential, in order."""
    clients = [server.client() for _ in range(len(others) + 1)]
    requests = [login_request(LISA, password, [credential]), *others]
    start = server.cpu()
    clients[0].send(*requests[0])
    server.wait_for_hashing(start)
    with server.client() as other:
        for client, request in zip(clients[1:], others):
            client.send(*request)
            # A response on another connection shows that the only event loop has read the request.
            other.request("GET", "/livez")
    responses = [client.receive() for client in clients]
    for client in clients:
        client.close()
    return responses


def stale(run, with_cookie):
    with run.server(*SLOW_HASH, "--requests", "off") as server:
        server.add_account(LISA, *SLOW_HASH)
        with server.client() as client:
            if with_cookie:
                old = cookie(client.post("/email", ("email", "a@b.example")).cookie("session"))
            else:
                old = bearer(client.request("POST", "/session").json["token"])
                client.post("/email", ("email", "a@b.example"), headers=[old])
            typed = [("Content-Type", FORM), old]
            others = [
                ("GET", "/session", [old], b""),
                ("POST", "/email", typed, form(("email", "attacker@evil.example"))),
                ("POST", "/email", typed, form(("event", "saveButtonPressed"))),
                ("POST", "/register", typed, form(("userID", "999999999999"))),
                ("DELETE", "/session", [old], b""),
            ]
            login, *responses = while_hashing(server, old, others)
            new = cookie(login.cookie("session")) if with_cookie else bearer(login.json.get("token"))
            still = client.request("GET", "/session", [new]).summary
            later = client.post("/email", ("email", "attacker@evil.example"), headers=[old])
        shown = server.command("account", "show", LISA, "--json").stdout.decode()
    # GET /session does not wait for the session: before the login ends, it may report that no user is logged in.
    waited = responses[1:]
    statuses = " ".join(response.summary.split()[0] if response else "-" for response in responses)
    cookies = [value for response in [*waited, later] if response for value in response.all("Set-Cookie")]
    return judge(
        f"login {login.summary}, meanwhile {statuses}, afterwards {later.summary}, {len(cookies)} Set-Cookie",
        (login.status == 200 and login.is_logged_in, "the login itself succeeds"),
        (responses[0].status == 401, "GET /session with the old ID never shows the user"),
        (all(response and response.status == 401 for response in waited), "each request that waited gets 401"),
        (later.status == 401, "a request with the replaced ID gets 401 for a minute"),
        (not cookies, "no Set-Cookie in any of them: " + ", ".join(cookies)[:80]),
        (still == "200", "the new ID works"),
        ("evil" not in shown and "999999999999" not in shown, "the account is unchanged"),
    )


@attack(3, "Requests that wait while a login replaces their token get 401, and nothing runs")
def stale_token(run):
    return stale(run, with_cookie=False)


@attack(3, "Requests that wait while a login replaces their cookie get 401 without Set-Cookie, and nothing runs")
def stale_cookie(run):
    return stale(run, with_cookie=True)


@attack(3, "Requests that wait behind DELETE /session get 401")
def ended_session(run):
    with run.server(*SLOW_HASH, "--requests", "off") as server:
        server.add_account(LISA, *SLOW_HASH)
        with server.client() as client:
            old = bearer(client.request("POST", "/session").json["token"])
            events = [("POST", "/email", [("Content-Type", FORM), old], form(("email", "a@b.example")))] * 4
            others = [("DELETE", "/session", [old], b""), *events]
            login, end, *responses = while_hashing(server, old, others, password="wrong horse battery staple")
    statuses = " ".join(response.summary.split()[0] if response else "-" for response in responses)
    return judge(
        f"failed login {login.summary}, DELETE {end.summary}, after it {statuses}",
        (end.status == 204, "DELETE gets 204"),
        (all(response and response.status == 401 for response in responses), "each request behind it gets 401"),
    )


@attack(4, "Each login replaces the token, and sets one session cookie")
def second_login(run):
    with run.server("--requests", "off", demo=True) as server, server.client() as client:

        def login(*headers):
            return client.post("/login", ("username", "batman"), ("password", "bruce"), headers=headers)

        def sessions(response):
            return [value for value in response.all("Set-Cookie") if "session=" in value.partition(";")[0]]

        first = login()
        second = login(cookie(first.cookie("session")))
        unknown = login(cookie("0" * 32))
        start = client.request("POST", "/session").json["token"]
        one = login(bearer(start)).json.get("token")
        two = login(bearer(one)).json.get("token")
        old = client.request("GET", "/session", [bearer(one)]).summary
    renewed = second.cookie("session") not in (None, "", first.cookie("session"))
    return judge(
        f"cookie {'replaced' if renewed else 'kept'}, token {'replaced' if two not in (None, one) else 'kept'}, "
        f"old token {old}, an unknown cookie gets {len(sessions(unknown))} session cookies",
        (renewed, "the second login sets another cookie"),
        (two not in (None, one), "the second login returns another token"),
        (old.startswith("401"), "the token before gets 401"),
        (len(sessions(unknown)) == 1, "a login with an unknown cookie sets one session cookie"),
        (len(sessions(first)) == 1 and len(sessions(second)) == 1, "each login sets one session cookie"),
    )


@attack(11, "A login that fails since the database does not answer changes nothing (Swift tests: other failed events)")
def failed_event(run):
    with run.server(*CHEAP_HASH, "--requests", "off") as server:
        server.add_account(LISA)
        with server.client(timeout=60) as client:
            token = bearer(client.request("POST", "/session").json["token"])
            client.post("/email", ("email", "a@b.example"), headers=[token])
            before = client.request("GET", "/login", [token]).json
            database = sqlite3.connect(f"{server.folder}/data/understudy.sqlite", isolation_level=None)
            database.execute("BEGIN EXCLUSIVE")
            try:
                failed = client.post("/login", ("username", LISA), ("password", PASSWORD), headers=[token])
            finally:
                database.execute("ROLLBACK")
                database.close()
            user = client.request("GET", "/session", [token])
            after = client.request("GET", "/login", [token]).json
    return judge(
        f"login {failed.summary}, then GET /session {user.summary}",
        (failed.status == 503, "503 while the database is locked"),
        (user.status == 401, "no user is logged in"),
        (before == after, "the login page is unchanged"),
    )


@attack(13, "A login whose response was lost can be repeated for a minute, by the one who knows the password")
def repeated_login(run):
    problems = []
    with run.server(*CHEAP_HASH, "--requests", "off") as server:
        server.add_account(LISA)
        with server.client() as client:
            for kind in ("token", "cookie"):
                if kind == "token":
                    old = bearer(client.request("POST", "/session").json["token"])
                else:
                    old = cookie(client.post("/email", ("email", "a@b.example")).cookie("session"))
                key = ("Idempotency-Key", f"login of a {kind}")
                request = login_request(LISA, headers=[old, key])
                first = client.request(*request)
                again = client.request(*request)
                other_body = client.request(*login_request(LISA, "a guess", [old, key]))
                other_key = client.request(*login_request(LISA, headers=[old, ("Idempotency-Key", "x")]))
                if not first.is_logged_in:
                    problems.append(f"{kind}: the login got {first.summary}")
                if again.status != 200 or again.body != first.body:
                    problems.append(f"{kind}: repeated, it got {again.summary} and not the response of the first")
                elif again.cookie("session") != first.cookie("session"):
                    problems.append(f"{kind}: repeated, it set another session cookie")
                if again.status == 200 and again.header("Idempotency-Replayed") != "true":
                    problems.append(f"{kind}: repeated, it lacks 'Idempotency-Replayed: true'")
                for name, response in (("another body", other_body), ("another key", other_key)):
                    if response.status not in (401, 422) or first.body == response.body:
                        problems.append(f"{kind}: with {name} it got {response.summary}")
                    if response.all("Set-Cookie"):
                        problems.append(f"{kind}: with {name} it set a cookie")
                new = bearer(first.json.get("token")) if kind == "token" else cookie(first.cookie("session"))
                if (still := client.request("GET", "/session", [new]).summary) != "200":
                    problems.append(f"{kind}: the session of the first login gets {still}")
    return judge(
        "token and cookie as promised" if not problems else f"{len(problems)} promises broken ({problems[0]})",
        (not problems, "; ".join(problems)),
    )


@attack("-", "The ID of a session cannot be chosen by a client, and has at least 128 random bits")
def session_fixation(run):
    with run.server("--requests", "off", demo=True) as server, server.client() as client:
        chosen = "0123456789abcdef0123456789abcdef"
        given = client.post("/email", ("email", "a@b.example"), headers=[cookie(chosen)])
        tokens = {client.request("POST", "/session").json["token"] for _ in range(1000)}
        shortest = min(map(len, tokens))
        varying = sum(len({token[index] for token in tokens}) > 8 for index in range(shortest))
        unknown = client.request("GET", "/session", [bearer(chosen)]).summary
    return judge(
        f"1,000 tokens, {len(tokens)} different, {varying} random digits; a chosen token {unknown}",
        (given.cookie("session") not in (None, chosen), "a chosen cookie is replaced"),
        (len(tokens) == 1000 and varying >= 32, "32 random hexadecimal digits"),
        (unknown.startswith("401"), "a chosen token gets 401"),
    )
