"""Codes from mails: guessing them, opening their links, and using them twice."""

import re

from harness import CHEAP_HASH, FORM, PASSWORD, bearer, exchange, form
from mails import Mails
from registry import attack, judge

LISA = "lisa@rules.example"
NEW_PASSWORD = "bleeding gums murphy plays"


def session(client):
    return bearer(client.request("POST", "/session").json["token"])


def names(response):
    """The codes of all messages in a response."""
    return re.findall(r'"code":"([a-zA-Z.]+)"', response.body.decode()) if response else []


def log_in(client, email):
    answer = client.post("/login", ("username", email), ("password", PASSWORD), headers=[session(client)])
    return bearer(answer.json["token"])


@attack("-", "A code can be guessed five times, and an address gets five in an hour, over all sessions and networks")
def guessed_codes(run):
    mails = Mails()
    sessions = 12
    with run.server(*CHEAP_HASH, *mails.options, "--trusted-proxies", "127.0.0.1") as server:
        server.add_account(LISA)
        kinds, checked = set(), 0
        for number in range(sessions):
            # Each session from another network.
            with server.client(address=f"203.0.113.{number}") as client:
                token = session(client)
                sent = client.post("/forgot", ("email", LISA), headers=[token])
                kinds.add((sent.status, sent.body))
                for guess in range(7):
                    answer = client.post(
                        "/reset", ("code", f"{guess:08}"), ("password", NEW_PASSWORD), headers=[token]
                    )
                    checked += "reset.wrongCode" in names(answer)
        codes = mails.codes(LISA, 5)
        # From one network, over many sessions.
        with server.client(address="198.51.100.1") as client:
            statuses = []
            for number in range(8):
                token = session(client)
                statuses.append(client.post("/forgot", ("email", "x@rules.example"), headers=[token]).status)
                for guess in range(5):
                    pair = (("code", f"{guess:08}"), ("password", NEW_PASSWORD))
                    statuses.append(client.post("/reset", *pair, headers=[token]).status)
    return judge(
        f"{len(codes)} mails for {sessions} sessions, {checked} wrong codes answered as such; "
        f"{statuses.count(429)} of {len(statuses)} requests of one network got 429",
        (len(codes) == 5, "five mails"),
        (len(kinds) == 1, "the same response whether a mail was sent"),
        (checked == 4 * sessions, "the fifth wrong code of a session and those after it get another response"),
        (statuses.count(429) >= 8, "a network enters at most 30 wrong codes in ten minutes"),
    )


@attack("-", "A link in a mail runs nothing and uses up nothing, however often a scanner opens it")
def scanned_links(run):
    mails = Mails()
    with run.server(*CHEAP_HASH, *mails.options, "--confirm-addresses") as server, server.client() as client:
        token = session(client)
        fields = (("name", "Lisa"), ("email", LISA), ("password", PASSWORD))
        client.post("/signup", *fields, headers=[token])
        code = mails.codes(LISA, 1)[-1]

        def scan(page):
            found = []
            for headers in ([], [token], [("Accept", "text/html")], [("Accept", "text/html"), token]):
                for method in ("HEAD", "GET"):
                    found.append(client.request(method, f"/{page}?code={code}", headers).status)
            return found

        statuses = scan("verify")
        early = client.post("/login", ("username", LISA), ("password", PASSWORD)).is_logged_in
        verified = client.post("/verify", ("code", code), headers=[token])
        token = session(client)
        client.post("/forgot", ("email", LISA), headers=[token])
        code = mails.codes(LISA, 2)[-1]
        statuses += scan("reset")
        reset = client.post("/reset", ("code", code), ("password", NEW_PASSWORD), headers=[token])
    return judge(
        f"{len(statuses)} requests got {', '.join(map(str, sorted(set(statuses))))}; then the codes "
        f"{'work' if 'reset.successful' in names(reset) else 'do not work'}",
        (max(statuses) < 500, "no error"),
        (not early, "no link confirms an address"),
        (b'"verified"' in verified.body, "afterwards the code confirms the address"),
        ("reset.successful" in names(reset), "afterwards the code resets the password"),
    )


@attack("-", "Of requests that use one code at once, one succeeds")
def code_used_twice(run):
    mails = Mails()
    results = {}
    for kind in ("memory", "database"):
        with run.server(*CHEAP_HASH, *mails.options, "--sessions", kind, loops=2) as server:
            server.add_account(LISA)
            clients = [server.client() for _ in range(8)]
            token = session(clients[0])
            clients[0].post("/forgot", ("email", LISA), headers=[token])
            code = mails.codes(LISA, len(results) + 1)[-1]
            body = form(("code", code), ("password", NEW_PASSWORD))
            request = ("POST", "/reset", [("Content-Type", FORM), token], body)
            answers = exchange(clients, [request] * len(clients))
            results[kind] = sum("reset.successful" in names(answer) for answer in answers)
            for client in clients:
                client.close()
    return judge(
        ", ".join(f"{count} of 8 succeed with sessions in {kind}" for kind, count in results.items()),
        (set(results.values()) == {1}, "one of them"),
    )


@attack("-", "An address that several accounts take at once belongs to one of them")
def address_changed_twice(run):
    mails = Mails()
    accounts = [LISA, "bart@rules.example", "homer@rules.example"]
    with run.server(*CHEAP_HASH, *mails.options, "--sessions", "database", loops=2) as server:
        server.import_accounts(accounts)
        clients = [server.client() for _ in accounts]
        requests = []
        for client, account in zip(clients, accounts):
            token = log_in(client, account)
            change = (("event", "changeEmailButtonPressed"), ("newEmail", "new@rules.example"), ("password", PASSWORD))
            client.post("/account", *change, headers=[token])
            code = mails.codes("new@rules.example", len(requests) + 1)[-1]
            requests.append(("POST", "/verify", [("Content-Type", FORM), token], form(("code", code))))
        answers = exchange(clients, requests)
        changed = sum(b'"verified"' in answer.body for answer in answers if answer)
        refused = sum("verify.wrongCode" in names(answer) for answer in answers)
        listed = server.command("account", "list", "--json").stdout.decode().count('"new@rules.example"')
        for client in clients:
            client.close()
    return judge(
        f"{changed} of {len(accounts)} accounts change, {refused} are refused",
        (changed == 1 and refused == len(accounts) - 1, "one changes, the others are refused"),
        (listed >= 1, "an account has the address"),
    )
