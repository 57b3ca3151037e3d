"""A proxy for the connections of one node to one PostgreSQL server, which can fail as a network can."""

import asyncio

from nodes import free_port


class Proxy:
    """Forwards bytes between a port of its own and the port of a server."""

    def __init__(self, target):
        self.port = free_port()
        self.target = target
        self.listener = None
        self.transports = set()
        self.flows = asyncio.Event()
        self.flows.set()
        # Whether what the server sends is lost.
        self.is_mute = False

    async def start(self):
        self.listener = await asyncio.start_server(self._accept, "127.0.0.1", self.port)

    async def _accept(self, reader, writer):
        self.transports.add(writer.transport)
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            self.transports.discard(writer.transport)
            return
        self.transports.add(server_writer.transport)
        await asyncio.gather(
            self._forward(reader, server_writer, is_response=False),
            self._forward(server_reader, writer, is_response=True),
        )
        for one in (writer, server_writer):
            one.transport.abort()
            self.transports.discard(one.transport)

    async def _forward(self, reader, writer, is_response):
        try:
            while data := await reader.read(65536):
                await self.flows.wait()
                if not (is_response and self.is_mute):
                    writer.write(data)
                    await writer.drain()
        except OSError:
            pass
        # The other direction ends as well.
        writer.close()

    def abort(self):
        """Ends all connections, as a router that has lost its table."""
        for transport in list(self.transports):
            transport.abort()

    def cut(self):
        """Ends all connections, and refuses others until `mend`."""
        self.listener.close()
        self.abort()

    async def mend(self):
        """Ends all faults."""
        self.flows.set()
        if self.is_mute:
            # Bytes are lost, so that the connections are useless.
            self.is_mute = False
            self.abort()
        if not self.listener.is_serving():
            await self.start()

    async def close(self):
        self.cut()
        self.flows.set()


class Link:
    """All proxies of one node, which fail together."""

    def __init__(self, ports):
        self.proxies = [Proxy(port) for port in ports]

    async def start(self):
        for proxy in self.proxies:
            await proxy.start()

    def stall(self):
        """Nothing arrives any more, in either direction, and no connection ends."""
        for proxy in self.proxies:
            proxy.flows.clear()

    def mute(self):
        """Statements arrive, and their results do not."""
        for proxy in self.proxies:
            proxy.is_mute = True

    def cut(self):
        for proxy in self.proxies:
            proxy.cut()

    async def mend(self):
        for proxy in self.proxies:
            await proxy.mend()

    async def close(self):
        for proxy in self.proxies:
            await proxy.close()
