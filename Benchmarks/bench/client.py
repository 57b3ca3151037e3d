"""Single requests, where a load generator is not needed."""

import json
import re
import socket
import ssl
import time

from events import HOST, LOGIN

TIMEOUT = 10  # seconds that a server may take to start or to respond


class Failure(Exception):
    """The run cannot give figures. The text names the reason."""


# Certificates are self-signed here.
TLS = ssl.create_default_context()
TLS.check_hostname = False
TLS.verify_mode = ssl.CERT_NONE


def connect(port, tls=False):
    connection = socket.create_connection((HOST, port), timeout=TIMEOUT)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return TLS.wrap_socket(connection) if tls else connection


class Responses:
    """Reads the responses of a connection, one after the other. Those without Content-Length have no body."""

    def __init__(self, connection):
        self.connection, self.buffer = connection, b""

    def next(self):
        """The header and the body."""
        while True:
            header, end, rest = self.buffer.partition(b"\r\n\r\n")
            found = re.search(rb"\r\ncontent-length: *(\d+)", header, re.I)
            length = int(found[1]) if found else 0
            if end and len(rest) >= length:
                self.buffer = rest[length:]
                return header + end, rest[:length]
            more = self.connection.recv(65536)
            if not more:
                raise Failure(f"a server closed the connection: {self.buffer.decode()}")
            self.buffer += more


def exchange(port, request, tls=False):
    """The header and the body of the response to a request."""
    with connect(port, tls) as connection:
        connection.sendall(request)
        return Responses(connection).next()


def get(port, path, tls=False):
    header, body = exchange(port, f"GET {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n".encode(), tls)
    return status_of(header), body.decode()


def status_of(header):
    return int(header.split(b" ", 2)[1])


def is_ready(port, tls):
    try:
        return get(port, "/livez", tls)[0] == 200
    except (OSError, Failure):
        return False


def wait_until_ready(port, is_alive, pause, timeout, tls):
    """Returns whether the server responded with 200 within the timeout."""
    end = time.monotonic() + timeout
    while not is_ready(port, tls):
        if not is_alive() or time.monotonic() > end:
            return False
        time.sleep(pause)
    return True


def start_session(port, tls=False):
    """The token of a new session."""
    request = f"POST /session HTTP/1.1\r\nHost: {HOST}:{port}\r\nContent-Length: 0\r\n\r\n"
    return json.loads(exchange(port, request.encode(), tls)[1])["token"]


def new_token(port, tls=False):
    """The token of a new session whose login page rejects every login, after five wrong ones."""
    token = start_session(port, tls)
    for _ in range(5):
        exchange(port, LOGIN.request(port, token), tls)
    return token


def check(port, event, token):
    """Sends the event and returns the response. Load generators count every 2xx as a success, so its text is checked here."""
    header, body = exchange(port, event.request(port, token))
    if status_of(header) != 200 or event.response not in body.decode():
        raise Failure(f"port {port}, {event.name}: expected 200 with {event.response}, received {(header + body).decode()}")
    return header, body


def start_sessions(port, event, count):
    """Sends an event that starts a session so many times, on one connection. Returns the tokens."""
    request, tokens = event.request(port), []
    with connect(port) as connection:
        responses = Responses(connection)
        while len(tokens) < count:
            batch = min(count - len(tokens), 16)  # few enough that the buffers of the sockets do not fill up
            connection.sendall(request * batch)
            for _ in range(batch):
                header, body = responses.next()
                cookie = re.search(rb"\r\nset-cookie: *session=([^;\r]+)", header, re.I)
                if status_of(header) != 200 or not cookie:
                    raise Failure(f"port {port}: {event.name} started no session: {(header + body).decode()}")
                tokens.append(cookie[1].decode())
    return tokens
