"""Measures whether a client can tell apart failed logins of different causes, or new and known addresses that sign up or ask for a code.

    login-timing.py PROGRAM COUNT

Exit status 1 if two kinds get different bytes, or their medians differ by more than 5 %.
"""
import http.client
import multiprocessing
import os
import re
import random
import sqlite3
import statistics
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "attack"))
from mails import MailServer
from testbed.program import CHEAP_HASH, PASSWORD, Program

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TRIES_AN_ACCOUNT = 4  # one less than the number that locks the account


class Server(Program):
    def __init__(self, program, database, *options):
        super().__init__(program, "--database", database, "--log-level", "error", *options)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port)

    def post(self, path, **values):
        """Sends a request without a session. Returns the response and its time in milliseconds."""
        body = urllib.parse.urlencode(values)
        start = time.perf_counter()
        self.connection.request("POST", path, body, FORM)
        answer = self.connection.getresponse()
        text = answer.read()
        milliseconds = (time.perf_counter() - start) * 1000
        # These parts differ in every response.
        headers = {name: re.sub("[0-9a-f]{32}", "ID", value) for name, value in answer.getheaders()
                   if name not in ("Date", "X-Request-ID")}
        return (answer.status, sorted(headers.items()), text), milliseconds

    def sign_up(self, email):
        answer, _ = self.post("/signup", name="Lisa", email=email, password=PASSWORD)
        assert b"signup.successful" in answer[2], answer


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "understudy.sqlite")
        with Server(program, database) as server:
            logins = measure_logins(server, database, count)
        with Server(program, os.path.join(folder, "cheap.sqlite"), *CHEAP_HASH) as server:
            signups = measure_signups(server, count)
        codes = [measure_with_mails(program, folder, sessions, count) for sessions in ("memory", "database")]
        return 0 if logins and signups and all(codes) else 1


def measure_with_mails(program, folder, sessions, count):
    """Sign-ups whose address must be confirmed, and requests for a code. The mails go to another process, which has no part in what is measured."""
    mails = MailServer()
    multiprocessing.Process(target=mails.serve_forever, daemon=True).start()
    print(f"With --confirm-addresses, and sessions in {sessions}:")
    with Server(program, os.path.join(folder, f"mails-{sessions}.sqlite"), *CHEAP_HASH, "--sessions", sessions,
                "--confirm-addresses", *mails.options) as server:
        return all([measure_signups(server, count), measure_forgot(server, count)])


def measure_logins(server, database, count):
    names = [f"{number}@timing.example" for number in range((count + TRIES_AN_ACCOUNT - 1) // TRIES_AN_ACCOUNT)]
    for name in names + ["disabled@timing.example", "throttled@timing.example"]:
        server.sign_up(name)
    with sqlite3.connect(database, timeout=10) as connection:
        connection.execute("UPDATE account SET is_disabled = 1 WHERE email = 'disabled@timing.example'")
    for _ in range(6):
        server.post("/login", username="throttled@timing.example", password="wrong")

    kinds = {
        "unknown user": lambda number: f"{random.randrange(10**9)}@unknown.example",
        "wrong password": lambda number: names[number // TRIES_AN_ACCOUNT],
        "disabled account": lambda number: "disabled@timing.example",
        "throttled account": lambda number: "throttled@timing.example",
    }
    return compare(kinds, count, lambda kind, number: server.post(
        "/login", username=kinds[kind](number), password=f"wrong {number:06}"))


def measure_signups(server, count):
    for number in range(count):
        server.sign_up(f"{number:09}@known.example")
    kinds = {
        "new address": lambda number: f"{number:09}@fresh.example",
        "known address": lambda number: f"{number:09}@known.example",
    }
    return compare(kinds, count, lambda kind, number: server.post(
        "/signup", name="Lisa", email=kinds[kind](number), password=f"{PASSWORD} {number:06}"))


def measure_forgot(server, count):
    """Asks for codes for the addresses that have signed up before."""
    kinds = {
        "forgot, unknown": lambda number: f"{number:09}@unknown.example",
        "forgot, known": lambda number: f"{number:09}@fresh.example",
    }
    return compare(kinds, count, lambda kind, number: server.post("/forgot", email=kinds[kind](number)))


def compare(kinds, count, request):
    """Sends requests of each kind in turn. Returns whether the kinds are indistinguishable to clients."""
    times, answers = {kind: [] for kind in kinds}, {}
    for number in range(count):
        order = list(kinds)
        random.shuffle(order)
        for kind in order:
            answer, milliseconds = request(kind, number)
            times[kind].append(milliseconds)
            answers.setdefault(repr(answer), kind)
    medians = {kind: statistics.median(values) for kind, values in times.items()}
    spread = max(medians.values()) / min(medians.values()) - 1
    for kind, median in medians.items():
        print(f"{kind:18} {median:7.2f} ms, median of {count}")
    print(f"They differ by {spread:.1%}; the limit is 5.0%." if len(answers) == 1 else f"Different answers: {answers}")
    return len(answers) == 1 and spread <= 0.05


if __name__ == "__main__":
    sys.exit(main())
