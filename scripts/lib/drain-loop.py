"""Stops a server under full load repeatedly, and checks that all accepted requests were answered.

    drain-loop.py PROGRAM COUNT

Each round starts PROGRAM with a new database, lets threads sign up and wrk send other events, and sends SIGTERM after a
random time. Then:

- every new user got a response: the accounts in the database are those whose sign-up was answered;
- a client that connects after the signal is rejected within a second;
- the exit status is 0, no later than the drain's ten seconds.

Exit status 1 at the first round in which a condition does not hold. The script then keeps the folder and prints its path.
"""
import http.client
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

THREADS = 8


class Round:
    def __init__(self, program, folder):
        self.database = os.path.join(folder, "understudy.sqlite")
        self.answered = [set() for _ in range(THREADS)]
        self.server = subprocess.Popen(
            [program, "serve", "--port", "0", "--data", folder, "--hash-memory", "64KiB", "--hash-iterations", "1",
             "--admin-port", "off", "--log-level", "error"],
            stdout=subprocess.PIPE, text=True)
        line = self.server.stdout.readline()
        if "Listening" not in line:
            raise SystemExit("the server did not start")
        self.port = int(line.rsplit(":", 1)[1])

    def run(self):
        """Yields the conditions that do not hold."""
        threads = [threading.Thread(target=self.load, args=(index,)) for index in range(THREADS)]
        for thread in threads:
            thread.start()
        load = subprocess.Popen(
            ["wrk", "-t1", "-c64", "-d30s", f"http://127.0.0.1:{self.port}/login"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.2, 0.8))
        start = time.monotonic()
        self.server.send_signal(signal.SIGTERM)
        refused = self.seconds_until_refused(start)
        status = None
        try:
            status = self.server.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.server.kill()
        took = time.monotonic() - start
        load.kill()
        load.wait()
        for thread in threads:
            thread.join()
        if status != 0:
            yield f"the exit status is {status}"
        if took > 10.5:
            yield f"it took {took:.1f} s to end"
        if refused > 1:
            yield f"new clients were accepted for {refused:.1f} s"
        connection = sqlite3.connect(self.database)
        created = {row[0] for row in connection.execute("SELECT email FROM account")}
        connection.close()
        answered = set().union(*self.answered)
        if created - answered:
            yield f"signed up without a response: {sorted(created - answered)}"
        if answered - created:
            yield f"answered but not signed up: {sorted(answered - created)}"
        self.count = len(answered)
        self.took = took

    def seconds_until_refused(self, start):
        while time.monotonic() - start < 12:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                time.sleep(0.001)
            except OSError:
                break
        return time.monotonic() - start

    def load(self, index):
        """Signs up until the server has stopped."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        count = 0
        try:
            while True:
                count += 1
                email = f"{index}.{count}@drain.example"
                body = json.dumps({"name": "Lisa", "email": email, "password": "correct horse battery staple"})
                connection.request("POST", "/signup", body, {"Content-Type": "application/json"})
                answer = connection.getresponse()
                text = answer.read()
                if answer.status == 200 and b"signup.successful" in text:
                    self.answered[index].add(email)
                elif answer.status != 503:
                    raise SystemExit(f"{answer.status}: {text}")
                if answer.getheader("Connection") == "close":
                    return
        except (OSError, http.client.HTTPException):
            return


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    total, slowest, begin = 0, 0, time.monotonic()
    for number in range(1, count + 1):
        folder = tempfile.mkdtemp(prefix="drain-loop-")
        one = Round(program, folder)
        wrong = list(one.run())
        if wrong:
            print(f"round {number}: " + "; ".join(wrong) + f"\nThe folder is {folder}", file=sys.stderr)
            raise SystemExit(1)
        shutil.rmtree(folder)
        total += one.count
        slowest = max(slowest, one.took)
    print(f"Stopped {count} times in {time.monotonic() - begin:.0f} s under load: {total} sign-ups, all of them answered; "
          f"the slowest stop took {slowest:.2f} s, exit status 0 each time.")


main()
