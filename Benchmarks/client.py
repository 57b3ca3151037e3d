"""The parts of the load benchmark that send requests to a server. Standard library only; see README.md.

    client.py port                      print a free port
    client.py wait PORT                 wait until GET /livez answers 200
    client.py token PORT BODY           start a session, lock its login page by sending BODY, a wrong login, five times,
                                        and print the bearer token
    client.py check PORT PATH BODY TOKEN TEXT
                                        send one event; fail unless it is answered with 200 and TEXT
    client.py fill PORT COUNT FILE BODY start COUNT sessions, one registration event each, and add their cookies to FILE
    client.py start BODY COMMAND…       start a server ({port} stands for its port), time its first answer, read its
                                        resident memory, stop it
"""

import http.client
import json
import re
import socket
import subprocess
import sys
import time

HOST = "127.0.0.1"
LIMIT = 10  # seconds that a server has to start, to answer or to stop


def port():
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return listener.getsockname()[1]


def answers(port):
    """Whether the server responds to GET /livez with 200; false until it listens."""
    connection = http.client.HTTPConnection(HOST, port, timeout=LIMIT)
    try:
        connection.request("GET", "/livez")
        return connection.getresponse().status == 200
    except ConnectionError:
        return False
    finally:
        connection.close()


def wait(port, pause):
    end = time.monotonic() + LIMIT
    while not answers(port):
        if time.monotonic() > end:
            sys.exit(f"port {port}: GET /livez did not answer 200 within {LIMIT} seconds")
        time.sleep(pause)


def post(port, path, body="", token=None, expected=200):
    """POSTs `body` and returns the text of the response."""
    headers = {"Content-Type": "application/json"} if body else {}
    if token:
        headers["Authorization"] = "Bearer " + token
    connection = http.client.HTTPConnection(HOST, port, timeout=LIMIT)
    connection.request("POST", path, body, headers)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    if response.status != expected:
        sys.exit(f"port {port}: POST {path} was answered with {response.status}: {text}")
    return text


def token(port, body):
    """The token of a session whose login page rejects every login, after five wrong ones."""
    token = json.loads(post(port, "/session", expected=201))["token"]
    for _ in range(5):
        post(port, "/login", body, token)
    return token


def check(port, path, body, token, text):
    answer = post(port, path, body, token)
    if text not in answer:
        sys.exit(f"port {port}: POST {path} was answered without {text}: {answer}")


def fill(port, count, file, body):
    """Sends the events over one connection, a few at a time, and keeps the cookie of each response."""
    request = (
        f"POST /register HTTP/1.1\r\nHost: {HOST}:{port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    ).encode()
    buffer = b""
    with open(file, "a") as cookies, socket.create_connection((HOST, port), timeout=LIMIT) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while count > 0:
            # Few enough that neither side's buffers fill up.
            expected = min(count, 16)
            connection.sendall(request * expected)
            count -= expected
            while expected > 0:
                head, separator, rest = buffer.partition(b"\r\n\r\n")
                length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.I) if separator else None
                if length is None or len(rest) < int(length[1]):
                    more = connection.recv(65536)
                    if not more:
                        sys.exit(f"port {port}: the connection was closed while sessions were started")
                    buffer += more
                    continue
                found = re.findall(rb"\r\nset-cookie: *(session=[^;\r]+)", head, re.I)
                if not head.startswith(b"HTTP/1.1 200 ") or not found:
                    sys.exit(f"port {port}: POST /register did not start a session: {(head + rest).decode()}")
                cookies.write(found[0].decode() + "\n")
                buffer = rest[int(length[1]) :]
                expected -= 1


def resident(pid):
    """The resident memory of a process, in KiB."""
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"VmRSS:\s*(\d+) kB", status.read())[1])


def start(body, command):
    number = port()
    began = time.perf_counter()
    server = subprocess.Popen([part.replace("{port}", str(number)) for part in command], stdout=subprocess.DEVNULL)
    try:
        # The pause leaves the core to the server, and limits the precision of the figure.
        wait(number, pause=0.0002)
        milliseconds = (time.perf_counter() - began) * 1000
        after_start = resident(server.pid)
        token(number, body)
        print(f"milliseconds={milliseconds:.1f} kib={after_start} kib_login={resident(server.pid)}")
    finally:
        server.terminate()
        try:
            server.wait(LIMIT)
        except subprocess.TimeoutExpired:
            server.kill()


def main(command, *arguments):
    if command == "port":
        print(port())
    elif command == "wait":
        wait(int(arguments[0]), pause=0.02)
    elif command == "token":
        print(token(int(arguments[0]), arguments[1]))
    elif command == "check":
        check(int(arguments[0]), *arguments[1:])
    elif command == "fill":
        fill(int(arguments[0]), int(arguments[1]), *arguments[2:])
    elif command == "start":
        start(arguments[0], arguments[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
