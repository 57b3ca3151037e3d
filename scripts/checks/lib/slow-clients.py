"""Measures how long other clients wait while 1,000 slow clients use the server. Called by scripts/checks/slow-clients."""

import os
import resource
import socket
import subprocess
import sys
import time

from testbed.program import Program

KINDS = {
    "slow heads": ["-H", "-i", "5", "-t", "GET", "-u", "{}/login"],
    "slow bodies": ["-B", "-i", "5", "-s", "8192", "-t", "POST", "-u", "{}/login"],
    "slow readers": ["-X", "-w", "1", "-y", "20", "-n", "5", "-z", "32", "-k", "3", "-u", "{}/openapi.yaml"],
}
BODY = b'{"userID":"012345678912"}'
REQUEST = (
    b"POST /register HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(BODY), BODY)
)


def wait_of_one(port):
    """The milliseconds that a new client waits for its response."""
    start = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        client.sendall(REQUEST)
        answer = client.recv(4096)
    if not answer.startswith(b"HTTP/1.1 200 "):
        sys.exit(f"slow-clients: not answered: {answer[:80]!r}")
    return (time.monotonic() - start) * 1000


def wait_for_clients(server, count):
    """Waits until the server has that number of open connections."""
    end = time.monotonic() + 15
    while len(os.listdir(f"/proc/{server.pid}/fd")) < count:
        if time.monotonic() > end:
            sys.exit(f"slow-clients: after 15 s the server does not have {count} connections")
        time.sleep(0.05)


def main():
    understudy, seconds = sys.argv[1], int(sys.argv[2])
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    server = Program(understudy, "--demo", "--log-level", "error")
    try:
        port = server.port
        is_met = True
        for name, options in KINDS.items():
            options = [option.format(f"http://127.0.0.1:{port}") for option in options]
            slow = subprocess.Popen(
                ["slowhttptest", "-c", "1000", "-r", "300", "-l", str(seconds), "-p", "3", *options],
                stdout=subprocess.DEVNULL,
            )
            wait_for_clients(server, 1000)
            waits = []
            while slow.poll() is None and len(waits) < 100_000:
                waits.append(wait_of_one(port))
                time.sleep(0.005)
            slow.wait()
            if slow.returncode != 0 or not waits:
                sys.exit(f"slow-clients: slowhttptest ended with status {slow.returncode}")
            waits.sort()
            p99 = waits[int(len(waits) * 0.99)]
            is_met = is_met and p99 <= 100
            print(
                f"{name}: {len(waits)} other clients answered, p50 {waits[len(waits) // 2]:.1f} ms, p99 {p99:.1f} ms, "
                f"max {waits[-1]:.1f} ms",
                flush=True,
            )
        sys.exit(0 if is_met else 2)
    except (OSError, ValueError, IndexError) as error:
        sys.exit(f"slow-clients: {error}")
    finally:
        server.kill()


main()
