"""Changes random columns of a filled database, starts a server and commands with it, and expects none of them to crash.

    damage.py PROGRAM COUNT SEED

Each time, the server gets a copy of the same database: accounts, failed logins, devices, products, saved sessions, and sessions that are
stored after each event. A client continues its session, logs in and asks for its history. Then each command that reads accounts runs, while
the server follows what it publishes. First, each column of each table gets extreme values; then random ones change.
Exit status 1 if a process ends with a signal, if a command does not end, or if the server does not start and the file is not damaged as a whole.
"""
import contextlib
import http.client
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from testbed.program import CHEAP_HASH, PASSWORD, Program

NUMBERS = [2**63 - 1, 2**63 - 2, -(2**63), 0, -1, 1, 2**53, 2**52, 2**31, 2**32, 9223370336854775807, 253402300800000]
TEXTS = [b"", b"\0", b"\xff\xfe", b"x" * 100_000, b"[" * 100_000, b"{}", b"null"]


class Server(Program):
    def __init__(self, program, database, mode):
        self.errors = tempfile.TemporaryFile()
        super().__init__(program, "--database", database, *CHEAP_HASH, "--log-level", "critical", "--access-log", "off", "--sessions", mode,
                         stderr=self.errors, may_fail=True)

    def post(self, page, cookie=None, values=None, event=None, key=None):
        """Returns the status and the session's cookie; no status if the server has closed the connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Content-Type": "application/json"}
        headers.update({"Cookie": cookie} if cookie else {}, **({"Idempotency-Key": key} if key else {}))
        body = {"values": values or {}, **({"event": event} if event else {})}
        try:
            connection.request("POST", "/" + page, json.dumps(body), headers)
            answer = connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            return None, cookie
        cookies = [value.split(";")[0] for name, value in answer.getheaders() if name.lower() == "set-cookie"]
        return answer.status, "; ".join(cookies) or cookie

    def use(self, cookie):
        """Sends some requests, and returns the session's cookie."""
        for page in ["email", "signup", "products", "register", "home"]:
            _, cookie = self.post(page, cookie)
        return self.post("email", cookie, {"email": "a@b.example"}, key="k")[1]

    def error(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")


def fill(program, database):
    """Fills a database, and returns the cookies of sessions by the mode in which they were stored."""
    cookies = {"memory": [], "database": []}
    for mode in cookies:
        server = Server(program, database, mode)
        for name in ["ada@rules.example", "bob@rules.example"]:
            values = {"name": name, "email": name, "password": PASSWORD}
            server.post("signup", None, values, "submitButtonPressed")
            server.post("login", None, {"username": name, "password": "wrong"})
            status, cookie = server.post("login", None, {"username": name, "password": PASSWORD}, key="k")
            assert status == 200, status
            cookies[mode].append(server.use(cookie))
        assert server.stop() == 0, server.error()
    return cookies


def damage(database, chance):
    """Changes a column of a row, and returns what it was."""
    with sqlite3.connect(database) as connection:
        tables = [name for name, in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = chance.choice([name for name in tables if name != "understudy_version"])
        _, column, kind, *_ = chance.choice(connection.execute(f"PRAGMA table_info({table})").fetchall())
        rows = connection.execute(f"SELECT DISTINCT {column} FROM {table}").fetchall()
        if not rows:
            return f"{table} is empty"
        old, = chance.choice(rows)
        new = chance.choice(NUMBERS) if kind in ("INTEGER", "") else chance.choice(TEXTS)
        if isinstance(old, bytes) and chance.random() < 0.7:
            digits = [index for index, byte in enumerate(old) if chr(byte).isdigit()]
            if digits:
                index = chance.choice(digits)
                new = old[:index] + str(chance.choice(NUMBERS)).encode() + old[index + 1:]
        value = "CAST(? AS TEXT)" if kind == "TEXT" else "?"
        try:
            connection.execute(f"UPDATE {table} SET {column} = {value} WHERE {column} IS ?", (new, old))
        except (sqlite3.IntegrityError, sqlite3.OperationalError):
            return f"{table}.{column} admits no other value"
    return f"{table}.{column}: {str(old)[:200]} is now {str(new)[:200]}"


def extremes(database):
    """A change for each column and extreme value: of all rows, or of one row if the values must differ."""
    with sqlite3.connect(database) as connection:
        tables = [name for name, in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = [(table, column, kind) for table in tables if table != "understudy_version"
                   for _, column, kind, *_ in connection.execute(f"PRAGMA table_info({table})")]
    return [(table, column, kind, value) for table, column, kind in columns
            for value in ([2**63 - 1, -(2**63)] if kind in ("INTEGER", "") else [b"\xff\xfe"])]


def apply(database, change):
    table, column, kind, value = change
    cast = "CAST(? AS TEXT)" if kind == "TEXT" else "?"
    with sqlite3.connect(database) as connection:
        try:
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = {cast}", (value,))
        except (sqlite3.IntegrityError, sqlite3.OperationalError):
            return f"{table}.{column} admits no {value}"
    return f"{table}.{column} is {value}"


def main():
    program, count, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder = tempfile.mkdtemp(prefix="understudy-damage-", dir="/dev/shm")
    original = folder + "/original.sqlite"
    cookies = fill(program, original)
    rejected, changes = 0, extremes(original)
    count += len(changes)
    print(f"{len(changes)} servers with extreme values, and others with damaged rows from the seed {seed}", flush=True)
    for number in range(seed, seed + count):
        chance, path = random.Random(number), f"{folder}/{number}.sqlite"
        shutil.copy(original, path)
        change = apply(path, changes[number - seed]) if number - seed < len(changes) else damage(path, chance)
        mode = chance.choice(list(cookies))
        server = Server(program, path, mode)
        if server.port:
            for cookie in cookies[mode]:
                server.use(cookie)
            for name in ["ada@rules.example", "bob@rules.example"]:
                server.post("login", None, {"username": name, "password": PASSWORD})
        statuses = {}
        for command in [["disable", "bob@rules.example"], ["list"], ["show", "ada@rules.example"], ["export", "ada@rules.example"]]:
            try:
                result = subprocess.run([program, "account", *command, "--database", path], capture_output=True, timeout=20)
                statuses[command[0]] = result.returncode
            except subprocess.TimeoutExpired:
                raise SystemExit(f"seed {number}: {change}: '{command[0]}' does not end\nThe database is {path}") from None
        if server.port:
            # It reads every half a second what other processes have published.
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.process.wait(0.6)
            status = server.stop(60)
        else:
            status = server.process.wait(60)
            rejected += 1
        statuses["serve"] = status
        if any(status < 0 or status > 128 for status in statuses.values()):
            raise SystemExit(f"seed {number}: {change}: {statuses}\n{server.error()[-3000:]}\nThe database is {path}")
        for ending in ["", "-wal", "-shm"]:
            if os.path.exists(path + ending):
                os.remove(path + ending)
    shutil.rmtree(folder)
    print(f"{count} servers and {4 * count} commands: no crash; {rejected} servers have not started")


main()
