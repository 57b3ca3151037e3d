"""Stops a server under full load repeatedly, and checks that all accepted requests were answered.

    drain-loop.py PROGRAM COUNT STOPS

Each round starts PROGRAM with a new database, lets threads sign up and wrk send other events, and sends SIGTERM after a
random time. Then:

- every new user got a response: the accounts in the database are those whose sign-up was answered;
- a client that connects after the signal is rejected within a second;
- the exit status is 0, no later than the drain's ten seconds.

Then two servers with --drain-delay run behind nginx, which reuses its connections to them. Clients send requests without a key, which
nginx does not repeat, while the servers are restarted in turns, STOPS times together. None may get a status other than 200.

Exit status 1 at the first round in which a condition does not hold. The script then keeps the folder and prints its path.
"""
import http.client
import json
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from testbed.program import CHEAP_HASH, PASSWORD, Program, free_port

THREADS = 8


class Round:
    def __init__(self, program, folder):
        self.database = os.path.join(folder, "understudy.sqlite")
        self.answered = [set() for _ in range(THREADS)]
        self.server = Program(program, "--data", folder, *CHEAP_HASH, "--log-level", "error")

    def run(self):
        """Yields the conditions that do not hold."""
        threads = [threading.Thread(target=self.load, args=(index,)) for index in range(THREADS)]
        for thread in threads:
            thread.start()
        load = subprocess.Popen(
            ["wrk", "-t1", "-c64", "-d30s", f"http://127.0.0.1:{self.server.port}/login"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.2, 0.8))
        start = time.monotonic()
        self.server.process.terminate()
        refused = self.seconds_until_refused(start)
        status = self.server.wait(15)
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
                socket.create_connection(("127.0.0.1", self.server.port), timeout=1).close()
                time.sleep(0.001)
            except OSError:
                break
        return time.monotonic() - start

    def load(self, index):
        """Signs up until the server has stopped."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        count = 0
        try:
            while True:
                count += 1
                email = f"{index}.{count}@drain.example"
                body = json.dumps({"name": "Lisa", "email": email, "password": PASSWORD})
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


NGINX = """
pid nginx.pid;
daemon off;
master_process off;
error_log stderr;
events { worker_connections 4096; }
http {
    access_log off;
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
    upstream nodes {
        server 127.0.0.1:%d max_fails=0;
        server 127.0.0.1:%d max_fails=0;
        keepalive 32;
    }
    server {
        listen 127.0.0.1:%d;
        location / {
            proxy_pass http://nodes;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
        }
    }
}
"""


def behind_nginx(program, folder, stops):
    """Restarts servers behind nginx. Returns how many requests got which status."""
    nodes = [Program(program, "--demo", "--drain-delay", "2s", "--log-level", "error", port=free_port()) for _ in range(2)]
    port, statuses, over = free_port(), {}, threading.Event()
    with open(os.path.join(folder, "nginx.conf"), "w") as file:
        file.write(NGINX % (nodes[0].port, nodes[1].port, port))
    nginx = subprocess.Popen(
        ["/usr/sbin/nginx", "-p", folder, "-c", "nginx.conf"], stderr=open(os.path.join(folder, "nginx.log"), "w"))
    lock = threading.Lock()

    def load():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        while not over.is_set():
            try:
                connection.request("POST", "/register", "userID=012345678912",
                                   {"Content-Type": "application/x-www-form-urlencoded"})
                answer = connection.getresponse()
                answer.read()
                status = answer.status
            except (OSError, http.client.HTTPException) as error:
                status = type(error).__name__
                connection.close()
            with lock:
                statuses[status] = statuses.get(status, 0) + 1

    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        threads = [threading.Thread(target=load) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for number in range(stops):
            time.sleep(0.5)
            node = nodes[number % 2]
            status = node.stop()
            if status != 0:
                raise SystemExit(f"a server behind nginx ended with {status}")
            node.start()
        over.set()
        for thread in threads:
            thread.join()
    finally:
        over.set()
        nginx.terminate()
        nginx.wait()
        for node in nodes:
            node.kill()
    return statuses


def main():
    program, count, stops = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
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
    folder = tempfile.mkdtemp(prefix="drain-loop-")
    statuses = behind_nginx(program, folder, stops)
    if set(statuses) != {200}:
        print(f"behind nginx: {statuses}\nThe folder is {folder}", file=sys.stderr)
        raise SystemExit(1)
    shutil.rmtree(folder)
    print(f"Stopped {stops} times behind nginx: {statuses[200]} requests, all with status 200.")


main()
