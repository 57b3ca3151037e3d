"""Injects faults into nodes, their links and the database: which, when and for how long is a function of the seed."""

import asyncio
import random
import signal
from collections import Counter

NODE_FAULTS = ("kill", "pause", "upgrade")
LINK_FAULTS = ("stall", "mute", "cut")
# Those of a link that is a network of its own.
NETWORK_FAULTS = ("unplug",)
DATABASE_FAULTS = ("restart", "crash", "gone", "promote", "standby")
ALL_FAULTS = NODE_FAULTS + LINK_FAULTS + NETWORK_FAULTS + DATABASE_FAULTS


class Faults:
    """Two tasks inject faults until they are cancelled: one into nodes and links, one into the database."""

    def __init__(self, seed, kinds, nodes, links, database, report=lambda text: None):
        self.kinds = kinds
        self.nodes = nodes
        self.links = links
        self.database = database
        self.report = report
        self.node_random = random.Random(f"{seed} nodes")
        self.database_random = random.Random(f"{seed} database")
        self.counts = Counter()
        self.is_over = asyncio.Event()

    async def run(self):
        """Runs until `stop`, and ends with everything healthy."""
        tasks = [self._repeat(self.node_random, NODE_FAULTS + LINK_FAULTS + NETWORK_FAULTS, self._node_fault, (0.5, 3))]
        if self.database:
            tasks.append(self._repeat(self.database_random, DATABASE_FAULTS, self._database_fault, (1, 6)))
        await asyncio.gather(*tasks)

    def stop(self):
        """Injects no more faults. The current ones end as planned."""
        self.is_over.set()

    async def _repeat(self, source, kinds, inject, pause):
        kinds = [kind for kind in kinds if kind in self.kinds]
        if not kinds:
            return
        # Each kind once in every round, so that a short run has all of them if it can.
        order = []
        while True:
            try:
                async with asyncio.timeout(source.uniform(*pause)):
                    await self.is_over.wait()
                return
            except TimeoutError:
                pass
            order = order or source.sample(kinds, len(kinds))
            kind = order.pop()
            self.counts[kind] += 1
            await inject(kind, source)

    async def _node_fault(self, kind, source):
        number = source.randrange(len(self.nodes))
        node, link = self.nodes[number], self.links[number] if self.links else None
        seconds = source.uniform(0.5, 3)
        # Longer than any deadline of a node or a client.
        long = source.uniform(7, 11)
        self.report(f"{kind} node {number}")
        match kind:
            case "kill":
                node.signal(signal.SIGKILL)
                await node.wait()
                await asyncio.sleep(seconds)
                await node.start()
            case "pause":
                node.signal(signal.SIGSTOP)
                await asyncio.sleep(long)
                node.signal(signal.SIGCONT)
            case "upgrade":
                node.signal(signal.SIGTERM)
                await node.wait()
                await node.start()
            case "stall" | "mute" | "cut" | "unplug":
                getattr(link, kind)()
                await asyncio.sleep(long if kind in ("stall", "unplug") and source.random() < 0.5 else seconds)
                await link.mend()

    async def _database_fault(self, kind, source):
        seconds = source.uniform(0.5, 5)
        self.report(f"{kind} database")
        match kind:
            case "restart":
                await self.database.restart()
            case "crash":
                await self.database.crash()
            case "gone":
                await self.database.disappear(seconds)
            case "promote":
                await self.database.promote(seconds / 5)
            case "standby":
                await self.database.lose_standby(seconds)
