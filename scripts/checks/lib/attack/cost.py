"""What a single request may cost. Hashing is as cheap as possible, so that its fixed cost does not count."""

from harness import CHEAP_HASH, FORM, JSON, PASSWORD, Broken, median, to_json
from registry import attack, judge

# The guarantee itself, in seconds on a processor. A request within the limits takes about 1 to 5 ms of the loop, the
# quadratic ones took 150 to 2,000: the bounds leave room for a slow machine, and time on a processor does not grow with
# the other load of the machine.
LOOP = 0.020
TOTAL = 0.100

# Two classes of combining marks in the wrong order: normalisation must sort them all.
MARKS = "\u0301\u0316" * 15_900
# Names that differ in marks of one class, so that no two are equal.
NAMES = ["".join("\u0300\u0301"[number >> bit & 1] for bit in range(10)) + "\u0327" * 18 for number in range(1000)]


def form(body):
    return [("Content-Type", FORM)], body if isinstance(body, bytes) else body.encode()


def js(value):
    return [("Content-Type", JSON)], value if isinstance(value, bytes) else to_json(value)


def costs(run, requests, *options, demo=False):
    """The worst request by its time on the loop and in total: medians of three, or of one if that takes a second."""
    worst = (0.0, 0.0, "", "")
    with run.server(*CHEAP_HASH, "--requests", "off", *options, demo=demo) as server:
        loop = server.loop_thread()
        with server.client() as client:
            for page in ("login", "signup", "register", "product", "products", "email"):
                client.request("GET", f"/{page}")
            client.post("/login", ("username", "x"), ("password", PASSWORD))
        for name, target, (headers, body) in requests:
            times = []
            status = ""
            method = "POST" if body or "=" not in target else "GET"
            while len(times) < (1 if times and times[0][1] > 1 else 3):
                with server.client() as client:
                    before = server.threads()
                    try:
                        status = client.request(method, target, headers, body).summary
                    except Broken:
                        status = "no response"
                    after = server.threads()
                used = {thread: (after[thread] - before.get(thread, 0)) / 1e9 for thread in after}
                times.append((used[loop], sum(used.values())))
            on_loop, total = (median([time[index] for time in times]) for index in (0, 1))
            if total >= worst[1]:
                worst = (on_loop, total, name, status)
    on_loop, total, name, status = worst
    return judge(
        f"loop {on_loop * 1000:.1f} ms, total {total * 1000:.1f} ms ({name}: {status})",
        (on_loop <= LOOP, f"at most {LOOP * 1000:.0f} ms of the event loop"),
        (total <= TOTAL, f"at most {TOTAL * 1000:.0f} ms in total"),
    )


COST = "A request takes at most 20 ms of an event loop and 100 ms of processor time"


@attack(1, f"{COST}: forms with many names")
def cost_form_names(run):
    return costs(
        run,
        [
            ("1,000 names of marks", "/login", form("&".join(f"{name}=" for name in NAMES))),
            ("the same name", "/login", form("&".join(["username=a"] * 6000))),
            ("10,000 names", "/login", form("&".join(f"{number}=" for number in range(10_000)))),
            ("only separators", "/login", form("&" * 65_000)),
            ("escaped", "/login", form("username=" + "%CC%81%CC%96" * 5_400 + "&password=x")),
        ],
    )


@attack(1, f"{COST}: login with marks")
def cost_login(run):
    return costs(
        run,
        [
            ("user name", "/login", form(f"username={MARKS}&password=x")),
            ("user name in JSON", "/login", js({"username": MARKS, "password": "x"})),
            ("user name escaped", "/login", js(b'{"username":"' + b"\\u0301\\u0316" * 5_400 + b'","password":"x"}')),
            ("password", "/login", form(f"username=x&password={MARKS}")),
            ("Hangul", "/login", form("username=" + "\u1112\u1161\u11ab" * 7_000 + "&password=x")),
        ],
    )


@attack(1, f"{COST}: sign-up with marks")
def cost_signup(run):
    return costs(
        run,
        [
            ("name", "/signup", form(f"name={MARKS}&email=a@b.example&password={PASSWORD}")),
            ("email", "/signup", form(f"name=x&email={MARKS}&password={PASSWORD}")),
            ("password", "/signup", form(f"name=x&email=a@b.example&password={MARKS}")),
            ("change of password", "/signup", form(f"event=passwordChanged&password={MARKS}")),
            ("change of name", "/signup", form(f"event=nameChanged&name={MARKS}")),
        ],
        "--signups",
        "10000/1m",
    )


@attack(1, f"{COST}: rules with marks")
def cost_validate(run):
    def checks(rule, value, count=1):
        return "/validate", js({"checks": [{"rule": rule, "value": value}] * count})

    return costs(
        run,
        [
            ("password", *checks("password", MARKS)),
            ("email", *checks("email", MARKS)),
            ("long email", *checks("email", "a@" + "a." * 30_000 + "b")),
            ("user ID", *checks("userID", MARKS)),
            ("white space", *checks("userID", " " * 60_000)),
            ("1,000 passwords", *checks("password", "\u0301\u0316" * 5, 990)),
            ("rule", *checks(MARKS, "x")),
        ],
    )


@attack(1, f"{COST}: the other pages with marks")
def cost_pages(run):
    return costs(
        run,
        [
            ("user ID", "/register", form(f"userID={MARKS}")),
            ("digits", "/register", form("userID=" + "1" * 65_000)),
            ("white space", "/register", form("userID=" + "+" * 65_000)),
            ("address", "/email", form(f"email={MARKS}")),
            ("selected product", "/products", form(f"event=onSelected&product={MARKS}")),
            ("product", "/product", form(f"product={MARKS}")),
        ],
        demo=True,
    )


@attack(1, f"{COST}: pages for browsers")
def cost_html(run):
    def html(body):
        headers, content = form(body)
        return [*headers, ("Accept", "text/html")], content

    return costs(
        run,
        [
            # The query makes it a GET.
            ("documentation", "/docs?a=b", ([("Accept", "text/html")], b"")),
            ("a page", "/signup?a=b", ([("Accept", "text/html")], b"")),
            ("ranges", "/signup?a=b", ([("Accept", "text/html;q=1," * 400)], b"")),
            ("user ID", "/register", html(f"userID={MARKS}")),
            ("text to escape", "/register", html("userID=" + "%3C" * 21_000)),
            ("names", "/register", html("&".join(f"{number}=" for number in range(10_000)))),
            ("JSON instead of a form", "/register", ([("Content-Type", JSON), ("Accept", "text/html")], b"[" * 60_000)),
        ],
        demo=True,
    )


@attack(1, f"{COST}: events and the shape of JSON")
def cost_shape(run):
    return costs(
        run,
        [
            ("event", "/product", form(f"event={MARKS}")),
            ("event in JSON", "/product", js({"event": MARKS})),
            ("member of marks", "/product", js({MARKS: 1})),
            ("values of marks", "/login", js({"values": {name: "" for name in NAMES[:900]}})),
            ("6,500 values", "/login", js(b'{"values":{' + b",".join(b'"%d":0' % n for n in range(6500)) + b"}}")),
            ("depth", "/login", js(b"[" * 60_000)),
            ("long integer", "/login", js(b'{"username":' + b"1" * 60_000 + b"}")),
            ("long fraction", "/login", js(b'{"username":0.' + b"1" * 60_000 + b"}")),
            ("long exponent", "/login", js(b'{"username":1e' + b"1" * 60_000 + b"}")),
        ],
    )


@attack(1, f"{COST}: headers and the query")
def cost_headers(run):
    def headers(*pairs):
        return list(pairs), b""

    marks = ("\u0301\u0316" * 1300).encode()
    return costs(
        run,
        [
            ("query", "/session/history?since=" + "1" * 1900, headers()),
            ("many parameters", "/session/history?" + "&".join(f"a{n}=1" for n in range(300)), headers()),
            ("escaped query", "/session/history?since=" + "%CC%81%CC%96" * 150, headers()),
            ("cookies", "/session?a=1", headers(("Cookie", "; ".join(f"a{n}=1" for n in range(550))))),
            ("sessions", "/session?a=1", headers(("Cookie", "; ".join(f"session={n:032x}" for n in range(120))))),
            ("marks", "/session?a=1", headers(("Cookie", b"session=" + marks), ("Accept", "*/*"))),
            ("addresses", "/session?a=1", headers(("X-Forwarded-For", ", ".join(["10.0.0.1"] * 500)))),
            ("origin", "/session?a=1", headers(("Origin", b"http://" + marks))),
            ("languages", "/session?a=1", headers(("Accept-Language", ",".join(f"a{n};q=0.1" for n in range(450))))),
            ("no languages", "/session?a=1", headers(("Accept-Language", ",".join(["de-AT;q=0"] * 500)))),
            ("preferences", "/session?a=1", headers(("Prefer", ",".join(f"a{n}=b" for n in range(600))))),
            ("many headers", "/session?a=1", headers(*((f"a{n}", "1") for n in range(300)))),
            ("credentials", "/session?a=1", headers(("Authorization", b"Bearer " + marks))),
            ("device", "/login?a=1", headers(("Device-Token", marks))),
        ],
        "--trusted-proxies",
        "127.0.0.1,10.0.0.0/8",
    )


@attack(1, "Four costly forms at once leave /livez at 200")
def cost_livez(run):
    body = "&".join(f"{name}=" for name in NAMES).encode()
    with run.server(*CHEAP_HASH, "--requests", "off") as server:
        clients = [server.client(timeout=60) for _ in range(4)]
        before = server.cpu()
        for client in clients:
            client.send("POST", "/login", [("Content-Type", FORM)], body)
        with server.client(timeout=60) as other:
            status = other.request("GET", "/livez").summary
        for client in clients:
            client.receive()
            client.close()
        cpu = server.cpu() - before
    return judge(
        f"/livez {status}, the forms took {cpu:.2f} s of CPU",
        (status == "200", "/livez 200"),
        (cpu <= 4 * TOTAL, f"at most {4 * TOTAL:.1f} s of CPU for the four"),
    )


@attack(1, "A form has at most 1,000 fields, and a value that is too long gets 422 valueTooLong before anything reads it")
def limits_of_values(run):
    cases = [
        ("/login", [("username", "x" * 255), ("password", "x")], "username", 254),
        ("/login", [("username", "x"), ("password", "x" * 1025)], "password", 1024),
        ("/signup", [("name", "x" * 257), ("email", "a@b.example"), ("password", PASSWORD)], "name", 256),
        ("/signup", [("name", "x"), ("email", "a" * 250 + "@b.example"), ("password", PASSWORD)], "email", 254),
        ("/email", [("email", "a" * 250 + "@b.example")], "email", 254),
        ("/register", [("userID", "1" * 1025)], "userID", 1024),
    ]
    wrong = []
    with run.server(*CHEAP_HASH, "--requests", "off") as server, server.client() as client:
        for target, pairs, field, maximum in cases:
            response = client.post(target, *pairs)
            value = response.json
            if (response.status, response.code, value.get("field"), value.get("maximum")) != (
                422,
                "valueTooLong",
                field,
                maximum,
            ):
                wrong.append(f"{target} {field}: {response.summary}")
        longest = [("username", "\U0001f600" * 254), ("password", "\u0301" * 1024)]
        if (response := client.post("/login", *longest)).status != 200:
            wrong.append(f"the longest values that are allowed: {response.summary}")
        many = client.post("/login", *((f"a{number}", "") for number in range(1001)))
        if not (400 <= many.status < 500 and many.code != "unknownField"):
            wrong.append(f"1,001 fields: {many.summary}")
    return judge(
        f"{len(cases) + 2 - len(wrong)} of {len(cases) + 2} as promised" + (f" ({wrong[0]})" if wrong else ""),
        (
            not wrong,
            "each of these gets 422 valueTooLong with its field and maximum, or a problem: " + ", ".join(wrong),
        ),
    )
