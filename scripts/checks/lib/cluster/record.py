"""What clients of a cluster sent and received: the material of the checker."""

from dataclasses import dataclass, field

# Clients repeat a request that gets one of these. Nothing is known about its effect except that it may be repeated with its key.
RETRIED = (429, 502, 503, 504)


@dataclass
class Attempt:
    """A request as it was sent once. Times are in seconds, all of one monotonic clock."""

    node: int
    sent: float
    # When the response was complete; None without a response.
    received: float | None = None
    status: int | None = None
    # The JSON of the response, and its text, by which responses are compared.
    body: dict = field(default_factory=dict)
    text: str = ""
    is_replay: bool = False

    @property
    def is_answer(self):
        """Whether the client need not send the request again."""
        return self.status is not None and self.status not in RETRIED

    def __str__(self):
        replay = ", replayed" if self.is_replay else ""
        status = "no response" if self.status is None else f"{self.status}{replay}"
        return f"node {self.node}, {self.sent:.3f} to {self.received or 0:.3f} s: {status} {self.text[:400]}"


@dataclass
class Exchange:
    """A request with all its attempts, which have the same key, token and body."""

    method: str
    path: str
    token: str
    # The Idempotency-Key; None for a request other than a POST to a page.
    key: str | None = None
    # The values of a POST to a page.
    values: dict = field(default_factory=dict)
    # Whether the token was that of the session when the client decided to send the request.
    is_current: bool = True
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def answer(self):
        """The first answer that the client received; None if it received none."""
        answers = [attempt for attempt in self.attempts if attempt.is_answer]
        return min(answers, key=lambda attempt: attempt.received) if answers else None

    @property
    def is_event(self):
        return self.key is not None

    @property
    def sent(self):
        return min(attempt.sent for attempt in self.attempts)

    @property
    def waited(self):
        """How long the client waited for the answer, in seconds."""
        return self.answer.received - self.sent

    @property
    def commands(self):
        """The commands of the answer."""
        answer = self.answer
        return answer.body.get("commands", []) if answer and answer.status == 200 else []

    @property
    def codes(self):
        """The codes of the messages in the answer."""
        return [command["code"] for command in self.commands if "code" in command]

    @property
    def goes_to(self):
        """The page to which the answer leads; None if it leads to none."""
        return next((command["name"] for command in self.commands if command["command"] == "goToPage"), None)

    @property
    def is_login(self):
        return self.path == "/login"

    @property
    def is_logout(self):
        return self.path == "/home" and self.values.get("event") == "logoutButtonPressed"

    def __str__(self):
        values = {name: value for name, value in self.values.items() if name != "password"}
        lines = [f"{self.method} {self.path} {values} with key {self.key} and token {self.token[:6]}…"]
        return "\n      ".join(lines + [str(attempt) for attempt in self.attempts])


@dataclass
class Session:
    """A session and its requests, in the order in which the client decided to send them."""

    name: str
    exchanges: list[Exchange] = field(default_factory=list)

    def add(self, exchange):
        self.exchanges.append(exchange)
        return exchange


@dataclass
class Saved:
    """An event that saved a user ID in an account, or was rejected because another account has the user ID."""

    account: str
    user_id: str
    sent: float
    received: float
    is_accepted: bool


@dataclass
class Login:
    """A login with the name of an existing account, whose password was verified or refused without a verification."""

    account: str
    sent: float
    received: float
    is_right: bool
    is_accepted: bool
    # How often it was sent. Each time may have counted as a failure, if its response was lost.
    attempts: int = 1


@dataclass
class FailureSample:
    """What the database counted for an account. The query began at the one time, and ended at the other."""

    time: float
    end: float
    account: str
    failures: int
    refused: int


@dataclass
class Ledger:
    """What all sessions did to accounts."""

    saves: list[Saved] = field(default_factory=list)
    logins: list[Login] = field(default_factory=list)
    samples: list[FailureSample] = field(default_factory=list)
    # Acknowledged sign-ups.
    accounts: list[str] = field(default_factory=list)
