"""Kills a server under load repeatedly, and checks that no acknowledged write is lost.

    kill-loop.py PROGRAM COUNT

Each round starts PROGRAM with the same database and lets threads sign up, fail to log in, log in and save addresses, until a
SIGKILL after a random time. Then the database is opened with SQLite itself:

- it is intact (PRAGMA integrity_check);
- every account whose sign-up was answered with "Successful" exists;
- the address and the user ID of an account are the last that were acknowledged, or one whose request was not answered yet;
- the failed logins of an account are at least as many as were answered, and never fewer than the round before.

Exit status 1 at the first round in which a condition does not hold. The script then keeps the database and prints its path.
"""
import http.client
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import threading
import time

from testbed.program import CHEAP_HASH, PASSWORD, Program

THREADS = 6


class Account:
    """The acknowledged state of an account."""

    def __init__(self, email):
        self.email = email
        self.saved = {"contact_email": None, "user_id": None}  # the last that was acknowledged
        self.under_way = {"contact_email": [], "user_id": []}  # sent and not yet acknowledged
        self.failures = 0  # answered, since the last login that was tried
        self.seen_failures = 0  # in the database, after the last round
        self.was_reset = False  # whether a right password was tried since


class Client:
    """One connection, and the session on it."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self.cookie = None

    def post(self, page, event, values):
        headers = {"Content-Type": "application/json"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        self.connection.request("POST", "/" + page, json.dumps({"event": event, "values": values}), headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.getheader("Set-Cookie"):
            self.cookie = answer.getheader("Set-Cookie").split(";")[0]
        if answer.status != 200:
            raise OSError(f"{answer.status}: {body}")
        return json.loads(body)["commands"]


class Round:
    def __init__(self, program, database, number, accounts):
        self.accounts = accounts  # of all rounds
        self.mine = [[] for _ in range(THREADS)]
        self.number = number
        self.acknowledged = 0
        self.lock = threading.Lock()
        self.server = Program(program, "--database", database, *CHEAP_HASH, "--log-level", "error")

    def run(self):
        threads = [threading.Thread(target=self.load, args=(index,)) for index in range(THREADS)]
        for thread in threads:
            thread.start()
        time.sleep(random.uniform(0.02, 0.25))
        self.server.kill()
        for thread in threads:
            thread.join()

    def acknowledge(self):
        with self.lock:
            self.acknowledged += 1

    def load(self, index):
        """Uses its own accounts, so that it can tell which write was the last."""
        try:
            count = 0
            while True:
                count += 1
                client = Client(self.server.port)
                account = Account(f"{self.number}.{index}.{count}@kill.example")
                values = {"name": "Lisa", "email": account.email, "password": PASSWORD}
                if client.post("signup", "submitButtonPressed", values)[-1].get("code") != "signup.successful":
                    raise SystemExit("a sign-up was rejected")
                self.mine[index].append(account)
                self.acknowledge()
                self.login(Client(self.server.port), account, "wrong", random.randint(0, 4))
                account.was_reset = True
                account.failures = 0
                if client.post("login", "loginButtonPressed", {"username": account.email, "password": PASSWORD})[-1].get(
                        "name") != "Home":
                    raise SystemExit("a right password was rejected")
                self.acknowledge()
                for step in range(random.randint(0, 3)):
                    self.save(client, account, step)
                self.login(Client(self.server.port), account, "wrong", random.randint(0, 4))
        except (OSError, http.client.HTTPException):
            return  # it has been killed

    def login(self, client, account, password, times):
        for _ in range(times):
            client.post("login", "loginButtonPressed", {"username": account.email, "password": password})
            account.failures += 1
            self.acknowledge()

    def save(self, client, account, step):
        address = f"{step}.{random.randrange(10**9)}@kill.example"
        account.under_way["contact_email"].append(address)
        client.post("email", "emailChanged", {"email": address})
        client.post("email", "saveButtonPressed", {})
        account.saved["contact_email"], account.under_way["contact_email"] = address, []
        self.acknowledge()
        user_id = f"{random.randrange(10**12):012}"
        account.under_way["user_id"].append(user_id)
        client.post("register", "textFieldDidEndEditing", {"userID": user_id})
        account.saved["user_id"], account.under_way["user_id"] = user_id, []
        self.acknowledge()


def check(database, accounts):
    """Yields the conditions that do not hold."""
    connection = sqlite3.connect(database)
    try:
        result = connection.execute("PRAGMA integrity_check").fetchall()
        if result != [("ok",)]:
            yield f"integrity_check: {result}"
        rows = {row[1]: row for row in connection.execute("SELECT id, email, contact_email, user_id FROM account")}
        failures = dict(connection.execute("SELECT key, failures FROM throttle"))
    finally:
        connection.close()
    for account in accounts:
        row = rows.get(account.email)
        if row is None:
            yield f"{account.email} has signed up and does not exist"
            continue
        for column, value in (("contact_email", row[2]), ("user_id", row[3])):
            if value not in [account.saved[column], *account.under_way[column]]:
                yield f"{account.email}: {column} is {value}, acknowledged was {account.saved[column]}"
        count = failures.get("account:" + row[0], 0)
        if count < account.failures:
            yield f"{account.email}: {count} failed logins are counted, {account.failures} were answered"
        if count < account.seen_failures and not account.was_reset:
            yield f"{account.email}: there were {account.seen_failures} failed logins, and are {count}"
        account.seen_failures, account.was_reset = count, False


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    folder = tempfile.mkdtemp(prefix="kill-loop-")
    database = os.path.join(folder, "understudy.sqlite")
    accounts, acknowledged, start = [], 0, time.monotonic()
    for number in range(1, count + 1):
        round_ = Round(program, database, number, accounts)
        round_.run()
        acknowledged += round_.acknowledged
        accounts += [account for mine in round_.mine for account in mine]
        wrong = list(check(database, accounts))
        if wrong:
            print(f"round {number}:", *wrong[:10], f"The database is {database}.", sep="\n  ")
            return 1
        if sys.stderr.isatty():
            print(f"\r{number} of {count}", end="", file=sys.stderr)
    shutil.rmtree(folder)
    print(f"{count} times killed in {time.monotonic() - start:.0f} s: {acknowledged:,} writes acknowledged, "
          f"{len(accounts):,} accounts, nothing lost.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
