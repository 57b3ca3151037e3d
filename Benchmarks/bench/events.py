"""The events that the benchmark sends, as the bytes of their requests."""

import json
from dataclasses import dataclass

HOST = "127.0.0.1"
TOKEN = "0123456789abcdef0123456789abcdef"  # as long as a session's, for servers that ignore it

# What Chrome 131 sends with a script's request to the page's own site. Two of the cookies are those of other scripts.
BROWSER = """\
Connection: keep-alive
sec-ch-ua-platform: "Linux"
User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36
sec-ch-ua: "Google Chrome";v="131", "Chromium";v="131", "Not_A Brand";v="24"
sec-ch-ua-mobile: ?0
Accept: application/json, text/plain, */*
Origin: http://{address}
Sec-Fetch-Site: same-origin
Sec-Fetch-Mode: cors
Sec-Fetch-Dest: empty
Referer: http://{address}/account/user-id
Accept-Encoding: gzip, deflate, br, zstd
Accept-Language: en-GB,en;q=0.9,de;q=0.8
Cookie: _ga=GA1.1.1084537921.1763801234; theme=dark; session={token}
"""


@dataclass(frozen=True)
class Event:
    name: str
    path: str
    body: str
    response: str  # contains this text
    header: str = "Authorization: Bearer {token}\n"
    media_type: str = "application/json"
    method: str = "POST"

    @property
    def starts_session(self):
        return "{token}" not in self.header

    def request(self, port, token=TOKEN, extra=""):
        """The bytes of the request."""
        address = f"{HOST}:{port}"
        content = f"Content-Type: {self.media_type}\nContent-Length: {len(self.body)}\n" if self.method == "POST" else ""
        header = f"Host: {address}\n{self.header}{extra}{content}"
        lines = f"{self.method} {self.path} HTTP/1.1\n{header.format(address=address, token=token)}\n"
        return (lines.replace("\n", "\r\n") + self.body).encode()


def json_body(event, **values):
    return json.dumps({"event": event, "values": values}, separators=(",", ":"))


def registration(name, user_id="012345678912", **others):
    body = json_body("textFieldDidEndEditing", userID=user_id)
    return Event(name, "/register", **{"body": body, "response": '"value":"012345678912"', **others})


BEARER = registration("bearer token")
COOKIE = registration("cookie", header="Cookie: session={token}\n")
WHITE_SPACE = registration("white space in the user ID", user_id=" 0123 4567 8912 ")
BROWSER_HEADERS = registration("a browser's headers", header=BROWSER)
FORM = registration("form", body="userID=012345678912", media_type="application/x-www-form-urlencoded")
NEW_SESSION = registration("new session each time", header="")
PRODUCTS = Event("products list", "/products", json_body("onStart"), '"description":"A beautiful car"')
# A login that succeeds gives the session another token, so that it cannot be repeated with the same one. The benchmark measures
# the login page after five wrong passwords, which rejects every login.
LOGIN = Event("login", "/login", json_body("loginButtonPressed", username="batman", password="joker"), "login.tooManyAttempts")
# The events of comparisons between two servers, with the settings that they need.
KINDS = {
    "registration": (BEARER, ()),
    "cookie": (COOKIE, ()),
    "white-space": (WHITE_SPACE, ()),
    "browser-headers": (BROWSER_HEADERS, ()),
    "form": (FORM, ()),
    "products": (PRODUCTS, ()),
    "new-session": (NEW_SESSION, ()),
    "login": (LOGIN, ()),
    "access-log-off": (BEARER, ("--access-log", "off")),
}
GUESTBOOK = Event("guestbook", "/guestbook", json_body("signButtonPressed", name="Lisa"), "Welcome Lisa")


def accounts_login(number):
    """A login that succeeds, on a connection without a session, for an account of `passwords.py`."""
    return Event("correct login", "/login", json_body("loginButtonPressed", **account(number)), '"command":"goToPage"', header="")


def account(number):
    return {"username": f"user{number}@rules.example", "password": f"eighteen long words {number}"}
