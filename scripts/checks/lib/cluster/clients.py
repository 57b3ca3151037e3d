"""Clients that behave as those of an app: each posts to any node, and repeats a request until it gets an answer."""

import asyncio
import itertools
import json
import random
import time
from collections import Counter

from checker import FREE_FAILURES, check_session
from connection import Connections
from record import Attempt, Exchange, Login, Saved, Session

PASSWORD = "correct horse battery staple"
WRONG = "wrong horse battery staple"
# After so many seconds without an answer, a client gives up, which is a violation.
GIVE_UP = 120
# User IDs for which several accounts compete.
CONTESTED = [f"{number:012}" for number in range(1, 9)]


class Cluster:
    """What all clients share: the nodes, which they use in turn as a load balancer does, and the results."""

    def __init__(self, addresses, ledger, seed):
        self.addresses = addresses
        self.ledger = ledger
        self.seed = seed
        self.turn = itertools.count()
        self.violations = []
        self.waits = []
        self.statuses = Counter()
        self.events = 0
        self.sessions = 0
        self.retries = 0
        # Sessions that no client ends, to be read at the end.
        self.left = []
        self.is_over = False

    def next_node(self):
        return next(self.turn) % len(self.addresses)

    def finish(self, exchange):
        """Counts a request that has its answer."""
        if exchange.answer:
            self.waits.append(exchange.waited)
            self.events += exchange.is_event

    def check(self, session):
        self.sessions += 1
        self.violations += check_session(session)


class SessionLost(Exception):
    """The client has no valid token any more. The checker decides whether this is a violation."""


class Client:
    """One user after the other, at one device."""

    def __init__(self, cluster, number):
        self.cluster = cluster
        self.number = number
        self.random = random.Random(f"{cluster.seed} client {number}")
        # The second is for what the device sends at the same time.
        self.connections = [Connections(cluster.addresses) for _ in range(2)]
        self.count = itertools.count(1)
        # Accounts with which this client logs in, by their addresses.
        self.accounts = []
        self.session = None
        self.token = None
        # The account of the logged-in user.
        self.account = None

    def close(self):
        for connections in self.connections:
            connections.close()

    # Requests

    def _exchange(self, method, path, values=None, token=None, is_event=True):
        """A request that is not sent yet, with the session's token or another one.

        Raises SessionLost if the session has no token, or if its last request had no answer.
        """
        if token is None and self.is_lost:
            raise SessionLost
        key = f"{self.number}.{next(self.count)}" if is_event else None
        exchange = Exchange(method, path, token or self.token, key, values or {}, is_current=token is None)
        return self.session.add(exchange)

    async def _attempt(self, exchange, connections):
        """Sends a request once. Returns the attempt."""
        headers = {}
        if exchange.token:
            headers["Authorization"] = f"Bearer {exchange.token}"
        if exchange.key:
            headers["Idempotency-Key"] = exchange.key
            headers["Content-Type"] = "application/json"
        values = dict(exchange.values)
        message = {"event": values.pop("event"), "values": values} if "event" in values else values
        body = json.dumps(message).encode() if exchange.key else b""
        attempt = Attempt(self.cluster.next_node(), time.monotonic())
        exchange.attempts.append(attempt)
        retry_after = 0
        try:
            status, fields, content = await connections.request(attempt.node, exchange.method, exchange.path, headers, body)
        except OSError:
            self.cluster.statuses["no response"] += 1
            return attempt, retry_after
        attempt.received, attempt.status = time.monotonic(), status
        attempt.text = content.decode(errors="replace")
        attempt.is_replay = fields.get("idempotency-replayed") == "true"
        try:
            attempt.body = json.loads(content) if content else {}
        except ValueError:
            self.cluster.violations.append(f"the response is not JSON: {exchange}")
        self.cluster.statuses[str(status)] += 1
        if not attempt.is_answer:
            retry_after = float(fields.get("retry-after", 0))
        return attempt, retry_after

    async def _send(self, exchange, line=0):
        """Sends a request again and again until there is an answer. Returns the exchange."""
        start = time.monotonic()
        delay = 0.05
        while time.monotonic() < start + GIVE_UP:
            attempt, retry_after = await self._attempt(exchange, self.connections[line])
            if attempt.is_answer:
                return exchange
            self.cluster.retries += 1
            # Shorter than what the node asks for, so that a run of some seconds has many attempts.
            await asyncio.sleep(min(max(delay, retry_after), 0.5) * self.random.uniform(0.5, 1.5))
            delay *= 2
        return exchange

    async def _post(self, page, values, **more):
        """Posts an event. One in ten is sent to two nodes at once, as by an impatient proxy. Returns the exchange."""
        exchange = self._exchange("POST", f"/{page}", values, **more)
        if self.random.random() < 0.1:
            await asyncio.gather(self._send(exchange), self._send(exchange, line=1))
        else:
            await self._send(exchange)
        self.cluster.finish(exchange)
        answer = exchange.answer
        if answer and answer.status == 200 and "token" in answer.body:
            self.token = answer.body["token"]
        elif answer and answer.status == 401 and exchange.is_current:
            self.token = None
        return exchange

    async def _get(self, path, token=None):
        exchange = await self._send(self._exchange("GET", path, token=token, is_event=False))
        self.cluster.finish(exchange)
        return exchange

    # What a user does

    async def run(self):
        while not self.cluster.is_over:
            await self.visit()

    async def visit(self):
        """One session, from its start to its end. One in eight is left open."""
        await self.start()
        try:
            if self.random.random() < 0.15:
                await self.guess()
            for _ in range(self.random.randint(3, 15)):
                if not self.cluster.is_over:
                    await self.step()
            await self.leave()
        except SessionLost:
            self.cluster.check(self.session)

    @property
    def is_lost(self):
        """Whether the session's token is not known, because a response was lost for too long."""
        return self.token is None or any(exchange.attempts and not exchange.answer for exchange in self.session.exchanges)

    async def start(self):
        self.session = Session(f"{self.number}.{next(self.count)}")
        self.account = None
        self.token = None
        # If its response is lost, the next attempt starts another session. Only the last one counts.
        exchange = await self._send(Exchange("POST", "/session", ""))
        while not (exchange.answer and exchange.answer.status == 201):
            self.cluster.violations.append(f"no session: {exchange}")
            await asyncio.sleep(1)
            exchange = await self._send(Exchange("POST", "/session", ""))
        self.cluster.finish(exchange)
        self.token = exchange.answer.body["token"]

    async def leave(self):
        await self.read()
        if self.random.random() < 0.125 and len(self.cluster.left) < 200:
            self.cluster.left.append((self.session, self.token))
            return
        exchange = await self._send(self._exchange("DELETE", "/session", is_event=False))
        self.cluster.finish(exchange)
        await self.use_old(self.token)
        self.cluster.check(self.session)

    async def step(self):
        """Something that a user does, with or without a login."""
        choices = [(self.register, 5), (self.register_twice, 2), (self.read, 2)]
        if self.account:
            choices += [(self.save, 6), (self.log_out, 2)]
        else:
            choices += [(self.sign_up, 2), (self.log_in, 3 if self.accounts else 0)]
        actions, weights = zip(*choices)
        await self.random.choices(actions, weights)[0]()

    def _user_id(self):
        """A user ID that no other client uses, with white space, and now and then one that is invalid."""
        text = f"{self.number:04}{next(self.count):08}"
        return f"{text[:5]} {text[5:]}" if self.random.random() < 0.8 else text[:7]

    async def register(self):
        """Fills in the form for a user ID. For a logged-in user, this saves it."""
        await self._save(self._user_id())

    async def register_twice(self):
        """Two windows post different events of the session at the same time, to different nodes."""
        if self.account:
            return await self.save()
        both = [self._exchange("POST", "/register", {"userID": self._user_id()}) for _ in range(2)]
        await asyncio.gather(self._send(both[0]), self._send(both[1], line=1))
        for exchange in both:
            self.cluster.finish(exchange)

    async def save(self):
        """Saves a user ID, one in three times one that other accounts want as well."""
        await self._save(self.random.choice(CONTESTED) if self.random.random() < 0.3 else self._user_id())

    async def _save(self, user_id):
        exchange = await self._post("register", {"userID": user_id})
        saved = "".join(user_id.split())
        if self.account and exchange.commands and len(saved) == 12:
            is_accepted = "registration.userIDTaken" not in exchange.codes
            answered = exchange.answer.received
            self.cluster.ledger.saves.append(Saved(self.account, saved, exchange.sent, answered, is_accepted))

    async def sign_up(self):
        address = await self._sign_up()
        if address:
            self.accounts.append(address)

    async def _sign_up(self):
        """The address of a new account; None if the sign-up was not answered."""
        address = f"c{self.number}.{next(self.count)}@cluster.example"
        exchange = await self._post("signup", {"name": "Lisa", "email": address, "password": PASSWORD})
        if not exchange.commands:
            return None
        if exchange.codes != ["signup.successful"]:
            self.cluster.violations.append(f"a sign-up was rejected: {exchange}")
            return None
        self.cluster.ledger.accounts.append(address)
        return address

    async def log_in(self):
        """Logs in, often after a wrong password, and uses the old token afterwards."""
        account = self.random.choice(self.accounts)
        if self.random.random() < 0.3:
            await self._log_in(account, WRONG)
        former = self.token
        exchange = await self._log_in(account, PASSWORD)
        if exchange.goes_to == "Home":
            self.account = account
            await self.use_old(former, exchange)

    async def _log_in(self, account, password):
        exchange = await self._post("login", {"username": account, "password": password})
        is_accepted = exchange.goes_to == "Home"
        # With too many failures in the session, the page decides without the account.
        if is_accepted or "login.wrongCredentials" in exchange.codes:
            times = (exchange.sent, exchange.answer.received)
            login = Login(account, *times, password == PASSWORD, is_accepted, len(exchange.attempts))
            self.cluster.ledger.logins.append(login)
            if is_accepted and password != PASSWORD:
                self.cluster.violations.append(f"a wrong password was accepted: {exchange}")
        return exchange

    async def log_out(self):
        former = self.token
        exchange = await self._post("home", {"event": "logoutButtonPressed"})
        if exchange.commands:
            self.account = None
            await self.use_old(former, exchange)

    async def use_old(self, token, exchange=None):
        """Sends requests with a token that is not valid any more, and now and then the one that has replaced it again."""
        if self.random.random() < 0.5:
            await self._post("register", {"userID": self._user_id()}, token=token)
        if self.random.random() < 0.3:
            await self._get("/session/history", token=token)
        if exchange and self.random.random() < 0.3 and exchange.waited < 30:
            await self._send(exchange)

    async def read(self):
        """Reads the history from a number of which the client has all commands before, and the page."""
        if self.random.random() < 0.5:
            await self._get("/register")
        await self._get("/session/history")
        last = self.session.exchanges[-1].answer
        if last and last.status == 200 and last.body["commands"]:
            first = last.body["commands"][0]["sequence"]
            since = self.random.randint(first, last.body["sequence"])
            await self._get(f"/session/history?since={since}")

    async def guess(self):
        """Guesses the password of a new account until it is throttled, and then tries the right one."""
        account = await self._sign_up()
        if not account:
            return
        for number in range(FREE_FAILURES + self.random.randint(0, 2)):
            if number % 3 == 2:
                # The session itself allows only a few failures.
                await self.leave()
                await self.start()
            await self._log_in(account, WRONG)
        await self.leave()
        await self.start()
        exchange = await self._log_in(account, PASSWORD)
        self.account = account if exchange.goes_to == "Home" else None
