"""Feeds the checker histories with one violation each, and requires that it finds them, and none in correct histories."""

import copy
import json

from checker import (
    check_failures,
    check_right_passwords,
    check_session,
    check_throttled,
    check_user_ids,
    current_user_ids,
)
from record import Attempt, Exchange, FailureSample, Login, Saved, Session


class Story:
    """A correct history of a session, one request a second. Each method adds a request with its answer."""

    def __init__(self):
        self.session = Session("1")
        self.time = 0.0
        self.token = "token-0"
        self.sequence = 0
        self.kept = []
        self.user_id = None

    def request(self, method, path, body=None, status=200, values=None, key=None, token=None):
        attempt = Attempt(0, self.time, self.time + 0.5, status, body or {}, json.dumps(body))
        exchange = Exchange(method, path, token or self.token, key, values or {}, token is None, [attempt])
        self.time += 1
        return self.session.add(exchange)

    def event(self, page, values, *commands, **more):
        numbered = []
        for command in commands:
            self.sequence += 1
            numbered.append({"sequence": self.sequence, "page": page, **command})
        self.kept += numbered
        body = {"sequence": self.sequence, "ok": True, "commands": numbered, **more}
        return self.request("POST", f"/{page}", body, values=values, key=f"key-{self.time}")

    def register(self, user_id):
        self.user_id = user_id
        render = {"command": "render", "key": "userID", "value": user_id}
        return self.event("register", {"userID": user_id}, render, {"command": "render", "key": "errorMessage", "value": None})

    def log_in(self, page="login", destination="Home", **values):
        former, self.token = self.token, f"token-{self.time}"
        exchange = self.event(page, values, {"command": "goToPage", "name": destination}, token=self.token)
        exchange.token = former
        return exchange

    def log_out(self):
        self.user_id = None
        exchange = self.log_in("home", "login", event="logoutButtonPressed")
        self.kept = self.kept[-1:]
        return exchange

    def history(self, since=0):
        commands = [copy.copy(command) for command in self.kept if command["sequence"] > since]
        return self.request("GET", f"/session/history?since={since}", {"sequence": self.sequence, "commands": commands})

    def page(self):
        return self.request("GET", "/register", {"sequence": self.sequence, "rendered": {"userID": self.user_id}})

    def end(self):
        return self.request("DELETE", "/session", status=204)

    def old(self, token, status=401):
        return self.request("POST", "/register", {}, status, {"userID": "1"}, key=f"key-{self.time}", token=token)

    def repeat(self, exchange, **changes):
        """Adds another attempt, with the stored response."""
        again = copy.deepcopy(exchange.attempts[0])
        again.sent, again.received, again.is_replay = self.time, self.time + 0.5, True
        for name, value in changes.items():
            setattr(again, name, value)
        exchange.attempts.append(again)
        self.time += 1
        return again


def visit():
    """A correct visit with everything that clients do, and its requests by name."""
    story = Story()
    parts = {"first": story.register("000000000001")}
    parts["login"] = story.log_in()
    parts["old"] = story.old("token-0")
    parts["repeated"] = story.repeat(parts["login"])
    parts["second"] = story.register("000000000002")
    parts["history"] = story.history()
    parts["page"] = story.page()
    parts["logout"] = story.log_out()
    parts["empty page"] = story.page()
    parts["third"] = story.register("000000000003")
    story.repeat(parts["third"])
    # Its first response was lost.
    parts["third"].attempts.insert(0, Attempt(1, parts["third"].sent - 0.5))
    parts["last history"] = story.history(since=story.sequence - 1)
    parts["end"] = story.end()
    parts["late"] = story.old(story.token)
    return story, parts


def _answer(exchange, **changes):
    """Changes the first answer of a request, and its text."""
    answer = exchange.answer
    for name, value in changes.items():
        setattr(answer, name, value)
    answer.text = json.dumps(answer.body)


def _lose(story, parts):
    """Only the node that responded had the event: the next one has its numbers again."""
    story.session.exchanges.remove(parts["second"])
    story.sequence -= 2
    lost = story.register("000000000009")
    for command, number in zip(lost.answer.body["commands"], (4, 5)):
        command["sequence"] = number
    lost.answer.body["sequence"] = 5
    story.session.exchanges.append(parts["second"])


def _skip(story, parts):
    for command in parts["third"].answer.body["commands"]:
        command["sequence"] += 1
    _answer(parts["third"], body={**parts["third"].answer.body, "sequence": parts["third"].answer.body["sequence"] + 1})
    parts["third"].attempts[2].text = parts["third"].answer.text
    story.session.exchanges.remove(parts["last history"])


def _hide(story, parts):
    """A request with an old token got 401, and had an effect nevertheless."""
    story.session.exchanges.remove(parts["second"])


def _change(story, parts):
    parts["history"].answer.body["commands"][0]["value"] = "000000000007"


def _swap(story, parts):
    parts["second"].values = {"userID": "000000000008"}


# The change of the correct visit, and a part of the violation that the checker must report.
SESSION_FAULTS = {
    "a request without an answer": (lambda s, p: p["page"].attempts.clear() or p["page"].attempts.append(Attempt(0, 7.0)), "no answer"),
    "an internal error": (lambda s, p: _answer(p["first"], status=500, body={}), "the status is 500"),
    "a lost session": (lambda s, p: _answer(p["second"], status=401, body={}), "the status is 401"),
    "a key with two responses": (lambda s, p: s.repeat(p["first"], text="{}"), "one key, two responses"),
    "a key with two effects": (lambda s, p: s.repeat(p["first"], is_replay=False), "not replays"),
    "a key with two statuses": (lambda s, p: s.repeat(p["second"], status=500), "different statuses"),
    "a response to another request": (_swap, "that of another request"),
    "a response of another page": (lambda s, p: setattr(p["second"], "path", "/login"), "that of another page"),
    "a token after a login": (lambda s, p: _answer(p["old"], status=200), "a token was valid after its end"),
    "a token after the end of the session": (lambda s, p: _answer(p["late"], status=200), "a token was valid after its end"),
    "a repeated login that runs again": (lambda s, p: setattr(p["repeated"], "is_replay", False), "a token was valid after its end"),
    "a lost event": (_lose, "a branch"),
    "a gap": (_skip, "a gap"),
    "an event without a request": (_hide, "an effect without a request"),
    "a changed history": (_change, "a branch"),
    "an incomplete history": (lambda s, p: p["history"].answer.body["commands"].pop(1), "the history has the numbers"),
    "an old history": (lambda s, p: _answer(p["history"], body={"sequence": 2, "commands": []}), "lost or not visible"),
    "an old page": (lambda s, p: p["page"].answer.body.update(sequence=3), "lost or not visible"),
    "a response without commands": (lambda s, p: _answer(p["history"], body={}), "lacks what every response has"),
    "a page with an old value": (lambda s, p: p["page"].answer.body["rendered"].update(userID="1"), "shows another value"),
    "a page of the former user": (lambda s, p: p["empty page"].answer.body["rendered"].update(userID="2"), "shows another value"),
}  # fmt: skip


def _login(account, time, is_right=False, is_accepted=False, attempts=1):
    return Login(account, time, time + 0.5, is_right, is_accepted, attempts)


def _check(name, violations, expected):
    """Whether the violations are the expected ones: those with that text, or none."""
    is_met = any(expected in violation for violation in violations) if expected else not violations
    if not is_met:
        print(f"self-test: {name}: expected {expected or 'no violation'!r}, got {violations}")
    return is_met


def _accounts():
    """Yields the name of each test about accounts, its violations, and what is expected of them."""
    five = [_login("lisa", time) for time in range(5)]
    right = {"is_right": True, "is_accepted": True}
    save = [Saved("lisa", "1", 0, 1, True), Saved("bart", "1", 2, 3, False)]
    yield "a user ID that is taken", check_user_ids(save), ""
    save[1].is_accepted = True
    yield "a user ID of two accounts", check_user_ids(save), "user ID 1"
    save.insert(1, Saved("lisa", "2", 1.2, 1.4, True))
    yield "a user ID that is free again", check_user_ids(save), ""
    yield "the current user IDs", [str(current_user_ids(save))], "{'2': 'lisa', '1': 'bart'}"
    yield "failures that are counted", check_failures(five, [FailureSample(9, 9.5, "lisa", 5, 0)]), ""
    yield "failures that are lost", check_failures(five, [FailureSample(9, 9.5, "lisa", 4, 1)]), "lisa: 5 failed logins"
    six = [*five, _login("lisa", 6)]
    yield "a refused failure", check_failures(six, [FailureSample(9, 9.5, "lisa", 5, 1)]), ""
    yield "a count that goes backwards", check_failures(six, [FailureSample(9, 9.5, "lisa", 5, 0)]), "lisa: 6 failed logins"
    reset = [*five, _login("lisa", 100, **right)]
    yield "a count that a login has reset", check_failures(reset, [FailureSample(200, 200.5, "lisa", 0, 0)]), ""
    yield "a count that a login resets during the query", check_failures(reset, [FailureSample(99.9, 100.2, "lisa", 0, 0)]), ""
    yield "an account that is throttled", check_throttled([*five, _login("lisa", 9, is_right=True)]), ""
    yield "an account that is not throttled", check_throttled([*five, _login("lisa", 9, **right)]), "was accepted"
    yield "the end of the delay", check_throttled([*five, _login("lisa", 34, **right)]), ""
    lost = [*five[:1], _login("lisa", 1, attempts=2), *five[2:]]
    yield "a delay after a lost response", check_throttled([*lost, _login("lisa", 33, **right)]), ""
    yield "no delay after a lost response", check_throttled([*lost, _login("lisa", 32, **right)]), "was accepted"
    yield "a login", check_right_passwords([_login("lisa", 0, **right)]), ""
    yield "a lost account", check_right_passwords([_login("lisa", 0, is_right=True)]), "its password was rejected"
    delayed = [*five, _login("lisa", 9, is_right=True)]
    yield "a login that is delayed", check_right_passwords(delayed), ""
    lost = [_login("lisa", 0, attempts=5), _login("lisa", 9, is_right=True)]
    yield "a login after lost responses", check_right_passwords(lost), ""


def run():
    """Prints each mistake of the checker. Returns the exit status."""
    story, _ = visit()
    results = [_check("a correct visit", check_session(story.session), "")]
    for name, (change, expected) in SESSION_FAULTS.items():
        story, parts = visit()
        change(story, parts)
        results.append(_check(name, check_session(story.session), expected))
    results += [_check(name, violations, expected) for name, violations, expected in _accounts()]
    print(f"==> {sum(results)} of {len(results)} histories")
    return 0 if all(results) else 1
