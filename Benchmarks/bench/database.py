"""Events that are durable before their response: `--sessions database`, next to pgbench with the same statement."""

import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

from testbed.program import free_port

import client
import events
import servers
from client import Failure
from estimate import estimate, quotients
from generators import throughput, write_requests
from postgresql import PostgreSQL
from programs import say

CLIENTS = 16
SESSIONS = 256

# The statement of an event, as `SessionTable` has it, with texts as long as those of the measured sessions.
SCRIPT = """\
\\set n random(1, {sessions})
WITH changed AS (
    UPDATE session SET version = version + 1, last_used = {now}, size = 2048,
        content = convert_to(repeat('a', {session}), 'UTF8')
    WHERE id = sha256(convert_to('pgbench' || :n::int, 'UTF8')) AND version > 0 RETURNING number, version
)
INSERT INTO session_event (session, version, token, content)
SELECT number, version, '\\x00112233445566778899aabbccddeeff', convert_to(repeat('b', {event}), 'UTF8') FROM changed;
"""


@dataclass
class Run:
    """A run of one or several servers, or of pgbench."""

    rate: float  # events a second
    mean: float  # of the latency, in milliseconds
    database_cost: float  # microseconds of PostgreSQL's processor time for an event
    p99: float | None = None
    cost: float | None = None  # microseconds of the servers' processor time for an event


def start(stack, programs, uri, name, *options, metrics_port="off", processor=None):
    """A node with default settings. Its sessions have no limit of an address, because all clients have the same one."""
    settings = ["--port", "{port}", "--admin-port", metrics_port, "--database", uri, "--requests", "off"]
    command = [programs.understudy, "serve", *settings, *options]
    if processor is not None:
        command = ["taskset", "-c", str(processor), *command]
    return stack.enter_context(servers.Server(name, command))


def requests(server, name, tokens):
    return write_requests(name, [events.WHITE_SPACE.request(server.port, token) for token in tokens])


def measure(database, loads, seconds):
    """A run of servers at the same time, each with its requests and its number of clients."""
    before = database.cpu()
    with ThreadPoolExecutor(len(loads)) as pool:
        started = [pool.submit(throughput, *load, seconds) for load in loads]
        runs = [one.result() for one in started]
    rate = sum(run.rate for run in runs)
    return Run(
        rate=rate,
        mean=sum(clients for _, _, clients in loads) / rate * 1000,
        p99=max(run.p99 for run in runs),
        cost=sum(run.rate * run.cost for run in runs) / rate,
        database_cost=(database.cpu() - before) / (rate * seconds) * 1e6,
    )


def measure_pgbench(database, script, seconds):
    before = database.cpu()
    rate, mean = database.pgbench(script, CLIENTS, seconds)
    return Run(rate=rate, mean=mean, database_cost=(database.cpu() - before) / (rate * seconds) * 1e6)


def make_script(database):
    """The script for pgbench, and its sessions in the same table."""
    sizes = database.query(
        "SELECT avg(octet_length(session.content))::int, avg(octet_length(session_event.content))::int"
        " FROM session JOIN session_event ON session_event.session = session.number"
    )[0]
    # A time in the past would make the nodes delete them.
    now = int(time.time() * 1000)
    database.query(
        "INSERT INTO session (id, version, created, last_used, size, content)"
        f" SELECT sha256(convert_to('pgbench' || n, 'UTF8')), 1, {now}, {now}, 2048,"
        f" convert_to(repeat('a', {sizes[0]}), 'UTF8') FROM generate_series(1, {SESSIONS}) n"
    )
    return SCRIPT.format(sessions=SESSIONS, now=now, session=sizes[0], event=sizes[1])


def counters(database, metrics_port):
    """The transactions of the database that have written, and the statements of the node."""
    status, text = client.get(metrics_port, "/metrics")
    if status != 200:
        raise Failure(f"the node's metrics have status {status}")
    name = "understudy_database_statement_duration_seconds_count"
    statements = sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(name))
    return int(database.query("SELECT pg_snapshot_xmax(pg_current_snapshot())")[0][0]), statements


def count(database, metrics_port, load, seconds):
    """The commits and the statements per event of a run."""
    before = counters(database, metrics_port)
    number = throughput(*load, seconds).rate * seconds
    return [(b - a) / number for a, b in zip(before, counters(database, metrics_port), strict=True)]


def hot_share(database):
    """The share of updates of sessions that changed no index. A connection reports its own with a delay."""
    updates = "SELECT sum(n_tup_hot_upd) / sum(n_tup_upd) FROM pg_stat_user_tables WHERE relname = 'session'"
    return float(database.query(updates)[0][0])


def run(programs, options, report):
    seconds = 2 * options.seconds
    runs = defaultdict(list)
    with ExitStack() as stack:
        database = stack.enter_context(PostgreSQL())
        metrics_port = free_port()
        node = start(stack, programs, database.uri(), "node", "--sessions", "database", metrics_port=metrics_port)
        first = start(stack, programs, database.uri(), "first node", "--sessions", "database", processor=0)
        second = start(stack, programs, database.uri(), "second node", "--sessions", "database", processor=1)
        # A server in memory mode shares its database with no other server.
        database.query("CREATE DATABASE memory")
        memory = start(stack, programs, database.uri("memory"), "in memory", "--sessions", "memory")
        tokens = [client.start_session(node.port) for _ in range(SESSIONS)]
        tokens_in_memory = [client.start_session(memory.port) for _ in range(SESSIONS)]
        # Two nodes share no session, as with a load balancer that keeps a client's connection.
        first_half, second_half = tokens[: SESSIONS // 2], tokens[SESSIONS // 2 :]
        loads = {
            ONE: [(node, requests(node, "node", tokens), CLIENTS)],
            PINNED: [(first, requests(first, "first node", tokens), CLIENTS)],
            TWO: [
                (first, requests(first, "first of two", first_half), CLIENTS // 2),
                (second, requests(second, "second of two", second_half), CLIENTS // 2),
            ],
            MEMORY: [(memory, requests(memory, "in memory", tokens_in_memory), CLIENTS)],
        }
        say("warming up")
        measure(database, loads[ONE], 1)
        script = make_script(database)
        per_event = count(database, metrics_port, loads[ONE][0], seconds)
        for number in range(options.rounds):
            say(f"database, round {number + 1} of {options.rounds}")
            rows = [*loads, PGBENCH]
            for row in rows[:: -1 if number % 2 else 1]:
                once = measure_pgbench(database, script, seconds) if row == PGBENCH else measure(database, loads[row], seconds)
                runs[row].append(once)
        hot = hot_share(database)
    write(report, runs, (*per_event, hot), options, seconds)


def write(report, runs, per_event, options, seconds):
    shares = {row: estimate(quotients(rates(runs[row]), rates(runs[PGBENCH]))) for row in runs}
    lines = [
        [
            row,
            f"{median(rates(all_runs)):,.0f}",
            shares[row],
            *(cell(all_runs, name, digits) for name, digits in (("mean", 2), ("p99", 2), ("cost", 0), ("database_cost", 0))),
        ]
        for row, all_runs in runs.items()
    ]
    report.table(
        f"Durable events, PostgreSQL, {CLIENTS} clients ({options.rounds} rounds of {seconds} s)",
        ["", "events/s", "of pgbench's", "mean ms", "p99 ms", "CPU µs", "PostgreSQL's CPU µs"],
        lines,
    )
    commits, statements, hot = per_event
    report.paragraph(
        f"An event takes {commits:.2f} commits and {statements:.2f} statements, each of which is one round trip. "
        f"{hot:.1%} of the updates of sessions are HOT."
    )
    share = shares[ONE]
    report.goal("durable events a second, of pgbench's", share, share.mean >= 0.5, "at least 0.5")


def rates(all_runs):
    return [run.rate for run in all_runs]


def cell(all_runs, name, digits):
    values = [getattr(run, name) for run in all_runs]
    return "" if None in values else f"{median(values):.{digits}f}"


ONE, PINNED = "one node, `--sessions database`", "one node on one processor"
TWO = f"two nodes, each on its own processor, with {CLIENTS // 2} clients each"
MEMORY, PGBENCH = "`--sessions memory`, for comparison", "pgbench, with the statement of an event"
