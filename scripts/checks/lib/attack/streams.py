"""Streams of a session's history, and requests that wait for it."""

import resource
import socket
import time

from harness import Broken, bearer, login_request, wait_until
from registry import attack, judge

KIB = 1024
STREAM = ("Accept", "text/event-stream")


def new_token(client):
    return client.request("POST", "/session").json["token"]


def open_stream(server, token, *headers, address=None, query=""):
    """A client that follows the history of a session, after the first bytes of the response."""
    client = server.client(address=address)
    client.send("GET", f"/session/history{query}", [bearer(token), STREAM, *headers])
    while b"\r\n\r\n" not in client.rest:
        if not client.fill():
            break
    return client


def until_problem(stream):
    """What a stream contains up to its last event, or after ten seconds."""
    data = stream.rest
    stream.socket.settimeout(10)
    while b"event: problem" not in data or not data.endswith(b"0\r\n\r\n"):
        try:
            more = stream.socket.recv(65536)
        except TimeoutError:
            break
        if not more:
            break
        data += more
    return data


def status(client):
    return client.rest.split(b" ", 2)[1].decode() if client.rest else "closed"


@attack(11, "A client that does not receive its stream delays no event, and the server keeps at most 64 KiB for it")
def stream_slow_reader(run):
    with run.server("--requests", "off", demo=True) as server, server.client() as client:
        tokens = [new_token(client) for _ in range(20)]
        streams = []
        for token in tokens:
            stream = open_stream(server, token)
            stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            streams.append(stream)
        text = "x" * 900
        before, slowest = server.memory("RssAnon"), 0
        for _ in range(300):
            for token in tokens:
                start = time.monotonic()
                response = client.post("/register", ("userID", text), headers=[bearer(token)])
                if response.status != 200:
                    raise Broken(f"an event gets {response.summary}")
                slowest = max(slowest, time.monotonic() - start)
        each = (server.memory("RssAnon") - before) / len(tokens)
        for stream in streams:
            stream.close()
    # The session itself keeps at most 64 KiB.
    return judge(
        f"{each / KIB:.0f} KiB for each of {len(tokens)} streams and their sessions, the slowest event {slowest * 1000:.0f} ms",
        (each <= 192 * KIB, "at most 64 KiB for a stream and 64 KiB for its session, and as much for the allocator"),
        (slowest < 0.5, "no event takes half a second"),
    )


@attack(11, "A position of another session, or an impossible one, shows nothing of another session, and costs nothing")
def stream_position(run):
    with run.server("--requests", "off", demo=True) as server, server.client() as client:
        victim, attacker = new_token(client), new_token(client)
        for number in range(5):
            client.post("/register", ("userID", f"secret{number}"), headers=[bearer(victim)])
        answers = []
        for position in ("5", "4294967295"):
            stream = open_stream(server, attacker, ("Last-Event-ID", position))
            client.post("/signup", ("event", "viewDidLoad"), headers=[bearer(attacker)])
            answers.append(stream.until_closed(0.3)[0])
            stream.close()
        rejected = [status(open_stream(server, attacker, ("Last-Event-ID", value))) for value in ("-1", "x", "99999999999999999999")]
        waits = [client.request("GET", f"/session/history?{query}", [bearer(attacker)]).summary for query in ("wait=51", "wait=-1", "wait=1e9")]
    return judge(
        f"{sum(b'historyGone' in answer for answer in answers)} of 2 positions are gone, {' '.join(rejected)}, {' '.join(waits)}",
        (all(b"historyGone" in answer for answer in answers), "the client must read its pages again"),
        (not any(b"secret" in answer for answer in answers), "nothing of the other session"),
        (rejected == ["400"] * 3 and all(wait.startswith("400") for wait in waits), "400 for what is not a position or a duration"),
    )


@attack(11, "A stream ends with its session: at a login, a logout, its end and its expiry, and does not keep it alive")
def stream_outlives_session(run):
    with run.server("--requests", "off", "--session-idle", "2s", demo=True) as server, server.client() as client:
        logged_in, ended, idle = new_token(client), new_token(client), new_token(client)
        streams = [open_stream(server, token) for token in (logged_in, ended, idle)]
        login = client.request(*login_request("batman", "bruce", [bearer(logged_in)]))
        later = open_stream(server, login.json["token"])
        client.request("DELETE", "/session", [bearer(ended)])
        client.post("/home", ("event", "logoutButtonPressed"), headers=[bearer(login.json["token"])])
        results = [until_problem(stream) for stream in (*streams, later)]
        for stream in (*streams, later):
            stream.close()
    problems = sum(b"notAuthenticated" in data for data in results)
    return judge(
        f"{problems} of 4 streams end with a problem",
        (problems == 4, "all of them, also that of the session without use for two seconds"),
        (not any(b"batman" in data for data in results[:1]), "the stream of the old token shows nothing of the user"),
    )


@attack(11, "At most 4 requests wait for a session, the latest, and 100 for one address; others are not affected")
def stream_limits(run):
    with run.server("--trusted-proxies", "127.0.0.1", "--requests", "off", "--sessions-per-address", "off", demo=True) as server:
        with server.client(address="198.51.100.7") as client:
            tokens = [new_token(client) for _ in range(40)]
        streams = [open_stream(server, tokens[0], address="198.51.100.7") for _ in range(6)]
        statuses = [status(stream) for stream in streams]
        replaced = [b"tooManyRequests" in until_problem(stream) for stream in streams[:2]]
        for token in tokens[1:]:
            streams += [open_stream(server, token, address="198.51.100.7") for _ in range(4)]
        accepted = sum(status(stream) == "200" for stream in streams)
        with server.client(address="203.0.113.9") as client:
            other = status(open_stream(server, new_token(client), address="203.0.113.9"))
        for stream in streams:
            stream.close()
    return judge(
        f"{' '.join(statuses)} for one session, {accepted} for the address, {other} for another one",
        (statuses == ["200"] * 6 and replaced == [True, True], "the fifth and the sixth for a session replace the first and the second"),
        (accepted == 102, "100 for an address, and the two that have ended"),
        (other == "200", "another address gets a stream"),
    )


@attack(11, "Streams that clients open and close leave nothing behind: no connection, no memory")
def stream_churn(run):
    with run.server("--requests", "off", demo=True, admin=True) as server, server.client() as client:
        tokens = [new_token(client) for _ in range(50)]

        def churn(rounds):
            for _ in range(rounds):
                clients = [open_stream(server, token) for token in tokens]
                for token in tokens:
                    clients.append(server.client())
                    clients[-1].send("GET", "/session/history?since=0&wait=50", [bearer(token)])
                for other in clients:
                    other.close()
                # The server notices a closed connection within a second.
                if not wait_until(lambda: server.metric("understudy_connections") == 1, 5):
                    raise Broken("the server keeps connections that their clients have closed")

        # Until nothing is new to the server: the first eight rounds take up to 540 KB once, a later six 15 to 250 KB.
        churn(8)
        before = server.memory("RssAnon")
        churn(6)
        grown = server.memory("RssAnon") - before
    return judge(f"{grown / 600:.0f} bytes for each", (grown <= 512 * KIB, "at most 512 KiB for 600"))


@attack(11, "10,000 idle streams take at most 20 KiB each and 3 % of a processor, and events stay fast", short=False)
def stream_crowd(run):
    count = 10_000
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with run.server("--requests", "off", "--max-connections", "12000", "--loops", "1", demo=True) as server:
        with server.client() as client:
            tokens = [new_token(client) for _ in range(count)]
            before = server.memory("RssAnon")
            streams = [open_stream(server, token) for token in tokens]
            each = (server.memory("RssAnon") - before) / count
            start, cpu = time.monotonic(), server.cpu()
            time.sleep(30)
            share = (server.cpu() - cpu) / (time.monotonic() - start)
            times = []
            for token in tokens[:100]:
                start = time.monotonic()
                client.post("/register", ("userID", "1"), headers=[bearer(token)])
                times.append(time.monotonic() - start)
        for stream in streams:
            stream.close()
    return judge(
        f"{each / KIB:.1f} KiB each, {share:.1%} of a processor, the slowest event {max(times) * 1000:.0f} ms",
        (each <= 20 * KIB, "at most 20 KiB"),
        (share <= 0.03, "at most 3 % of a processor"),
        (max(times) < 0.1, "each event within 100 ms"),
    )


@attack(11, "A publication by another process reaches the last of 1,000 streams within a second after the server has noticed it")
def stream_publication(run):
    # A server notices what other processes have changed in an SQLite file within half a second.
    with run.server("--requests", "off", "--max-connections", "2000") as server:
        with server.client() as client:
            streams = []
            for _ in range(100 if run.is_short else 1000):
                token = new_token(client)
                client.request("POST", "/products", [bearer(token)])
                streams.append(open_stream(server, token))
        delays = []
        for number in range(3):
            name = f"Lamp{number}".encode()
            server.import_records("products", [{"name": f"Lamp{number}", "description": "A lamp"}])
            start = time.monotonic()
            for stream in streams:
                while name not in stream.rest:
                    if not stream.fill():
                        raise Broken("a stream has ended")
            delays.append(time.monotonic() - start)
        for stream in streams:
            stream.close()
    return judge(f"{max(delays) * 1000:.0f} ms to the last of {len(streams)}", (max(delays) <= 1.5, "at most 1.5 s in all"))
