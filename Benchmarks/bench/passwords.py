"""64 clients that log in with correct passwords: what the server's processors do then, and what other clients wait."""

import json
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from time import sleep

from testbed.program import environment

import client
import events
import servers
from client import Failure
from estimate import estimate
from generators import latency, throughput, write_requests
from programs import say
from report import middle
from servers import RESULTS, Server

CLIENTS = 64
RATE = 1000  # events a second of the other clients
TIMEOUT = 30  # seconds that a login may take: 64 of them wait for each other
THREADS = "passwords"  # the name of the threads that only hash passwords


def make_accounts(programs, folder):
    """An account for each client, so that no account's logins wait for each other."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    people = folder / "people.jsonl"
    accounts = [events.account(number) for number in range(CLIENTS)]
    lines = [json.dumps({"email": account["username"], "password": account["password"]}) for account in accounts]
    people.write_text("\n".join(lines) + "\n")
    command = [programs.understudy, "account", "import", "--data", folder, people]
    imported = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    if imported.returncode != 0:
        raise Failure(f"the accounts could not be imported: {imported.stdout}{imported.stderr}")


def start(programs, folder, workers):
    command = servers.understudy_command(programs, "--data", folder, "--hash-workers", workers)
    command.remove("--demo")
    return Server("passwords", command)


def logins(server, seconds):
    """Runs of 64 clients. Returns the run, and the share of the threads that hash in the server's processor time."""
    requests = write_requests("logins", [events.accounts_login(i).request(server.port) for i in range(CLIENTS)])
    before, before_hashing = server.cpu(), server.thread_cpu(THREADS)
    run = throughput(server, requests, CLIENTS, seconds, timeout=TIMEOUT)
    return run, (server.thread_cpu(THREADS) - before_hashing) / (server.cpu() - before)


def run(programs, options, report):
    rounds, seconds = min(options.rounds, 3), 2 * options.seconds
    folder = (RESULTS / "accounts").resolve()
    say(f"creating {CLIENTS} accounts")
    make_accounts(programs, folder)
    runs, shares, without, during = [], [], [], []
    workers = max(1, os.cpu_count() - 1)
    # Each run has a server of its own, because the passwords of an earlier run may still wait after its clients have gone.
    for number in range(rounds):
        say(f"logins, round {number + 1} of {rounds}")
        with start(programs, folder, os.cpu_count()) as server:
            client.check(server.port, events.accounts_login(0), None)
            run_once, share = logins(server, seconds)
            runs.append(run_once)
            shares.append(share)
        with start(programs, folder, workers) as server, ThreadPoolExecutor(1) as background:
            server.token = client.new_token(server.port)
            client.check(server.port, events.BEARER, server.token)
            without.append(latency(programs, server, events.BEARER, RATE, 16, seconds))
            load = background.submit(logins, server, seconds + 2)
            sleep(1)  # until all clients wait
            during.append(latency(programs, server, events.BEARER, RATE, 16, seconds))
            load.result()
    share = estimate(shares)
    report.table(
        f"Correct logins of {CLIENTS} clients ({rounds} rounds of {seconds} s)",
        ["", "figure"],
        [
            [f"logins a second, {os.cpu_count()} hash workers (the default)", f"{middle(runs, 'rate'):.0f}"],
            ["processor time of a login, ms", f"{middle(runs, 'cost') / 1000:.1f}"],
            ["Argon2id's share of the server's processor time", share],
            [f"other clients' p99 without logins, {RATE:,} events a second, ms", f"{middle(without, 'p99'):.2f}"],
            [f"their p99 during logins, {workers} hash workers, ms", f"{middle(during, 'p99'):.2f}"],
            ["their p99.9 during logins, ms", f"{middle(during, 'p999'):.2f}"],
        ],
    )
    report.goal("Argon2id's share of the server's processor time", share, share.mean >= 0.9, "at least 0.9")
    p99 = middle(during, "p99")
    report.goal("other clients' p99 during logins, a core free, ms", f"{p99:.2f}", p99 < 10, "below 10")
