"""Decides whether what clients saw is what one server without faults could have shown them.

Each function returns the violations as texts. `check_session` checks the requests of one session; the other functions check
what all sessions did to accounts.
"""

import bisect
import json
from collections import defaultdict

# How long a login's response is available with the token that it has replaced, in seconds.
REPLACED_TOKEN_SECONDS = 60
# After so many failures in a row, further passwords of an account are not verified for at least so many seconds.
FREE_FAILURES = 5
FIRST_DELAY = 30


def check_session(session):
    """All violations in the requests of a session."""
    checks = (_answers, _keys, _contents, _tokens, _sequence, _order, _pages)
    violations = []
    for check in checks:
        try:
            violations += check(session)
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            exchanges = "\n    ".join(map(str, session.exchanges))
            violations.append(f"a response lacks what every response has, {type(error).__name__} {error}: {exchanges}")
    return [f"session {session.name}: {text}" for text in violations]


def _answers(session):
    """Every request gets an answer, and none gets an error that its client does not expect."""
    for exchange in session.exchanges:
        answer = exchange.answer
        if answer is None:
            yield f"no answer: {exchange}"
        elif exchange.is_current and answer.status not in (200, 201, 204) and not _may_be_rejected(session, exchange):
            yield f"the status is {answer.status}: {exchange}"


def _may_be_rejected(session, exchange):
    """Whether 401 is right for a request that was sent with the session's token: its own first attempt may have ended the token."""
    if exchange.answer.status != 401 or len(exchange.attempts) == 1:
        return False
    if exchange.method == "DELETE":
        return True
    is_late = exchange.waited > REPLACED_TOKEN_SECONDS
    return (exchange.is_login or exchange.is_logout) and is_late


def _keys(session):
    """Every key has one effect and one response."""
    for exchange in session.exchanges:
        if not exchange.is_event:
            continue
        answers = [attempt for attempt in exchange.attempts if attempt.status == 200]
        if len({attempt.text for attempt in answers}) > 1:
            yield f"one key, two responses: {exchange}"
        elif sum(not attempt.is_replay for attempt in answers) > 1:
            yield f"one key, two responses that are not replays: {exchange}"
        early = [a for a in exchange.attempts if a.is_answer and a.received < exchange.sent + REPLACED_TOKEN_SECONDS]
        if answers and len({attempt.status for attempt in early}) > 1:
            yield f"one key, answers with different statuses: {exchange}"


def _contents(session):
    """A response is the one to this request."""
    for exchange in session.exchanges:
        if not exchange.commands or not exchange.is_event:
            continue
        page = exchange.path.removeprefix("/")
        if any(command.get("page") != page for command in exchange.commands):
            yield f"the response is that of another page: {exchange}"
        rendered = [command["value"] for command in exchange.commands if command.get("key") == "userID"]
        if page == "register" and rendered and rendered[-1] not in (None, _user_id(exchange)):
            yield f"the response is that of another request: {exchange}"


def _user_id(exchange):
    return "".join(exchange.values.get("userID", "").split())


def _tokens(session):
    """A token that a login, a logout or the end of the session has made invalid has no effect any more."""
    ended = {}
    for exchange in session.exchanges:
        answer = exchange.answer
        if answer is None:
            continue
        is_end = exchange.method == "DELETE" and answer.status in (204, 401)
        if is_end or answer.status == 200 and "token" in answer.body:
            ended.setdefault(exchange.token, (answer.received, exchange))
    for exchange in session.exchanges:
        if exchange.token not in ended:
            continue
        end, cause = ended[exchange.token]
        for attempt in exchange.attempts:
            if attempt.sent > end and attempt.is_answer and attempt.status != 401:
                is_stored = exchange is cause and attempt.is_replay
                is_no_session = exchange.method == "DELETE" and attempt.status == 204
                if not is_stored and not is_no_session:
                    yield f"a token was valid after its end at {end:.3f} s: {exchange}"


def _sequence(session):
    """The commands of a session are one sequence from 1, without a gap and without two commands of the same number."""
    owners, numbered, last = {}, {}, 0
    is_complete = all(exchange.answer for exchange in session.exchanges)

    def compare(command, exchange):
        number, text = command["sequence"], _canonical(command)
        if numbered.setdefault(number, text) != text:
            return f"command {number} is {numbered[number]} and, in another response, {text}: {exchange}"
        return None

    for exchange in session.exchanges:
        if not exchange.is_event or not exchange.commands:
            continue
        numbers = [command["sequence"] for command in exchange.commands]
        end = exchange.answer.body["sequence"]
        if numbers != list(range(end - len(numbers) + 1, end + 1)):
            yield f"the numbers {numbers} do not lead to {end}: {exchange}"
        last = max(last, end)
        for command in exchange.commands:
            owner = owners.setdefault(command["sequence"], exchange)
            if owner is not exchange:
                yield f"a branch: command {command['sequence']} is of two requests: {exchange}\n    and {owner}"
            elif difference := compare(command, exchange):
                yield f"a branch: {difference}"
    for exchange, body in _histories(session):
        numbers = [command["sequence"] for command in body["commands"]]
        if numbers != list(range(body["sequence"] - len(numbers) + 1, body["sequence"] + 1)):
            yield f"the history has the numbers {numbers}: {exchange}"
        for command in body["commands"]:
            if difference := compare(command, exchange):
                yield f"a branch: {difference}"
            if is_complete and command["sequence"] not in owners:
                yield f"an effect without a request: command {command['sequence']} in {exchange}"
    missing = sorted(set(range(1, last + 1)) - set(numbered))
    if missing and is_complete:
        yield f"a gap: no response has the commands {missing[:10]} of {last}"


def _histories(session):
    for exchange in session.exchanges:
        for attempt in exchange.attempts:
            if exchange.path.startswith("/session/history") and attempt.status == 200:
                yield exchange, attempt.body


def _canonical(command):
    return json.dumps(command, sort_keys=True, ensure_ascii=False)


def _order(session):
    """A request sees everything that was acknowledged before it was sent."""
    acknowledged = sorted(
        (exchange.answer.received, exchange.answer.body["sequence"])
        for exchange in session.exchanges
        if exchange.is_event and exchange.commands
    )
    times = [time for time, _ in acknowledged]
    highest = []
    for _, sequence in acknowledged:
        highest.append(max(sequence, highest[-1] if highest else 0))
    for exchange in session.exchanges:
        for attempt in exchange.attempts:
            if attempt.status != 200 or "sequence" not in attempt.body:
                continue
            # An event is ordered by its first attempt, because a later one gets the first response.
            count = bisect.bisect_left(times, exchange.sent if exchange.is_event else attempt.sent)
            if not count:
                continue
            known, own = highest[count - 1], len(attempt.body.get("commands", [])) if exchange.is_event else 0
            if attempt.body["sequence"] - own < known:
                yield f"command {known} was acknowledged before, and is lost or not visible: {exchange}"


def _pages(session):
    """The register page shows what its last event rendered."""
    rendered, logouts = {}, []
    for exchange in session.exchanges:
        for command in exchange.commands if exchange.is_event else []:
            if command["page"] == "register" and command.get("key") == "userID":
                rendered[command["sequence"]] = command["value"]
            if exchange.is_logout:
                logouts.append(command["sequence"])
    for exchange in session.exchanges:
        answer = exchange.answer
        if exchange.method != "GET" or exchange.path != "/register" or not answer or answer.status != 200:
            continue
        sequence = answer.body["sequence"]
        base = max((number for number in logouts if number <= sequence), default=0)
        before = [number for number in rendered if base < number <= sequence]
        expected = rendered[max(before)] if before else None
        if answer.body["rendered"].get("userID") != expected:
            yield f"the page shows another value than {expected}: {exchange}"


def check_user_ids(saves):
    """No two accounts have the same user ID at the same time."""
    by_account, holdings = defaultdict(list), defaultdict(list)
    for save in sorted((save for save in saves if save.is_accepted), key=lambda save: save.sent):
        by_account[save.account].append(save)
    for own in by_account.values():
        for save, later in zip(own, own[1:] + [None]):
            # At least from the answer until the account's next user ID was sent.
            holdings[save.user_id].append((save.received, later.sent if later else float("inf"), save))
    violations = []
    for user_id, held in holdings.items():
        for start, end, save in held:
            for _, _, other in held:
                if other.account != save.account and start < other.sent and other.received < end:
                    violations.append(
                        f"user ID {user_id} is that of {save.account} from {start:.3f} to {end:.3f} s, and "
                        f"{other.account} got it from {other.sent:.3f} to {other.received:.3f} s"
                    )
    return violations


def current_user_ids(saves):
    """The accepted user IDs that their accounts have not changed since, with their accounts."""
    latest = {}
    for save in sorted((save for save in saves if save.is_accepted), key=lambda save: save.received):
        latest[save.account] = save.user_id
    return {user_id: account for account, user_id in latest.items()}


def check_failures(logins, samples):
    """The database counts at least the failed logins that were answered before: a count never goes backwards.

    A login that succeeds resets the count. Failures that were not verified count as refused; the first five are always verified.
    An account that has accepted a login, and of which a login was sent again, is not checked: a node that was paused may execute the
    attempt without a response later, and reset the count once more.
    """
    by_account, violations = _by_account(logins), []
    for sample in samples:
        before = [login for login in by_account[sample.account] if login.sent < sample.end]
        resets = [login for login in before if login.is_accepted]
        if resets and any(login.attempts > 1 or login.received >= sample.time for login in before):
            continue
        start = max((login.received for login in resets), default=0)
        answered = sum(
            not login.is_right and login.sent >= start and login.received < sample.time for login in before
        )
        if sample.failures + sample.refused < answered or sample.failures < min(answered, FREE_FAILURES):
            violations.append(
                f"{sample.account}: {answered} failed logins were answered before {sample.time:.3f} s, and the database has "
                f"{sample.failures} failures and {sample.refused} refused; the logins: "
                + "; ".join(map(str, before))
            )
    return violations


def check_throttled(logins):
    """An account accepts no password after five failures, until the delay has passed."""
    violations = []
    for account, own in _by_account(logins).items():
        failures = []
        for login in own:
            if not login.is_accepted:
                failures.append(login)
                continue
            before = [failure for failure in failures if failure.received < login.sent]
            failures = []
            if len(before) < FREE_FAILURES:
                continue
            # The fifth failure began the delay. A login counts again if its response was lost, when it was first sent at the earliest.
            start = sorted(failure.sent for failure in before for _ in range(failure.attempts))[FREE_FAILURES - 1]
            if login.received < start + FIRST_DELAY:
                violations.append(
                    f"{account}: after {len(before)} failed logins, the right password was accepted at "
                    f"{login.received:.3f} s, {login.received - start:.1f} s after the fifth was sent; the logins: "
                    + "; ".join(map(str, [*before, login]))
                )
    return violations


def check_right_passwords(logins):
    """An account whose sign-up was acknowledged accepts its password, unless failures delay it."""
    violations = []
    for account, own in _by_account(logins).items():
        failures = 0
        for login in own:
            if login.is_accepted:
                # Those of its attempts whose responses were lost count before or after the reset.
                failures = login.attempts - 1
                continue
            if login.is_right and failures + login.attempts <= FREE_FAILURES:
                violations.append(
                    f"{account} has signed up, and its password was rejected at {login.received:.3f} s, "
                    f"after at most {failures} failures"
                )
            failures += login.attempts
    return violations


def _by_account(logins):
    """The logins of each account, in the order of their answers."""
    by_account = defaultdict(list)
    for login in sorted(logins, key=lambda login: login.received):
        by_account[login.account].append(login)
    return by_account
