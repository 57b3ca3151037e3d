"""Looks for requests that cost more than plain text of the same shape and size. Called by scripts/checks/cost-fuzz."""

import argparse
import base64
import json
import os
import random
import sys
import time
import unicodedata
from dataclasses import dataclass, field

from harness import CHEAP_HASH, FORM, JSON, Broken, Server, bearer

LARGEST = 65_000
# Seconds on a processor that a measurement gathers at least, so that noise does not count.
ENOUGH = 0.002
FOLDER = ".build/cost-fuzz"


def assigned(first, last, test=lambda character: True):
    return [chr(code) for code in range(first, last) if unicodedata.category(chr(code))[0] != "C" and test(chr(code))]


MARKS = [one for one in assigned(0x300, 0x1E000) if unicodedata.combining(one)]
SAME_CLASS = [one for one in MARKS if unicodedata.combining(one) == 230]
DECOMPOSING = [
    one
    for one in assigned(0xC0, 0x30000)
    if len(unicodedata.normalize("NFD", one)) > 1 and not 0xAC00 <= ord(one) < 0xD7A4
]
SPACES = [one for one in map(chr, range(0x10000)) if one.isspace() and ord(one) > 0x20]
DIGITS = [one for one in assigned(0x660, 0x20000) if unicodedata.category(one) == "Nd"]
RIGHT_TO_LEFT = assigned(0x5D0, 0x5EB) + assigned(0x620, 0x64B)


def some(characters):
    return lambda numbers: numbers.choice(characters)


def sequence(*parts):
    return lambda numbers: "".join(numbers.choice(part) for part in parts)


def zalgo(numbers):
    return numbers.choice("aeio\u4e00") + "".join(numbers.choices(MARKS, k=numbers.randrange(1, 400)))


def reversed_marks(numbers):
    """Marks in the order that normalisation must reverse entirely."""
    few = sorted(numbers.choices(MARKS, k=numbers.randrange(2, 60)), key=unicodedata.combining, reverse=True)
    return "".join(few)


def family(numbers):
    return "\u200d".join(
        numbers.choices("\U0001f468\U0001f469\U0001f467\U0001f466\u2764\U0001f3fd", k=numbers.randrange(2, 40))
    )


# Each gives a piece of text; pieces are repeated until a text is long enough.
TEXTS = {
    "marks": some(MARKS),
    "marks of one class": some(SAME_CLASS),
    "two marks": lambda numbers: "\u0301\u0316",
    "marks in reverse": reversed_marks,
    "base with marks": zalgo,
    "Hangul jamo": sequence(assigned(0x1100, 0x1113), assigned(0x1161, 0x1176), assigned(0x11A8, 0x11C3)),
    "Hangul initials": some(assigned(0x1100, 0x1113)),
    "Hangul vowels": some(assigned(0x1161, 0x1176)),
    "Hangul syllables": lambda numbers: chr(numbers.randrange(0xAC00, 0xD7A4)),
    "Indic conjuncts": lambda numbers: "".join(f"{one}\u094d" for one in numbers.choices(assigned(0x915, 0x93A), k=9))
    + "\u0937\u093f",
    "Indic viramas": lambda numbers: "\u0915\u094d\u200d",
    "Bengali and Tamil": some(assigned(0x981, 0x9E4) + assigned(0xB82, 0xBD8)),
    "emoji families": family,
    "emoji with skins": sequence("\U0001f44b\U0001f9d1", "\U0001f3fb\U0001f3ff"),
    "regional indicators": lambda numbers: chr(numbers.randrange(0x1F1E6, 0x1F200)),
    "variation selectors": lambda numbers: "\u2764\ufe0f\ufe0e",
    "tags": lambda numbers: "\U0001f3f4"
    + "".join(chr(numbers.randrange(0xE0061, 0xE007B)) for _ in range(9))
    + "\U000e007f",
    "joiners": some("\u200d\u200c\u2060\ufeff"),
    "prepended": some("\u0600\u0601\u0605\u06dd\U000110bd"),
    "decomposing": some(DECOMPOSING),
    "ligatures": some("\ufdfa\ufb2c\ufb03\u1f82\u0390\U0001d160"),
    "white space": some(SPACES),
    "other digits": some(DIGITS),
    "right to left": some(RIGHT_TO_LEFT + ["\u202e", "\u2066", "\u200f"]),
    "C1": lambda numbers: chr(numbers.randrange(0x80, 0xA0)),
    "noncharacters": some("\ufffe\uffff\U0010ffff\ufdd0"),
    "any": lambda numbers: chr(numbers.choice((numbers.randrange(0xA0, 0xD800), numbers.randrange(0xE000, 0x110000)))),
    "labels": lambda numbers: "a.",
    "at signs": lambda numbers: "@",
    "address": lambda numbers: "a@b.",
    "spaces": lambda numbers: " ",
    "digits": lambda numbers: numbers.choice("0123456789"),
    "quotes": some("\"\\/'\b\f\n\r\t"),
    "percents": some("%&=;+#?"),
    "upper case": some("\u0130\u1e9e\u00df\u0149\u1fb7\ufb00"),
}


@dataclass
class Case:
    """A request, and the same request in plain text."""

    name: str
    method: str
    target: tuple
    headers: list
    body: tuple
    has_session: bool
    # Whether Examples/orders gets it, whose page reads a list of objects.
    is_order: bool = False
    factor: float = 0.0
    cost: float = 0.0
    plain_cost: float = 0.0
    status: str = ""
    seed: int = 0
    path: str = field(default="", compare=False)


class Generator:
    """Requests from random numbers: the same seed gives the same requests."""

    def __init__(self, seed):
        self.seed = seed
        self.numbers = random.Random(seed)
        self.count = 0

    def size(self, largest=LARGEST):
        """Most are small or as large as can be."""
        if self.numbers.random() < 0.4:
            return largest
        return int(2 ** self.numbers.uniform(4, max(5, largest.bit_length())))

    def plain(self, size):
        """Letters, no two texts alike if they are long enough."""
        self.count += 1
        letters, number = "", self.count
        while number and len(letters) < size:
            letters += chr(ord("a") + number % 26)
            number //= 26
        return (letters + "a" * size)[:size].encode()

    # Encoders: text to bytes.

    def json_raw(self, text):
        return json.dumps(text, ensure_ascii=False).encode("utf-8", "surrogatepass")[1:-1]

    def json_escaped(self, text):
        return "".join(f"\\u{unit:04x}" for one in text for unit in self.units(one)).encode()

    def json_mixed(self, text):
        return b"".join((self.json_raw, self.json_escaped)[self.numbers.random() < 0.5](one) for one in text)

    @staticmethod
    def units(one):
        data = one.encode("utf-16-be", "surrogatepass")
        return [int.from_bytes(data[index : index + 2], "big") for index in range(0, len(data), 2)]

    def form_raw(self, text):
        escaped = {"&": "%26", "=": "%3D", "%": "%25", "+": "%2B", " ": "+"}
        return "".join(escaped.get(one, one) for one in text).encode()

    def form_escaped(self, text):
        return "".join(f"%{byte:02X}" for byte in text.encode()).encode()

    def form_broken(self, text):
        return text.encode()

    def slot(self, kind, size, encode):
        """A pair: encoded text of at most `size` bytes, and plain text of as many bytes."""
        count = min(self.numbers.choice((1, 2, 5, 40, 400)), size // 2 + 1)
        pieces = [encode(TEXTS[kind](self.numbers)) for _ in range(count)]
        block = b"".join(pieces)
        if len(block) > size:
            # Character by character, since a piece may be long.
            pieces = [encode(one) for one in TEXTS[kind](self.numbers) + TEXTS[kind](self.numbers)]
            block = b""
        data = block * (size // len(block)) if block else b""
        for piece in pieces:
            if len(data) + len(piece) > size:
                break
            data += piece
        return data, self.plain(len(data))

    def fields(self, target):
        """Which fields a page's event reads; of the last an empty list is `/validate`."""
        return {
            "/login": [("", ["username", "password"])],
            "/register": [("", ["userID"])],
            "/signup": [
                ("", ["name", "email", "password"]),
                ("nameChanged", ["name"]),
                ("emailChanged", ["email"]),
                ("passwordChanged", ["password"]),
            ],
            "/products": [("onSelected", ["product"])],
            "/product": [("", ["product"])],
            "/email": [("", ["email"])],
        }[target]

    def next(self, kinds=None):
        """A request."""
        numbers = self.numbers
        kind = numbers.choice(kinds or list(TEXTS))
        draw = numbers.random()
        has_session = numbers.random() < 0.3
        if draw < 0.12:
            return self.header_case(kind, has_session)
        if draw < 0.24:
            return self.checks(kind, has_session)
        if draw < 0.44:
            return self.order(kind, has_session)
        target = numbers.choice(["/login", "/register", "/signup", "/products", "/product", "/email"])
        event, fields = numbers.choice(self.fields(target))
        is_json = numbers.random() < 0.5
        shape = numbers.choice(
            ["value", "value", "value", "values", "names", "event", "structure"]
            if is_json
            else ["value", "value", "value", "values", "names", "event"]
        )
        encode = numbers.choice(
            [self.json_raw, self.json_raw, self.json_escaped, self.json_mixed]
            if is_json
            else [self.form_raw, self.form_raw, self.form_escaped, self.form_broken]
        )
        body = (
            self.json_body(shape, kind, event, fields, encode)
            if is_json
            else self.form_body(shape, kind, event, fields, encode)
        )
        what = f"{shape} of {kind}" if shape != "structure" else f"structure {self.structure}"
        name = f"{target} {'JSON' if is_json else 'form'}, {what} ({encode.__name__})"
        return self.case(
            name, "POST", (target.encode(),) * 2, [("Content-Type", JSON if is_json else FORM)], body, has_session
        )

    def case(self, name, method, target, headers, body, has_session):
        return Case(name, method, target, headers, body, has_session, seed=self.seed)

    def parts(self, parts):
        """Joins constants and pairs into two bodies of the same size."""
        return tuple(b"".join(part[index] if isinstance(part, tuple) else part for part in parts) for index in (0, 1))

    def form_body(self, shape, kind, event, fields, encode):
        parts = []
        size = self.size()
        if shape == "event":
            return self.parts([b"event=", self.slot(kind, size, encode)])
        if event:
            parts.append(b"event=" + event.encode() + b"&")
        chosen = self.numbers.choice(fields)
        if shape == "names":
            count = self.numbers.choice((10, 60, 64, 65, 200, 1000))
            for _ in range(count):
                parts += [self.slot(kind, max(4, size // count - 2), encode), b"=&"]
        for name in fields:
            is_chosen = name == chosen and shape == "value" or shape == "values"
            value = (
                self.slot(kind, size if shape == "value" else size // len(fields) - 20, encode) if is_chosen else b"x"
            )
            parts += [name.encode() + b"=", value, b"&"]
        both = self.parts(parts)
        return tuple(body[:LARGEST] for body in both)

    def json_body(self, shape, kind, event, fields, encode):
        size = self.size()
        if shape == "event":
            return self.parts([b'{"event":"', self.slot(kind, size, encode), b'"}'])
        if shape == "structure":
            return self.structured(size, fields)
        chosen = self.numbers.choice(fields)
        members = []
        if shape == "names":
            count = self.numbers.choice((10, 64, 65, 200, 1000, 3000))
            for _ in range(count):
                members.append([b'"', self.slot(kind, max(4, size // count - 5), encode), b'":0'])
        for name in fields:
            is_chosen = name == chosen and shape == "value" or shape == "values"
            value = (
                self.slot(kind, size if shape == "value" else size // len(fields) - 30, encode) if is_chosen else b"x"
            )
            members.append([b'"' + name.encode() + b'":"', value, b'"'])
        self.numbers.shuffle(members)
        parts = [part for index, member in enumerate(members) for part in ([b","] if index else []) + member]
        start = b'{"event":"' + event.encode() + b'","values":{' if event else b"{"
        body = self.parts([start, *parts, b"}}" if event else b"}"])
        return tuple(one if len(one) <= LARGEST else one[: LARGEST - 2] for one in body)

    def structured(self, size, fields):
        """JSON whose cost is in its structure. The plain text is as many bytes: of plain members, of an array, or of a string."""
        name = self.numbers.choice(fields).encode()
        made = {
            "arrays": lambda: b"[" * (size // 2) + b"]" * (size // 2),
            "objects": lambda: b'{"a":' * (size // 6) + b"1" + b"}" * (size // 6),
            "31 arrays": lambda: (b"[" * 30 + b"]" * 30 + b",") * (size // 61) + b"0",
            "integer": lambda: b"1" * size,
            "negative": lambda: b"-" + b"9" * size,
            "fraction": lambda: b"0." + b"1" * size,
            "small fraction": lambda: b"0." + b"0" * size + b"1",
            "exponent": lambda: b"1e" + b"1" * size,
            "small exponent": lambda: b"1" * (size // 2) + b"e-" + b"0" * (size // 2) + b"1",
            "numbers": lambda: b"[" + b"1.7976931348623157e308," * (size // 23) + b"1]",
            "subnormals": lambda: b"[" + b"4.9406564584124654e-324," * (size // 24) + b"1]",
            "white space": lambda: b" \t\r\n" * (size // 4) + b"1",
            "members": lambda: b"{" + b",".join(b'"%d":0' % number for number in range(size // 9)) + b',"x":0}',
            "equal members": lambda: b"{" + b'"a":0,' * (size // 6) + b'"a":0}',
            "equivalent members": lambda: "{{{}}}".format(
                ",".join(f'"\u00e9{number}":0,"e\u0301{number}":0' for number in range(size // 24))
            ).encode(),
            "surrogates": lambda: b'"' + b"\\ud83d\\ude00" * (size // 12) + b'"',
            "lone surrogates": lambda: b'"' + b"\\ud83d" * (size // 6) + b'"',
            "NULs": lambda: b'"' + b"\\u0000" * (size // 6) + b'"',
            "short escapes": lambda: b'"' + b"\\n\\/" * (size // 4) + b'"',
            "invalid UTF-8": lambda: b'"' + b"\xf0\x9f\x98" * (size // 3) + b'"',
        }
        self.structure = self.numbers.choice(list(made))
        data = made[self.structure]()[: LARGEST - 40]
        if "members" in self.structure or self.structure == "objects":
            plain = b"{" + b",".join(b'"%s":0' % self.plain(5) for _ in range(len(data) // 10)) + b"}"
        elif "arrays" in self.structure or self.structure in ("numbers", "subnormals"):
            plain = b"[" + b'"a",' * (len(data) // 4 - 1) + b'"a"]'
        else:
            plain = b'"' + self.plain(max(0, len(data) - 2)) + b'"'
        return tuple(b'{"' + name + b'":' + one + b"}" for one in (data, plain))

    def order(self, kind, has_session):
        """A list of objects, in JSON or with dots in the names of a form. The plain text has as many elements or fields of that size."""
        is_json = self.numbers.random() < 0.5
        shape, data, plain = (self.json_order if is_json else self.form_order)(kind)
        name = f"/order {'JSON' if is_json else 'form'}, {shape} of {kind}"
        headers = [("Content-Type", JSON if is_json else FORM)]
        case = self.case(name, "POST", (b"/order",) * 2, headers, (data, plain), has_session)
        case.is_order = True
        return case

    def json_order(self, kind):
        encode = self.numbers.choice([self.json_raw, self.json_escaped, self.json_mixed])
        size = self.size(LARGEST - 200)
        count = self.numbers.choice((1, 20, 100, 300, 1000, 5000))
        level = self.numbers.choice((2, 6, 7, 8, 9, 29))
        share = size // count
        text = lambda: self.slot(kind, max(4, share - 45), encode)
        unknown = lambda number: [b"," if number else b"", b'"', self.slot(kind, 12, encode), b'%d":0' % number]
        structure = lambda data: [(data, b'"' + self.plain(max(0, len(data) - 2)) + b'"')]
        made = {
            "products": lambda: [b'{"product":"', text(), b'","size":"small","count":1}'],
            "sizes": lambda: [b'{"product":"a","size":"', text(), b'","count":1}'],
            "counts": lambda: structure(b'{"product":"a","size":"small","count":1' + b"0" * max(1, share - 45) + b"}"),
            "empty lines": lambda: structure(b"{}"),
            "unknown members": lambda: [b"{", *(part for number in range(1 + share // 20) for part in unknown(number)), b"}"],
            "nested lines": lambda: structure(b'{"product":' * level + b"1" + b"}" * level),
            "nested lists": lambda: structure(b"[" * level + b"1" + b"]" * level),
            "other types": lambda: structure(self.numbers.choice([b"null", b"1", b"true", b'"a"', b"[]"])),
        }
        shape = self.numbers.choice(list(made))
        elements = self.until(size, count, lambda number: made[shape]())
        start, end = b'{"values":{"lines":[', b'],"day":"2027-03-01"}}'
        what = f"{len(elements)} {shape} ({encode.__name__})"
        return what, *(start + b",".join(one[index] for one in elements) + end for index in (0, 1))

    def form_order(self, kind):
        encode = self.numbers.choice([self.form_raw, self.form_escaped, self.form_broken])
        size = self.size(LARGEST - 200)
        count = self.numbers.choice((3, 60, 300, 999, 1000, 1001))
        level = self.numbers.choice((1, 3, 5, 7, 8, 200))
        share = max(4, size // count - 25)
        text = lambda: self.slot(kind, share, encode)
        structure = lambda data: [(data, self.plain(max(1, len(data) - 2)) + b"=a")]
        members = (b"lines.%d.product=a", b"lines.%d.size=small", b"lines.%d.count=1")
        made = {
            "products": lambda number: [b"lines.%d.product=" % number, text()],
            "members": lambda number: structure(members[number % 3] % (number // 3)),
            "unknown members": lambda number: [b"lines.0.", text(), b"%d=a" % number],
            "indices": lambda number: [b"lines.", text(), b"%d.product=a" % number],
            "lines from the last": lambda number: structure(b"lines.%d.product=a" % (count - 1 - number)),
            "equal names": lambda number: structure(b"lines.0.product=a"),
            "equal lists": lambda number: [b"lines=", text()],
            f"paths of {level} levels": lambda number: structure(b"lines" + b".0" * level + b".%d=a" % number),
            f"branches of {level} levels": lambda number: structure(b"lines" + b".%d" % number * level + b"=a"),
            "dots": lambda number: structure(b"lines" + b"." * share + b"=a"),
            "dots in scalars": lambda number: structure(b"day.%d.x=a" % number),
        }
        shape = self.numbers.choice(list(made))
        fields = self.until(size, count, made[shape])
        what = f"{len(fields)} {shape} ({encode.__name__})"
        return what, *(b"&".join(one[index] for one in fields) for index in (0, 1))

    def until(self, size, count, make):
        """So many pairs, or as many as have that size."""
        pairs, length = [], 0
        while len(pairs) < count:
            pair = self.parts(make(len(pairs)))
            length += len(pair[0]) + 1
            if pairs and length > size:
                break
            pairs.append(pair)
        return pairs

    def checks(self, kind, has_session):
        rule = self.numbers.choice(["userID", "email", "password"])
        encode = self.numbers.choice([self.json_raw, self.json_escaped, self.json_mixed])
        count = self.numbers.choice((1, 1, 1, 10, 100, 1000))
        size = min(self.size(), LARGEST - 60 * count) // count
        is_rule = self.numbers.random() < 0.1
        parts = []
        for number in range(count):
            text = self.slot(kind, max(4, size), encode)
            check = (
                [b'{"rule":"', text, b'","value":"x"}']
                if is_rule
                else [b'{"rule":"' + rule.encode() + b'","value":"', text, b'"}']
            )
            parts += ([b","] if number else []) + check
        body = self.parts([b'{"checks":[', *parts, b"]}"])
        name = f"/validate {count} {'rules' if is_rule else rule} of {kind} ({encode.__name__})"
        return self.case(name, "POST", (b"/validate",) * 2, [("Content-Type", JSON)], body, has_session)

    def header_case(self, kind, has_session):
        """Text in a header, in a cookie or in the query. The plain text keeps the separators."""
        numbers = self.numbers
        raw = lambda text: "".join(
            one for one in text if one not in "\r\n\0\x7f" and not unicodedata.category(one) == "Cc"
        ).encode()
        size = self.size(5000)
        where = numbers.choice(
            [
                "Cookie",
                "Accept",
                "Accept-Language",
                "Origin",
                "X-Forwarded-For",
                "traceparent",
                "Authorization",
                "Prefer",
                "Device-Token",
                "Idempotency-Key",
                "If-None-Match",
                "query",
                "names",
            ]
        )
        target = (b"/session",) * 2
        headers = []
        if where == "query":
            parts = [b"/session/history?"]
            for _ in range(numbers.choice((1, 2, 50, 300))):
                parts += [b"since=", self.slot(kind, min(size, 1800) // 50 + 4, self.form_escaped), b"&"]
            target = tuple(one[:1950] for one in self.parts(parts))
            headers = [("A", (b"b", b"b"))]
        elif where == "names":
            headers = [(f"A{number}", (b"b", b"b")) for number in range(size // 40)]
        else:
            count = numbers.choice((1, 1, 5, 100))
            between = {"Cookie": b"; a=", "X-Forwarded-For": b", "}.get(where, b",")
            start = {"Cookie": b"session=", "Authorization": b"Bearer "}.get(where, b"")
            parts = [start]
            for number in range(count):
                parts += ([between] if number else []) + [self.slot(kind, size // count + 4, raw)]
            headers = [(where, tuple(one[:5000] for one in self.parts(parts)))]
        return self.case(f"GET {where} of {kind}", "GET", target, headers, (b"", b""), has_session)


class Measure:
    """Processor time of requests, on one server."""

    def __init__(self, binary, pages):
        self.binary = binary
        self.pages = pages
        self.server = None
        self.restart()

    def restart(self):
        if self.server:
            self.server.kill()
        self.server = Server(
            self.binary,
            *CHEAP_HASH,
            "--requests",
            "off",
            "--signups",
            "1000000/1s",
            "--failed-logins",
            "1000000/1s",
            "--trusted-proxies",
            "127.0.0.1",
            "--max-sessions",
            "2000",
            "--logins",
            "1000000/1s",
        )
        if "login" in self.pages:
            self.server.add_account()
        self.client = self.server.client(timeout=60)
        self.session = bearer(self.client.request("POST", "/session").json["token"])
        # So that one-time work is done before the measurement.
        for page in self.pages:
            self.client.request("GET", f"/{page}")
            self.client.post(f"/{page}", ("event", "x"))

    def once(self, case, index, count=1):
        """The time of a request, mean of so many, and the status."""
        headers = [(name, value[index] if isinstance(value, tuple) else value) for name, value in case.headers]
        if case.has_session and not any(name == "Authorization" for name, _ in headers):
            headers.append(self.session)
        before = self.server.cpu()
        status = ""
        for _ in range(count):
            try:
                status = self.client.request(case.method, case.target[index], headers, case.body[index]).summary
            except Broken:
                status = "no response"
                self.client.close()
        return (self.server.cpu() - before) / count, status

    def both(self, case):
        """Measures a case, alternating, with as many requests as the resolution asks for."""
        first, case.status = self.once(case, 0)
        count = 1 if first > ENOUGH else min(50, int(ENOUGH / max(first, 1e-5)) + 1)
        if count > 1:
            first, case.status = self.once(case, 0, count)
        case.cost = first
        case.plain_cost, _ = self.once(case, 1, max(count, 5))
        case.factor = case.cost / max(case.plain_cost, 1e-6)
        return case.factor

    def carefully(self, case, times=3):
        """The median of several measurements, for a case with an unusual cost."""
        factors = sorted((self.both(case), case.cost, case.plain_cost) for _ in range(times))
        case.factor, case.cost, case.plain_cost = factors[times // 2]
        return case.factor


def save(case, number):
    os.makedirs(FOLDER, exist_ok=True)
    case.path = os.path.join(FOLDER, f"seed-{case.seed}-request-{number}.json")
    coded = lambda pair: [base64.b64encode(one).decode() for one in pair]
    with open(case.path, "w", encoding="utf-8") as file:
        json.dump(
            {
                "name": case.name,
                "method": case.method,
                "target": coded(case.target),
                "body": coded(case.body),
                "headers": [
                    [name, coded(value) if isinstance(value, tuple) else value] for name, value in case.headers
                ],
                "session": case.has_session,
                "order": case.is_order,
                "factor": round(case.factor, 1),
            },
            file,
            indent=1,
        )


def load(path):
    with open(path, encoding="utf-8") as file:
        value = json.load(file)
    decoded = lambda pair: tuple(base64.b64decode(one) for one in pair)
    headers = [(name, decoded(one) if isinstance(one, list) else one) for name, one in value["headers"]]
    return Case(
        value["name"],
        value["method"],
        decoded(value["target"]),
        headers,
        decoded(value["body"]),
        value["session"],
        value.get("order", False),
    )


def show(case):
    size = (
        len(case.body[0])
        + len(case.target[0])
        + sum(len(value[0]) for _, value in case.headers if isinstance(value, tuple))
    )
    print(
        f"{case.factor:8.1f}  {case.cost * 1000:9.3f} ms  plain {case.plain_cost * 1000:7.3f} ms  {size:6} bytes  {case.status:18} {case.name}"
        + (f"\n          saved as {case.path}" if case.path else ""),
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(prog="scripts/checks/cost-fuzz", allow_abbrev=False)
    parser.add_argument("binary")
    parser.add_argument("orders")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--factor", type=float, default=20)
    parser.add_argument("--replay")
    options = parser.parse_args()
    # By whether the request is an order.
    measures = {False: Measure(options.binary, ("login", "register", "signup", "products", "product", "email"))}
    try:
        measures[True] = Measure(options.orders, ("order",))
        if options.replay:
            case = load(options.replay)
            measures[case.is_order].carefully(case)
            show(case)
            return 1 if case.factor > options.factor else 0
        return fuzz(measures, options)
    finally:
        for measure in measures.values():
            measure.server.kill()


def fuzz(measures, options):
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(10**6)
    print(f"cost-fuzz: seed {seed}, {options.minutes:g} minutes, factor {options.factor:g}", flush=True)
    generator = Generator(seed)
    worst, count, saved = [], 0, 0
    end = time.monotonic() + options.minutes * 60
    while time.monotonic() < end:
        # A run's cases depend only on its seed, not on its measurements.
        case = generator.next()
        measure = measures[case.is_order]
        count += 1
        try:
            factor = measure.both(case)
            if factor > options.factor / 2:
                factor = measure.carefully(case)
        except OSError as error:
            if measure.server.is_alive():
                raise
            print(f"the server ended at request {count} ({error}): {case.name}")
            save(case, count)
            show(case)
            return 1
        if factor > options.factor and saved < 100:
            saved += 1
            save(case, count)
            if saved <= 5:
                show(case)
        worst = sorted([*worst, case], key=lambda one: -one.factor)[:10]
        if count % 5000 == 0:
            for measure in measures.values():
                measure.restart()
    print(f"the ten highest factors of {count} requests:")
    for case in worst:
        show(case)
    above = sum(case.factor > options.factor for case in worst)
    highest = worst[0].factor if worst else 0
    print(
        f"cost-fuzz: seed {seed}, {count} requests, highest factor {highest:.1f}: "
        + (
            f"above {options.factor:g} ({saved if saved else above} saved)"
            if above
            else f"none above {options.factor:g}"
        )
    )
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
