"""Passkeys and codes of second factors: guessing them, replaying them, and doing without them."""

import base64
import hashlib
import hmac
import json
import os
import struct
import subprocess
import time

from harness import CHEAP_HASH, FORM, PASSWORD, exchange, form, wait_until
from mails import Mails
from recovery import LISA, names, session
from registry import attack, judge


def rendered(response, key):
    """The value of the last command of a response that renders a key."""
    return [command["value"] for command in response.json["commands"] if command.get("key") == key][-1]


def totp(secret, step=0):
    """The code that an app shows so many steps from now (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time()) // 30 + step)
    digest = hmac.digest(base64.b32decode(secret.replace(" ", "")), counter, hashlib.sha1)
    number = struct.unpack(">I", digest[digest[-1] & 15:][:4])[0] & 0x7FFFFFFF
    return f"{number % 10**6:06}"


def log_in(client, *headers):
    """Enters the password, and returns the response and the session's headers."""
    token = session(client)
    answer = client.post("/login", ("username", LISA), ("password", PASSWORD), headers=[token, *headers])
    if answer.is_logged_in:
        token = ("Authorization", f"Bearer {answer.json['token']}")
    return answer, token


def is_home(response):
    return response is not None and response.status == 200 and b'"name":"Home"' in response.body


def add_app(client):
    """Adds an authenticator app, and returns its secret and the recovery codes."""
    _, token = log_in(client)
    secret = rendered(client.post("/factors", ("event", "createAppButtonPressed"), headers=[token]), "appSecret")
    pairs = (("event", "confirmAppButtonPressed"), ("code", totp(secret, -1)))
    return secret, rendered(client.post("/factors", *pairs, headers=[token]), "recoveryCodes")


def base64url(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Passkey:
    """An authenticator with one passkey (ES256), which openssl signs with."""

    def __init__(self, run, port):
        self.key = os.path.join(run.folder(), "key.pem")
        self.origin, self.site, self.id, self.count = f"http://localhost:{port}", "localhost", b"attack", 0
        openssl("genpkey", "-algorithm", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out", self.key)

    def head(self, flags):
        self.count += 1
        return hashlib.sha256(self.site.encode()).digest() + bytes([flags]) + struct.pack(">I", self.count)

    def client_data(self, kind, options):
        content = {"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False}
        return json.dumps(content).encode()

    def registration(self, options):
        self.handle = options["user"]["id"]
        point = openssl("pkey", "-in", self.key, "-pubout", "-outform", "DER")[-64:]
        key = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + point[:32] + b"\x22\x58\x20" + point[32:]
        data = self.head(0x45) + bytes(16) + struct.pack(">H", len(self.id)) + self.id + key
        client_data = self.client_data("webauthn.create", options)
        return self.response(clientDataJSON=base64url(client_data), authenticatorData=base64url(data))

    def login(self, options, flags=0x05):
        data, client_data = self.head(flags), self.client_data("webauthn.get", options)
        signature = openssl("dgst", "-sha256", "-sign", self.key, input=data + hashlib.sha256(client_data).digest())
        return self.response(
            clientDataJSON=base64url(client_data),
            authenticatorData=base64url(data),
            signature=base64url(signature),
            userHandle=self.handle,
        )

    def response(self, **content):
        return json.dumps({"type": "public-key", "id": base64url(self.id), "rawId": base64url(self.id), "response": content})


def openssl(*arguments, input=None):
    return subprocess.run(["openssl", *arguments], input=input, capture_output=True, check=True).stdout


@attack("-", "The codes of a second factor can be guessed as often as passwords, over all sessions and networks, and its owner can log in")
def guessed_second_factors(run):
    with run.server(*CHEAP_HASH, "--trusted-proxies", "127.0.0.1", "--requests", "off") as server:
        server.add_account(LISA)
        with server.client(address="198.51.100.1") as client:
            _, recovery = add_app(client)
        passwords = guesses = 0
        for number in range(12):
            # Each session from another network, with the right password.
            with server.client(address=f"203.0.113.{number}") as client:
                answer, token = log_in(client)
                passwords += b'"name":"secondFactor"' in answer.body
                for guess in range(7):
                    answer = client.post("/secondFactor", ("code", f"{guess:06}"), headers=[token])
                    guesses += "secondFactor.wrong" in names(answer)
        throttled = reasons(server).count("throttled")
        verified = reasons(server).count("wrongCode")
        with server.client(address="198.51.100.1") as client:
            _, token = log_in(client)
            answer = client.post("/secondFactor", ("code", recovery[0]), headers=[token])
    return judge(
        f"{passwords} of 12 passwords lead to the second factor; {verified} guesses are verified, and {throttled} are not; "
        f"a recovery code {'works' if is_home(answer) else 'does not work'}",
        (passwords == 12, "a password needs a second factor"),
        (verified == 5, "five guesses are verified"),
        (guesses == 12 * 4, "the fifth wrong code of a session and those after it lead back to the login"),
        (is_home(answer), "the owner logs in with a recovery code"),
    )


def reasons(server):
    """Why logins have failed, from the audit log."""
    lines = server.command("audit", "export").stdout.splitlines()
    return [record["reason"] for record in map(json.loads, lines) if record["event"] == "loginFailed"]


@attack("-", "A response of a passkey works once, for its challenge, its page, its origin and its site, and a touch alone is no login")
def replayed_passkeys(run):
    with run.server(*CHEAP_HASH, "--requests", "off", loops=2) as server, server.client() as client:
        server.add_account(LISA)
        _, token = log_in(client)
        passkey = Passkey(run, server.port)
        creation = client.post("/factors", ("event", "createPasskeyButtonPressed"), headers=[token])
        response = passkey.registration(rendered(creation, "passkeyCreation"))
        added = client.post("/factors", ("event", "passkeyCreated"), ("passkey", response), headers=[token])

        def request(token, page="login"):
            answer = client.post(f"/{page}", ("event", "passkeyRequested"), headers=[token])
            return rendered(answer, "passkeyRequest")

        def choose(token, response, page="login"):
            return is_home(client.post(f"/{page}", ("event", "passkeyChosen"), ("passkey", response), headers=[token]))

        def attempt(flags=0x05, **changes):
            token, saved = session(client), dict(vars(passkey))
            options = request(token)
            vars(passkey).update(changes)
            response = passkey.login(options, flags)
            vars(passkey).update({name: saved[name] for name in changes})
            return choose(token, response)

        results = {
            "another origin": attempt(origin="https://evil.example"),
            "another site": attempt(site="evil.example"),
            "a touch alone": attempt(flags=0x01),
        }
        # Of another session, and after it was used.
        token, other = session(client), session(client)
        response = passkey.login(request(token))
        request(other)
        results["another session"] = choose(other, response)
        first = choose(token, response)
        again = session(client)
        request(again)
        results["a replay"] = choose(again, response)
        # For the second factor, at the login.
        _, token = log_in(client)
        response = passkey.login(request(token, "secondFactor"))
        results["another page"] = choose(token, response)
        password, _ = log_in(client)
        # The same response on several connections at once.
        clients = [server.client() for _ in range(8)]
        token = session(client)
        body = form(("event", "passkeyChosen"), ("passkey", passkey.login(request(token))))
        answers = exchange(clients, [("POST", "/login", [("Content-Type", FORM), token], body)] * 8)
        at_once = sum(map(is_home, answers))
        for each in clients:
            each.close()
    accepted = [name for name, is_accepted in results.items() if is_accepted]
    return judge(
        f"{len(results) - len(accepted)} of {len(results)} wrong responses are rejected, and {at_once} of 8 at once succeed"
        + "".join(f"; accepted: {name}" for name in accepted),
        (b'"passkeys"' in added.body and first, "a passkey is added and logs its user in"),
        (not accepted, "all are rejected"),
        (b'"name":"secondFactor"' in password.body, "a password alone does not log in"),
        (at_once == 1, "one of several at once succeeds"),
    )


@attack("-", "Changes of an account send no mail to an address that was never confirmed, and five in an hour to any other")
def mailed_notices(run):
    changes, accepted, counts = 40, 0, []
    for is_confirmed in ("true", "false"):
        mails = Mails()
        with run.server(*CHEAP_HASH, *mails.options) as server, server.client() as client:
            lisa = {"email": LISA, "name": "Lisa", "password": PASSWORD, "emailConfirmed": is_confirmed}
            server.import_records("account", [lisa], *CHEAP_HASH)
            _, token = log_in(client)
            pairs = (("event", "addAgentButtonPressed"), ("agentName", "a"), ("agentDays", "1"), ("password", PASSWORD))
            for _ in range(changes):
                accepted += b"agentToken" in client.post("/account", *pairs, headers=[token]).body
            wait_until(lambda: mails.count(LISA) > 5, 4)
            counts.append(mails.count(LISA))
    return judge(
        f"for {accepted} changes, {counts[0]} mails to a confirmed address, {counts[1]} to another one",
        (accepted == 2 * changes, "all changes succeed"),
        (counts == [5, 0], "five mails to the confirmed address, and none to the other"),
    )
