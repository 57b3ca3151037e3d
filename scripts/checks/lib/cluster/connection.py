"""A client's connections to the nodes: HTTP/1.1 without a library, so that each attempt is one request."""

import asyncio

# How long a client waits for a response. Longer than the deadline of an event, shorter than a pause of a node.
TIMEOUT = 6


class Connections:
    """One kept-alive connection to each node, which is opened again when it fails. For one request at a time to each node."""

    def __init__(self, addresses):
        self.addresses = addresses
        self.streams = {}

    def close(self):
        for node in list(self.streams):
            self._close(node)

    def _close(self, node):
        _, writer = self.streams.pop(node)
        writer.transport.abort()

    async def request(self, node, method, target, headers, body):
        """The status, the header fields with names in lower case, and the body of a response.

        Raises OSError, also if there is no complete response within the timeout.
        """
        try:
            async with asyncio.timeout(TIMEOUT):
                return await self._request(node, method, target, headers, body)
        except (OSError, EOFError, TimeoutError, ValueError, IndexError, asyncio.CancelledError) as error:
            if node in self.streams:
                self._close(node)
            if isinstance(error, asyncio.CancelledError):
                raise
            raise OSError(str(error) or type(error).__name__) from error

    async def _request(self, node, method, target, headers, body):
        if node not in self.streams:
            self.streams[node] = await asyncio.open_connection(*self.addresses[node])
        reader, writer = self.streams[node]
        lines = [f"{method} {target} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
        fields = {name.lower(): value for name, value in fields.items()}
        status = int(head[0].split()[1])
        if status != 204 and "content-length" not in fields:
            raise AssertionError(f"{method} {target}: no client would expect {head}")
        content = b"" if status == 204 else await reader.readexactly(int(fields["content-length"]))
        if fields.get("connection", "").lower() == "close":
            self._close(node)
        return status, fields, content
