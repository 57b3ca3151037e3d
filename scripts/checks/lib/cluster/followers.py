"""Clients that follow the products while an operator imports others: what they show was true, and at the end it is what there is."""

import asyncio
import itertools
import json
import os

from connection import Connections

# How long after the last import each client may take to show it.
LATE = 15
# How long a request waits for commands; shorter than the timeout of a client.
WAIT = 3


class Importer:
    """An operator who changes the description of a product again and again, by `understudy products import`."""

    def __init__(self, binary, folder, storage):
        self.binary, self.folder, self.storage = binary, folder, storage
        # The descriptions in the order of their imports, also of those that have failed: they may have been committed.
        self.imports = []
        self.imported = 0
        self.is_over = False

    async def run(self):
        for number in itertools.count(1):
            if self.is_over:
                return
            await self.replace(f"P{number}")
            await asyncio.sleep(0.7)

    async def replace(self, name, attempts=1):
        """Imports the product with that description, and returns whether this succeeded."""
        path = os.path.join(self.folder, "products.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"name": "Followed", "description": name}, file)
        self.imports.append(name)
        for attempt in range(attempts):
            process = await asyncio.create_subprocess_exec(
                self.binary, "products", "import", path, *self.storage,
                stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
                env={"PATH": os.environ["PATH"], "UNDERSTUDY_CONFIG": ""},
            )
            if await process.wait() == 0:
                self.imported += 1
                return True
            await asyncio.sleep(1)
        return False


class Follower:
    """A client that shows the page `products`, and waits for what changes, at one node after the other."""

    def __init__(self, cluster, importer, number):
        self.cluster, self.importer, self.number = cluster, importer, number
        self.connections = Connections(cluster.addresses)
        self.token = None
        self.sequence = 0
        self.shown = None
        self.changes = 0

    def close(self):
        self.connections.close()

    async def run(self):
        while not self.cluster.is_over:
            await self.step()

    async def step(self):
        try:
            if not self.token:
                _, answer = await self._request("POST", "/session")
                self.token, self.sequence = answer["token"], 0
                await self._request("POST", "/products")
                await self._receive("")
            else:
                await self._receive(f"&wait={WAIT}")
        except (OSError, KeyError):
            await asyncio.sleep(0.2)

    async def _receive(self, wait):
        status, answer = await self._request("GET", f"/session/history?since={self.sequence}{wait}")
        if status in (401, 410):
            self.token = None
        if status != 200:
            raise OSError(f"status {status}")
        for command in answer["commands"]:
            if command["page"] == "products" and command.get("key") == "products":
                self._show([product["description"] for product in command["value"] if product["name"] == "Followed"])
        self.sequence = answer["sequence"]

    def _show(self, names):
        if names == self.shown:
            return
        self.changes += 1
        if len(names) > 1 or names and names[0] not in self.importer.imports:
            self.cluster.violations.append(f"follower {self.number} shows {names}, which was never true")
        # Reads of a later state cannot show an earlier one.
        order = self.importer.imports
        if names and self.shown and order.index(names[0]) < order.index(self.shown[0]):
            self.cluster.violations.append(f"follower {self.number} shows {names} after {self.shown}")
        self.shown = names

    async def _request(self, method, target):
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        node = self.cluster.next_node()
        status, _, body = await self.connections.request(node, method, target, headers, b"")
        return status, json.loads(body or b"{}")


async def audit_followers(followers, importer):
    """After the last import, each follower shows it."""
    if not await importer.replace("PLast", attempts=30):
        raise RuntimeError("the last import fails")
    deadline = asyncio.get_running_loop().time() + LATE

    async def wait(follower):
        while follower.shown != ["PLast"] and asyncio.get_running_loop().time() < deadline:
            await follower.step()
        if follower.shown != ["PLast"]:
            follower.cluster.violations.append(f"follower {follower.number} shows {follower.shown} instead of the last import")

    await asyncio.gather(*(wait(follower) for follower in followers))
    changes = sum(follower.changes for follower in followers)
    return f"{len(followers)} followers showed {changes:,} changes of {importer.imported:,} imports"
