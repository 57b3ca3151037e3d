"""Runs nodes, clients and faults, and reports what the checker finds. Called by scripts/checks/cluster-test."""

import argparse
import asyncio
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter

import self_test
from audit import audit
from checker import check_failures, check_right_passwords, check_throttled, check_user_ids
from clients import Client, Cluster
from database import Database, ROLE
from faults import ALL_FAULTS, DATABASE_FAULTS, Faults, LINK_FAULTS, NETWORK_FAULTS, NODE_FAULTS
from followers import Follower, Importer, audit_followers
from network import Network
from nodes import Node
from proxy import Link
from record import FailureSample, Ledger

# The failed logins of each account: its address, those that were verified, and those that were refused.
THROTTLES = """
    SELECT account.email_key, coalesce(failures, 0), coalesce(refused, 0)
    FROM account LEFT JOIN throttle ON throttle.key = 'account:' || account.id
"""
SQLITE_THROTTLES = """
    SELECT email_key, coalesce(failures, 0), coalesce(refused, 0)
    FROM account LEFT JOIN throttle ON throttle.key = 'account:' || account.id
"""
# What can happen to nodes whose database is a SQLite file, and to one with sessions in memory.
SQLITE_FAULTS = {"sqlite": NODE_FAULTS, "memory": ("pause",)}
# Failed logins that were answered so long ago are compared with the database at the end only, in seconds.
RECENT = 60


class Sampler:
    """Compares the failed logins in the database with those that were answered, every two seconds."""

    def __init__(self, query, ledger):
        self.query = query
        self.ledger = ledger
        self.count = 0
        self.is_over = False

    async def run(self):
        while not self.is_over:
            try:
                await self.sample(since=time.monotonic() - RECENT)
            except (OSError, RuntimeError, TimeoutError, sqlite3.Error):
                pass  # a fault of the database; the next query succeeds
            await asyncio.sleep(2)

    async def sample(self, since=0.0):
        start = time.monotonic()
        accounts = {login.account for login in self.ledger.logins if not login.is_right and login.received >= since}
        rows = await self.query()
        end = time.monotonic()
        for address, failures, refused in rows:
            if address in accounts:
                self.ledger.samples.append(FailureSample(start, end, address, int(failures), int(refused)))
        self.count += 1


class Test:
    """One run: everything that it starts ends with it."""

    def __init__(self, options):
        self.options = options
        self.folder = tempfile.mkdtemp(prefix="understudy-cluster-")
        # PostgreSQL's user must reach its folders.
        os.chmod(self.folder, 0o711)
        self.problems = []
        self.ledger = Ledger()
        self.database = None
        # The options of the first node.
        self.storage = None
        self.nodes, self.links, self.clients, self.followers = [], [], [], []

    async def run(self):
        """Prints the report, and returns whether there is no violation."""
        try:
            await self._start()
            return await self._test()
        finally:
            await self._close()

    async def _start(self):
        options = self.options
        if options.storage == "postgresql":
            self.database = Database(self.folder, self.problems, Network.databases if options.network else None)
            await self.database.start()
        for number in range(1 if options.storage == "memory" else options.nodes):
            storage = await self._storage(number)
            self.storage = self.storage or storage
            network = self.links[number] if options.network else None
            self.nodes.append(Node(options.binary, self.folder, number, storage, self.problems, network))
        # At the same time, so that each tries to create the schema.
        await asyncio.gather(*(node.start() for node in self.nodes))

    async def _storage(self, number):
        """The options of a node about its database and its sessions."""
        sessions = [] if self.options.storage == "memory" else ["--sessions", "database"]
        if not self.database:
            return ["--database", os.path.join(self.folder, "understudy.sqlite"), *sessions]
        link = Network(number) if self.options.network else Link(self.database.ports)
        self.links.append(link)
        await link.start()
        if self.options.network:
            hosts = [f"{link.database_host}:{port}" for port in self.database.ports]
        else:
            hosts = [f"127.0.0.1:{proxy.port}" for proxy in link.proxies]
        options = "target_session_attrs=read-write&sslmode=disable"
        return ["--database", f"postgresql://{ROLE}@{','.join(hosts)}/{self.database.name}?{options}", *sessions]

    def _import_options(self):
        """The options of `products import` about the database."""
        return self.storage[:2]

    async def _throttles(self):
        if self.database:
            return await self.database.query(self.options.throttle_query)
        with sqlite3.connect(f"file:{self.folder}/understudy.sqlite?mode=ro", uri=True) as connection:
            return connection.execute(SQLITE_THROTTLES).fetchall()

    async def _test(self):
        options, start = self.options, time.monotonic()

        def report(text):
            if options.verbose:
                print(f"{time.monotonic() - start:7.1f} s  {text}", file=sys.stderr)

        links = NETWORK_FAULTS if options.network else LINK_FAULTS
        possible = SQLITE_FAULTS.get(options.storage, NODE_FAULTS + links + DATABASE_FAULTS)
        kinds = [kind for kind in options.faults if kind in possible]
        faults = Faults(options.seed, kinds, self.nodes, self.links, self.database, report)
        cluster = Cluster([node.address for node in self.nodes], self.ledger, options.seed)
        sampler = Sampler(self._throttles, self.ledger)
        self.clients = [Client(cluster, number) for number in range(1, options.clients + 1)]
        importer = Importer(options.binary, self.folder, self._import_options())
        self.followers = [Follower(cluster, importer, number) for number in range(1, 1 + options.clients // 4)]
        tasks = [faults, sampler, importer, *self.clients, *self.followers]
        running = [asyncio.create_task(one.run()) for one in tasks]
        # An error in one of them ends the test.
        await asyncio.wait(running, timeout=options.seconds, return_when=asyncio.FIRST_EXCEPTION)
        faults.stop()
        cluster.is_over = sampler.is_over = importer.is_over = True
        await asyncio.gather(*running)
        seconds = time.monotonic() - start
        events, waits = cluster.events, sorted(cluster.waits)
        audited = await audit(cluster)
        followed = await audit_followers(self.followers, importer)
        await sampler.sample()
        for node in self.nodes:
            node.signal(0)
        ledger = self.ledger
        violations = self.problems + cluster.violations + check_user_ids(ledger.saves)
        violations += check_failures(ledger.logins, ledger.samples) + check_throttled(ledger.logins)
        violations += check_right_passwords(ledger.logins)
        print(f"{events:,} events in {seconds:.0f} s by {len(self.clients)} clients at {len(self.nodes)} nodes, "
              f"in {cluster.sessions:,} sessions")
        print("faults: " + (", ".join(f"{count} {kind}" for kind, count in sorted(faults.counts.items())) or "none"))
        print(f"retries: {cluster.retries:,}; responses: {_list(cluster.statuses)}")
        print(f"wait of a client for its answer: p50 {_quantile(waits, 0.5)}, p99 {_quantile(waits, 0.99)}, "
              f"longest {_quantile(waits, 1)}")
        print(followed)
        print(f"checked at the end: {audited}; {sampler.count:,} samples of the failed logins")
        return _conclude(violations, options)

    async def _close(self):
        for client in [*self.clients, *self.followers]:
            client.close()
        for node in self.nodes:
            await node.close()
        for link in self.links:
            await link.close()
        if self.database:
            await self.database.close()
        if self.options.keep:
            print(f"The logs and the databases are in {self.folder}.", file=sys.stderr)
        else:
            shutil.rmtree(self.folder, ignore_errors=True)


def _list(counts):
    return ", ".join(f"{count:,} {name}" for name, count in sorted(Counter(counts).items()))


def _quantile(sorted_waits, quantile):
    """A wait as text."""
    if not sorted_waits:
        return "-"
    wait = sorted_waits[min(int(len(sorted_waits) * quantile), len(sorted_waits) - 1)]
    return f"{wait:.1f} s" if wait >= 1 else f"{wait * 1000:.1f} ms"


def _conclude(violations, options):
    for violation in violations[:20]:
        print(f"VIOLATION  {violation}")
    if violations:
        print(f"{len(violations)} violations; the seed is {options.seed}")
    else:
        print("No violation.")
    return not violations


async def _run(options):
    task = asyncio.current_task()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    return await Test(options).run()


def _faults(text):
    kinds = text.split(",") if text else []
    unknown = set(kinds) - set(ALL_FAULTS)
    if unknown:
        raise argparse.ArgumentTypeError(f"no fault is named {', '.join(sorted(unknown))}")
    return kinds


def main():
    parser = argparse.ArgumentParser(prog="scripts/checks/cluster-test", allow_abbrev=False)
    parser.add_argument("--binary")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--faults", type=_faults, default=list(ALL_FAULTS))
    parser.add_argument("--throttle-query", default=THROTTLES)
    parser.add_argument("--storage", choices=("postgresql", "sqlite", "memory"), default="postgresql")
    parser.add_argument("--network", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test.run()
    if options.network and (os.getuid() != 0 or options.storage != "postgresql"):
        parser.error("--network needs root and PostgreSQL")
    print(f"seed {options.seed}", flush=True)
    try:
        return 0 if asyncio.run(_run(options)) else 1
    except (asyncio.CancelledError, KeyboardInterrupt):
        print("cluster-test: interrupted", file=sys.stderr)
        return 130
    except RuntimeError as error:
        print(f"cluster-test: {error}; the seed is {options.seed}", file=sys.stderr)
        return 1


sys.exit(main())
