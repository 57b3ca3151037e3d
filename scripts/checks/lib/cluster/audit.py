"""What is compared at the end, when all faults are over: nothing that was acknowledged is lost."""

import asyncio

from checker import current_user_ids
from clients import PASSWORD, Client, SessionLost
from record import Session


async def audit(cluster, count=8):
    """Reads the sessions that were left, logs in with every account, and tries to take every user ID."""
    auditors = [Auditor(cluster, 9000 + number) for number in range(count)]
    sessions, accounts = list(cluster.left), list(cluster.ledger.accounts)
    user_ids = current_user_ids(cluster.ledger.saves)
    found = f"{len(sessions):,} sessions, {len(accounts):,} accounts and {len(user_ids):,} user IDs"
    try:
        for session, token in sessions:
            await auditors[0].read_left(session, token)
        await _share(auditors, accounts, Auditor.log_in_once)
        await _share(auditors, list(user_ids.items()), Auditor.take)
    finally:
        for auditor in auditors:
            auditor.close()
    return found


async def _share(auditors, items, method):
    """Lets the auditors call the method with the items, one after the other until none is left."""

    async def work(auditor):
        while items:
            item = items.pop()
            try:
                await method(auditor, item)
            except SessionLost:
                auditor.account = None
                auditor.cluster.violations.append(f"the session of the auditor of {item} is lost")

    await asyncio.gather(*(work(auditor) for auditor in auditors))


class Auditor(Client):
    """A client that reads what other clients have left."""

    async def read_left(self, session, token):
        """Reads a session from each node, and checks it."""
        self.session, self.token = session, token
        try:
            for _ in self.cluster.addresses:
                await self._get("/session/history")
                await self._get("/register")
        except SessionLost:
            pass  # a request without an answer, which the checker reports
        self.cluster.check(session)

    async def log_in_once(self, account):
        """Logs in. The checker decides whether a rejection is right."""
        await self.start()
        await self._log_in(account, PASSWORD)
        self.cluster.check(self.session)

    async def take(self, item):
        """Tries to save a user ID that belongs to another account."""
        user_id, owner = item
        if not self.account:
            address = None
            await self.start()
            while not address:
                address = await self._sign_up()
            await self._log_in(address, PASSWORD)
            self.account = address
        # The session of an auditor has many events, and is not checked.
        self.session = Session("audit")
        exchange = await self._post("register", {"userID": user_id})
        if "registration.userIDTaken" not in exchange.codes:
            self.cluster.violations.append(f"{owner} has saved the user ID {user_id}, and it is not taken: {exchange}")
