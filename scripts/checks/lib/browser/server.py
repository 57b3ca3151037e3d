"""A server for tests in a browser: it serves test pages and understudy.js under the strict policy, forwards every other request to
the program, and injects faults between the two. Python's standard library only."""

import asyncio
import json
import pathlib
import re
import threading

ROOT = pathlib.Path(__file__).resolve().parents[4]
MODULE = ROOT / "Sources/HTMLPages/Resources/understudy.js"
PAGES = ROOT / "Tests/Browser/pages"
POLICY = ("default-src 'self'; img-src 'self' data:; require-trusted-types-for 'script'; frame-ancestors 'none'; "
          "form-action 'self'; base-uri 'none'")
REASONS = {200: "OK", 204: "No Content", 303: "See Other", 404: "Not Found"}


class Request:
    def __init__(self, method, target, headers, body):
        self.method, self.target, self.headers, self.body = method, target, headers, body
        self.path = target.partition("?")[0]
        self.key = headers.get("idempotency-key")
        self.wants_stream = headers.get("accept", "").startswith("text/event-stream")
        self.status = None

    def __repr__(self):
        return f"{self.method} {self.target} {self.body.decode()} → {self.status}"


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @staticmethod
    def json(value, status=200, **headers):
        kind = "application/json" if status < 400 else "application/problem+json"
        fields = [(name.replace("_", "-"), str(value)) for name, value in headers.items()]
        return Response(status, [("Content-Type", kind), ("Cache-Control", "no-store"), *fields], json.dumps(value).encode())

    def encode(self):
        lines = [f"HTTP/1.1 {self.status} {REASONS.get(self.status, 'Status')}"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        if self.status != 204:
            lines.append(f"Content-Length: {len(self.body)}")
        return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + self.body


class StreamedResponse:
    """Server-sent events. A part that is a threading.Event holds the parts after it until the test sets it."""

    def __init__(self, parts, status=200):
        self.parts, self.status = parts, status

    def encode_head(self):
        return f"HTTP/1.1 {self.status} OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n".encode()


def server_sent(name, data):
    number = f"id: {data['sequence']}\n" if name == "command" else ""
    return f"event: {name}\n{number}data: {json.dumps(data)}\n\n".encode()


class Fault:
    """What happens to the next `times` requests that match. `gate` holds a response until the test releases it."""

    def __init__(self, kind, method, path, times, status=None, retry_after=None):
        self.kind, self.method, self.path, self.times = kind, method, path, times
        self.status, self.retry_after = status, retry_after
        self.hits = 0
        self.gate = threading.Event()

    def release(self):
        self.gate.set()


class Server:
    """`program` is the port of the program. `answers` replaces it: a function from requests to responses for a path."""

    def __init__(self, program):
        self.program = program
        self.loop = asyncio.new_event_loop()
        started = threading.Event()
        threading.Thread(target=self._run, args=(started,), daemon=True).start()
        started.wait()
        self.reset()

    def reset(self):
        for fault in getattr(self, "faults", []):
            fault.release()
        self.faults, self.requests, self.answers, self.html = [], [], {}, {}
        # The requests that wait for the history: open streams, and all that there have been. Whether streams are refused.
        self.open_streams, self.waiting, self.refuses_streams, self.history = [], [], False, None
        # The key of each event that the program has run: once for each run, in whichever session.
        self.runs = []
        self.offline = False
        # The real server starts a session when it sends HTML, unless the cookie's session is valid: a key belongs to a session.
        self.starts_sessions = True

    def fault(self, kind, method="POST", path=".*", times=1, **options):
        """kind: delay, drop-request, drop-response, cut, duplicate, garble, or status (with `status` and `retry_after`)."""
        self.faults.append(Fault(kind, method, path, times, **options))
        return self.faults[-1]

    def posts(self, path=None):
        return [r for r in self.requests if r.method == "POST" and path in (None, r.path)]

    def _run(self, started):
        asyncio.set_event_loop(self.loop)

        async def main():
            self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
            self.port = self.server.sockets[0].getsockname()[1]
            # The same pages with another origin.
            self.other = await asyncio.start_server(self._serve_other, "127.0.0.1", 0)
            self.other_port = self.other.sockets[0].getsockname()[1]
            started.set()
            await self.server.serve_forever()

        self.loop.run_until_complete(main())

    async def _serve(self, reader, writer):
        try:
            request = await read_request(reader)
            if request and not self.offline:
                is_history = request.method == "GET" and request.path == "/session/history"
                is_waiting = is_history and ("wait=" in request.target or request.wants_stream)
                await (self._wait(request, reader, writer) if is_waiting else self._respond(request, writer))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _serve_other(self, reader, writer):
        request = await read_request(reader)
        response = request and self._file(request)
        if response:
            # This policy also allows the requests to the server.
            data = response.encode().replace(b"default-src 'self';", f"default-src 'self'; connect-src http://localhost:{self.port};".encode())
            writer.write(data)
            await writer.drain()
        writer.close()

    async def _respond(self, request, writer):
        if response := self._file(request):
            if self.starts_sessions and request.path != "/understudy.js" and not await self._has_session(request):
                start = await self._forward(Request("POST", "/session", {"host": "localhost"}, b""))
                token = json.loads(start.body)["token"]
                response.headers.append(("Set-Cookie", f"session={token}; Path=/; HttpOnly; SameSite=Lax"))
            writer.write(response.encode())
            return await writer.drain()
        self.requests.append(request)
        fault = next((f for f in self.faults if f.hits < f.times and f.method == request.method and re.fullmatch(f.path, request.path)), None)
        if fault:
            fault.hits += 1
            if fault.kind == "drop-request":
                return
            if fault.kind == "status":
                extra = {} if fault.retry_after is None else {"Retry_After": fault.retry_after}
                request.status = fault.status
                problem = Response.json({"title": "A title", "status": fault.status, "code": "tooManyRequests"}, fault.status, **extra)
                writer.write(problem.encode())
                return
            if fault.kind == "duplicate":
                await self._forward(request)
        response = await self._forward(request)
        request.status = response.status
        if isinstance(response, StreamedResponse):
            writer.write(response.encode_head())
            for part in response.parts:
                await (self.loop.run_in_executor(None, part.wait, 20) if isinstance(part, threading.Event) else self._write(writer, part))
            return
        data = response.encode()
        if fault and fault.kind == "delay":
            await self.loop.run_in_executor(None, fault.gate.wait, 20)
        elif fault and fault.kind == "drop-response":
            return
        elif fault and fault.kind == "cut":
            data = data[:-len(response.body) // 2]
        elif fault and fault.kind == "garble":
            data = Response(200, [("Content-Type", "text/html")], b"<h1>Welcome to the hotel</h1>").encode()
        writer.write(data)
        await writer.drain()

    async def _write(self, writer, data):
        writer.write(data)
        await writer.drain()

    async def _wait(self, request, reader, writer):
        """A stream of the history, or a long poll, until the browser closes it."""
        self.waiting.append(request)
        if request.wants_stream and self.refuses_streams:
            return await self._write(writer, Response.json({"title": "Too many", "status": 429, "code": "tooManyRequests"}, 429).encode())
        self.open_streams.append(request)
        source = self._show_history(request, writer) if "/session/history" in self.answers else self._relay(request, writer)
        tasks = [asyncio.ensure_future(source), asyncio.ensure_future(reader.read())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if request in self.open_streams:
                self.open_streams.remove(request)

    async def _relay(self, request, writer):
        reader, program = await asyncio.open_connection("127.0.0.1", self.program)
        try:
            program.write(encode_head(request, {**request.headers, "connection": "close"}))
            while part := await reader.read(65536):
                await self._write(writer, part)
        finally:
            program.close()

    async def _show_history(self, request, writer):
        """The history of a FakePage, which sends nothing unless its `is_followed` is set."""
        since = int(re.search(r"since=(\d+)", request.target)[1])
        if not request.wants_stream:
            while not self._history_after(since):
                await asyncio.sleep(0.01)
            return await self._write(writer, self.answers["/session/history"](request).encode())
        await self._write(writer, StreamedResponse([]).encode_head() + b":\n\n")
        while True:
            for command in self._history_after(since):
                since = command["sequence"]
                await self._write(writer, server_sent("command" if "command" in command else "historyGone", command))
            if self.history and self.history.has_ended:
                return await self._write(writer, server_sent("problem", {"status": 401, "code": "notAuthenticated"}))
            await asyncio.sleep(0.01)

    def _history_after(self, since):
        page = self.history
        return [command for command in page.history if command["sequence"] > since] if page and page.is_followed else []

    def _file(self, request):
        if request.method != "GET":
            return None
        if request.path == "/understudy.js":
            headers = [("Content-Type", "text/javascript; charset=utf-8"), ("Access-Control-Allow-Origin", "*")]
            return Response(200, headers, MODULE.read_bytes())
        if not request.headers.get("accept", "").startswith("text/html"):
            return None
        name = request.path.strip("/") or "index"
        html = self.html.get(name)
        if html is None and (PAGES / f"{name}.html").exists():
            html = (PAGES / f"{name}.html").read_text()
        if html is None:
            return Response(404, [("Content-Type", "text/html")], b"<h1>There is no such page</h1>")
        headers = [("Content-Type", "text/html; charset=utf-8"), ("Content-Security-Policy", POLICY)]
        return Response(200, headers, html.replace("{{server}}", f"http://localhost:{self.port}").encode())

    async def _has_session(self, request):
        """Whether the program accepts the session's cookie."""
        cookie = request.headers.get("cookie", "")
        if "session=" not in cookie:
            return False
        history = Request("GET", "/session/history", {"host": "localhost", "cookie": cookie}, b"")
        return (await self._forward(history)).status != 401

    async def _forward(self, request):
        if answer := self.answers.get(request.path):
            return answer(request)
        reader, writer = await asyncio.open_connection("127.0.0.1", self.program)
        headers = {**request.headers, "connection": "close"}
        if request.body or request.method == "POST":
            headers = {"content-length": len(request.body), **headers}
        writer.write(encode_head(request, headers) + request.body)
        data = await reader.read()
        writer.close()
        head, _, body = data.partition(b"\r\n\r\n")
        status, *lines = head.decode().split("\r\n")
        fields = [tuple(line.split(": ", 1)) for line in lines]
        fields = [(name, value) for name, value in fields if name.lower() not in ("content-length", "connection")]
        response = Response(int(status.split()[1]), fields, body)
        if request.key and response.status == 200 and not any(name.lower() == "idempotency-replayed" for name, _ in fields):
            self.runs.append(request.key)
        return response


def encode_head(request, headers):
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{request.method} {request.target} HTTP/1.1\r\n{lines}\r\n".encode()


async def read_request(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode().strip().split("\r\n")
    method, target, _ = first.split()
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines if ": " in line)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(method, target, headers, body)


class FakePage:
    """A page of the test's own, with one session: `react` returns the commands and errors of an event."""

    def __init__(self, server, name, events, react, fields=()):
        self.name, self.react, self.sequence, self.rendered, self.history = name, react, 0, {}, []
        self.values, self.answers, self.effects, self.outputs = {}, {}, [], []
        self.events = [{"event": event, "default": index == 0, "reads": reads, "secret": []} for index, (event, reads) in enumerate(events.items())]
        self.fields = [{"name": name, "kind": kind, "secret": False} for name, kind in dict(fields).items()]
        server.answers["/" + name] = self.respond
        server.answers["/session/history"] = self.show_history
        # Whether streams send the commands, and whether the session has ended for them.
        self.is_followed = self.has_ended = False
        self.updates = []
        server.history = self

    def give(self, commands):
        """Gives commands, as an event of another tab does."""
        numbered = []
        for command in commands:
            self.sequence += 1
            numbered.append({"sequence": self.sequence, "page": self.name, **command})
            if command["command"] == "render":
                self.rendered[command["key"]] = command["value"]
        self.history += numbered
        return numbered

    def lose(self, commands):
        """Gives commands that the history does not keep."""
        self.give(commands)
        self.history = [{"sequence": self.sequence}]

    def respond(self, request):
        if request.method == "GET":
            return Response.json({"page": self.name, "sequence": self.sequence, "rendered": self.rendered, "alert": None, "goToPage": None,
                                  "values": self.values, "fields": self.fields, "outputs": self.outputs, "events": self.events,
                                  "updates": self.updates})
        if request.key and request.key in self.answers:
            return Response.json(self.answers[request.key], Idempotency_Replayed="true")
        from urllib.parse import parse_qsl
        values = {}
        for name, text in parse_qsl(request.body.decode(), keep_blank_values=True):
            values[name] = [*([values[name]] if isinstance(values[name], str) else values[name]), text] if name in values else text
        event = values.pop("event")
        self.effects.append((event, values))
        reaction = self.react(event, values)
        if isinstance(reaction, (Response, StreamedResponse)):
            return reaction
        commands, errors = reaction
        body = {"ok": not errors, "commands": self.give(commands), "sequence": self.sequence, **({"errors": errors} if errors else {})}
        self.answers[request.key] = body
        return Response.json(body)

    def show_history(self, request):
        since = int((re.search(r"since=(\d+)", request.target) or [0, 0])[1])
        return Response.json({"sequence": self.sequence, "commands": [c for c in self.history if c["sequence"] > since]})


def render(key, value):
    return {"command": "render", "key": key, "value": value}
