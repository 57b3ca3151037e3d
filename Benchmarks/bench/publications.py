"""Three ways to publish topics with the commit of an event: a table that nodes poll, and NOTIFY after or in the transaction."""

import random
import re
import select
import socket
import struct
import threading
import time
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from client import Failure
from database import SCRIPT
from postgresql import PostgreSQL
from programs import say

CLIENTS = 16
SESSIONS = 256
NODES = 2
INTERVAL = 0.05  # seconds between two polls of a node
DELAYS = 200
MIGRATIONS = Path(__file__).parents[2] / "Sources/AccountsPostgreSQL/Migrations"

# As in `PostgreSQLDatabase+Publications.swift`.
POLL = """
PREPARE poll(text) AS
SELECT pg_current_snapshot()::text, pg_postmaster_start_time()::text, (SELECT min(number) FROM publication),
    (SELECT max(number) FROM publication), token, name, key
FROM (VALUES (1)) AS present
LEFT JOIN (
    SELECT token, name, key FROM publication
    WHERE transaction >= pg_snapshot_xmin($1::text::pg_snapshot)
        AND NOT pg_visible_in_snapshot(transaction, $1::text::pg_snapshot)
        AND transaction < pg_snapshot_xmax(pg_current_snapshot())
    ORDER BY transaction LIMIT 10001
) AS new ON TRUE
"""
INSERT = "INSERT INTO publication (token, name, key) VALUES ({token}, 'slots', 'Berlin')"
NOTIFY = "SELECT pg_notify('topics', '{token} slots/Berlin')"

NONE, TABLE, AFTER, INSIDE = "no publications", "a table, polled", "`NOTIFY` after the commit", "`NOTIFY` in the transaction"


class Connection:
    """A connection to the server, in a thread of its own. PostgreSQL's protocol without passwords and encryption."""

    def __init__(self, database):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(f"{database.folder}/.s.PGSQL.{database.port}")
        self.buffer, self.notices = b"", []
        parameters = b"user\0postgres\0database\0" + database.name.encode() + b"\0\0"
        self.socket.sendall(struct.pack("!ii", len(parameters) + 8, 196608) + parameters)
        self.finish()

    def receive(self):
        """The next message of the server: its letter and its content."""
        while len(self.buffer) < 5 or len(self.buffer) < 1 + struct.unpack("!i", self.buffer[1:5])[0]:
            more = self.socket.recv(65536)
            if not more:
                raise Failure("PostgreSQL closed a connection")
            self.buffer += more
        end = 1 + struct.unpack("!i", self.buffer[1:5])[0]
        letter, content, self.buffer = self.buffer[:1], self.buffer[5:end], self.buffer[end:]
        if letter == b"E":
            raise Failure(f"PostgreSQL reports {content!r}")
        if letter == b"A":
            self.notices.append(content[4:].split(b"\0")[1].decode())
        return letter, content

    def finish(self):
        rows = []
        while True:
            letter, content = self.receive()
            if letter == b"Z":
                return rows
            if letter == b"D":
                rows.append(fields(content))

    def query(self, sql):
        """The rows of a query, each a list of texts."""
        self.socket.sendall(b"Q" + struct.pack("!i", len(sql.encode()) + 5) + sql.encode() + b"\0")
        return self.finish()

    def notifications(self, timeout):
        """Waits for notifications."""
        if not self.notices and (self.buffer or select.select([self.socket], [], [], timeout)[0]):
            self.receive()
        notices, self.notices = self.notices, []
        return notices

    def close(self):
        self.socket.close()


def fields(content):
    found, offset = [], 2
    for _ in range(struct.unpack("!h", content[:2])[0]):
        length = struct.unpack("!i", content[offset : offset + 4])[0]
        offset += 4
        found.append(None if length < 0 else content[offset : offset + length].decode())
        offset += max(length, 0)
    return found


class Thread(threading.Thread):
    """Calls `step` with a connection until it is stopped. Use it in a `with` statement."""

    def __init__(self, database):
        super().__init__(daemon=True)
        self.connection, self.stopped = Connection(database), threading.Event()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.join()
        self.connection.close()

    def run(self):
        while not self.stopped.is_set():
            self.step()


class Poller(Thread):
    """A node that polls the table."""

    def __init__(self, database):
        super().__init__(database)
        self.seen, self.count = {}, 0
        self.connection.query(POLL)
        self.position = self.connection.query("EXECUTE poll(NULL)")[0][0]

    def step(self):
        rows = self.connection.query(f"EXECUTE poll('{self.position}')")
        self.position = rows[0][0]
        now = time.monotonic()
        for row in rows:
            if row[4] is not None:
                self.count += 1
                self.seen.setdefault(row[4], now)
        time.sleep(INTERVAL)


class Listener(Thread):
    """A node that listens to notifications."""

    def __init__(self, database):
        super().__init__(database)
        self.seen, self.count = {}, 0
        self.connection.query("LISTEN topics")

    def step(self):
        for notice in self.connection.notifications(0.1):
            self.count += 1
            self.seen.setdefault(notice.split()[0], time.monotonic())


class Notifier(Thread):
    """The one connection of a node that sends notifications after commits. It merges those of the same time."""

    def __init__(self, database, interval):
        super().__init__(database)
        self.interval, self.number = interval, 0

    def step(self):
        self.number += 1
        self.connection.query(NOTIFY.format(token=self.number))
        if self.interval:
            time.sleep(self.interval)


def nodes(way, database):
    kind = {NONE: None, TABLE: Poller}.get(way, Listener)
    return [kind(database) for _ in range(NODES)] if kind else []


def entered(stack, threads):
    return [stack.enter_context(thread) for thread in threads]


def scripts(way):
    """pgbench's scripts of an event that publishes nothing, and of one that publishes."""
    event = SCRIPT.format(sessions=SESSIONS, now=1, session=600, event=200)
    define, statement = event.split("\n", 1)
    if way in (NONE, AFTER):
        return event, event
    extra = (INSERT if way == TABLE else NOTIFY).format(token=":token" if way == TABLE else "0")
    token = "\\set token random(1, 1000000000000)"
    return event, f"{define}\n{token}\nBEGIN;\n{statement.rstrip()}\n{extra};\nCOMMIT;\n"


def load(database, way, share, seconds, expected):
    """Commits a second, and PostgreSQL's processor time in microseconds for a commit."""
    plain, publishing = scripts(way)
    (database.folder / "plain.sql").write_text(plain)
    (database.folder / "publishing.sql").write_text(publishing)
    files = {"plain.sql": 100 - share, "publishing.sql": share}
    options = [part for name, weight in files.items() if weight for part in ("-f", f"{name}@{weight}")]
    connection = ["-h", database.folder, "-p", str(database.port), "-U", "postgres"]
    with ExitStack() as stack:
        listening = entered(stack, nodes(way, database))
        if way == AFTER:
            # A commit finds out nothing about the notifications of others: as many as there are publications, or as fast as one goes.
            entered(stack, [Notifier(database, 0 if share == 100 else 100 / share / expected) for _ in range(NODES)])
        before = database.cpu()
        output = database.run(
            "pgbench", *connection, "-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "1", "-T", str(seconds), *options,
            database.name,
        )  # fmt: skip
        cost = database.cpu() - before
        if way != NONE and not all(node.count for node in listening):
            raise Failure(f"{way}: a node has received nothing")
    rate = float(re.search(r"^tps = ([\d.]+)", output, re.M)[1])
    return rate, cost / (rate * seconds) * 1e6


def idle(database, way, seconds):
    """PostgreSQL's processor time in milliseconds a second while nothing is published."""
    with ExitStack() as stack:
        entered(stack, nodes(way, database))
        before = database.cpu()
        time.sleep(seconds)
        return (database.cpu() - before) / seconds * 1000


def delays(database, way):
    """The milliseconds from the end of a commit until each node has received what it has published."""
    sent = {}
    with ExitStack() as stack:
        receiving = entered(stack, nodes(way, database))
        connection, notifier = Connection(database), Connection(database)
        for number in range(DELAYS):
            token = str(10**13 + number)
            connection.query("BEGIN")
            connection.query("UPDATE session SET version = version + 1 WHERE number = 1")
            if way != AFTER:
                connection.query((INSERT if way == TABLE else NOTIFY).format(token=token))
            connection.query("COMMIT")
            sent[token] = time.monotonic()
            if way == AFTER:
                notifier.query(NOTIFY.format(token=token))
            time.sleep(random.uniform(0.01, 0.06))
        time.sleep(0.3)
        found = sorted((node.seen[token] - at) * 1000 for node in receiving for token, at in sent.items())
        connection.close()
        notifier.close()
    return max(0, median(found)), found[int(len(found) * 0.99)]


def prepare(database):
    for migration in sorted(MIGRATIONS.glob("*.sql")):
        database.query(migration.read_text())
    database.query(
        "INSERT INTO session (id, version, created, last_used, content)"
        " SELECT sha256(convert_to('pgbench' || n, 'UTF8')), 1, 1, 1, convert_to(repeat('a', 600), 'UTF8')"
        f" FROM generate_series(1, {SESSIONS}) n"
    )


def run(programs, options, report):
    seconds = 2 * options.seconds
    rates, costs = defaultdict(list), defaultdict(list)
    with PostgreSQL() as database:
        prepare(database)
        expected, _ = load(database, NONE, 1, 1, 1)
        for number in range(options.rounds):
            say(f"publications, round {number + 1} of {options.rounds}")
            for share in (1, 100):
                ways = [NONE, TABLE, AFTER, INSIDE]
                for way in ways[:: -1 if number % 2 else 1]:
                    database.query("TRUNCATE session_event, publication")
                    rate, cost = load(database, way, share, seconds, expected)
                    rates[way, share].append(rate)
                    costs[way, share].append(cost)
        database.query("TRUNCATE session_event, publication")
        lines = []
        for way in (NONE, TABLE, AFTER, INSIDE):
            measured = [f"{median(rates[way, share]):,.0f} | {median(costs[way, share]):.0f}" for share in (1, 100)]
            rest = ["", ""]
            if way != NONE:
                middle, late = delays(database, way)
                rest = [f"{idle(database, way, 5):.1f}", f"{middle:.1f} / {late:.1f}"]
            lines.append([way, *measured, *rest])
    report.table(
        f"Publications, PostgreSQL, {CLIENTS} clients, {NODES} nodes ({options.rounds} rounds of {seconds} s)",
        [
            "", "commits/s, 1 % publish", "CPU µs", "commits/s, 100 % publish", "CPU µs", "idle ms/s",
            "delay p50 / p99 ms",
        ],
        lines,
    )  # fmt: skip
