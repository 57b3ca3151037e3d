"""A network namespace for each node, with a cable to the clients and another to the database, which can be unplugged."""

import os
import subprocess


def run(*command):
    subprocess.run(["ip", *command], check=True, stdin=subprocess.DEVNULL)


class Network:
    """The network of one node. The process must be root's.

    Unlike a proxy, an unplugged cable acknowledges nothing: what a node and the database send is lost, and each finds out by its own
    timeouts.
    """

    # What PostgreSQL must trust.
    databases = "10.99.0.0/16"

    def __init__(self, number):
        self.namespace = f"understudy-{os.getpid()}-{number}"
        # The host's end of a cable has the address .1, the node's end .2. Names have 15 bytes at most.
        self.cables = {
            f"c{number}-{os.getpid()}": f"10.98.{number}",
            f"d{number}-{os.getpid()}": f"10.99.{number}",
        }
        self.database_cable = f"d{number}-{os.getpid()}"
        self.host = f"10.98.{number}.2"
        self.database_host = f"10.99.{number}.1"
        # What starts a program in the namespace, as the same process.
        self.prefix = ["ip", "netns", "exec", self.namespace]

    async def start(self):
        run("netns", "add", self.namespace)
        run("-n", self.namespace, "link", "set", "lo", "up")
        for name, network in self.cables.items():
            run("link", "add", name, "type", "veth", "peer", "name", "node", "netns", self.namespace)
            # Both ends have the same name in the namespace until they have their own.
            run("-n", self.namespace, "link", "set", "node", "name", name)
            run("addr", "add", f"{network}.1/24", "dev", name)
            run("-n", self.namespace, "addr", "add", f"{network}.2/24", "dev", name)
            run("link", "set", name, "up")
            run("-n", self.namespace, "link", "set", name, "up")

    def unplug(self):
        """Nothing arrives any more between the node and the database."""
        run("link", "set", self.database_cable, "down")

    async def mend(self):
        run("link", "set", self.database_cable, "up")

    async def close(self):
        # With the namespace, its ends of the cables are gone, and with them the other ends.
        subprocess.run(["ip", "netns", "del", self.namespace], check=False, stderr=subprocess.DEVNULL)
