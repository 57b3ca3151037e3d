"""Texts of a client that try to become markup of a page."""

import re
import urllib.parse

from harness import CHEAP_HASH, FORM, PASSWORD, Client, form
from registry import attack, judge

HTML = [("Accept", "text/html")]
TOKEN = "correct-horse-battery-staple"
# Nothing, and code points that form one character with the metacharacter next to them: of the classes Prepend, Extend, SpacingMark and ZWJ.
NEIGHBOURS = ["", "\u0600", "\U000110bd", "\u0301", "\ufe0f", "\u20dd", "\u0903", "\u200d", "\u200c"]
PAYLOADS = [
    f"{before}{character}{after}zqz"
    for character in "<>&\"'"
    for before in NEIGHBOURS
    for after in NEIGHBOURS
]


def unescaped(page, payload):
    """The places of a page in which the payload is as it was sent."""
    declaration = re.compile(rb'<script type="application/json".*?</script>', re.S)
    in_html = declaration.sub(b"", page).count(payload.encode())
    in_script = sum(found.count(payload.encode()) for found in declaration.findall(page)) if "<" in payload else 0
    return in_html + in_script


@attack("-", "No text of a client becomes markup, whatever code points are next to its metacharacters")
def injected_markup(run):
    count = {"link": 0, "problem": 0, "operators": 0}
    shown = {key: 0 for key in count}
    with open(f"{run.folder()}/token", "w", encoding="utf-8") as token:
        token.write(TOKEN + "\n")
    with run.server(
        *CHEAP_HASH, "--requests", "off", "--signups", "1000/1m", "--pages", "on", "--admin-token-file", token.name, admin=True
    ) as server, server.client(*HTML) as client, Client(server.admin_port(), headers=HTML) as operator:

        def look(place, page, payload):
            count[place] += unescaped(page, payload)
            shown[place] += b"zqz" in page

        for payload in PAYLOADS:
            quoted = urllib.parse.quote(payload)
            look("link", client.request("GET", f"/login?username={quoted}").body, payload)
            answer = client.request("POST", "/register", [("Content-Type", FORM)], f"event={quoted}".encode())
            look("problem", answer.body, payload)
        for start in range(0, len(PAYLOADS), 20):
            part = PAYLOADS[start:start + 20]
            address = f"lisa{start}@rules.example"
            fields = form(("name", " ".join(part)), ("email", address), ("password", PASSWORD))
            client.request("POST", "/signup", [("Content-Type", FORM)], fields)
            answer = operator.request("POST", "/login", [("Content-Type", FORM)], form(("operator", "marge"), ("token", TOKEN)))
            cookie = [("Cookie", "; ".join(value.partition(";")[0] for value in answer.all("Set-Cookie")))]
            for path in ("/accounts", f"/accountDetails?account={address}"):
                page = operator.request("GET", path, cookie).body
                for payload in part:
                    look("operators", page, payload)
    return judge(
        ", ".join(f"{count[place]} of {len(PAYLOADS)} texts unescaped: {place}" for place in count),
        *((number == 0, f"every text escaped: {place}") for place, number in count.items()),
        *((number > 0, f"texts shown: {place}") for place, number in shown.items()),
    )
