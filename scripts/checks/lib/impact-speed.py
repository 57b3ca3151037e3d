"""Measures `understudy impact` with recorded sessions, and compares it with `understudy replay`.

    impact-speed.py PROGRAM SESSIONS [FOLDER]

Every tenth recording contains another text than the pages now give, so that one group of recordings has changed.

Exit status 1 if 10,000 sessions would take longer than a minute, or if the two commands find something else.
"""
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import time

EVENTS = 20
MAXIMUM_SECONDS = 60  # for 10,000 sessions
PRODUCTS = ["Car", "Bicycle", "Rocket", "\u00fcnknown"]


def main():
    program, sessions = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory() as temporary:
        folder = (sys.argv[3:] and sys.argv[3]) or os.path.join(temporary, "recordings")
        if not os.path.isdir(folder):
            record(program, sessions, folder)
        files = sorted(entry.path for entry in os.scandir(folder))
        impact, report = measure([program, "impact", "--json", folder])
        one, _ = measure([program, "impact", "--json", "--jobs", "1", folder])
        replay, lines = measure([program, "replay", *files])
        report, lines = json.loads(report), lines.splitlines()
    unchanged = sum(line.endswith(f": no difference ({EVENTS} events)") for line in lines)
    compared = sum(": no difference (" in line for line in lines)
    found = [report["unchanged"], report["unchanged"] + report["partlyCompared"], len(report["groups"])]
    print(f"{len(files)} sessions, {os.cpu_count()} processors: "
          + ", ".join(f"{name} {count}" for name, count in report.items() if name != "groups"))
    for name, figures in [("impact", impact), ("impact --jobs 1", one), ("replay", replay)]:
        print(f"{name:16} {figures['seconds']:7.2f} s {figures['cpu']:7.2f} s of processors {figures['memory']:5.0f} MiB")
    print(f"impact takes {impact['seconds'] / replay['seconds']:.2f} of the time of replay, "
          f"and {impact['cpu'] / replay['cpu']:.2f} of its processor time")
    faults = []
    expected = [unchanged, compared, 1]
    if found != expected or unchanged == 0:
        faults.append("sessions that are unchanged, sessions without a difference, and groups: "
                      f"expected {expected} as replay finds, found {found}")
    if impact["seconds"] > MAXIMUM_SECONDS * len(files) / 10_000:
        faults.append(f"{len(files)} sessions took longer than {MAXIMUM_SECONDS} seconds for 10,000 allow")
    for fault in faults:
        print(f"FAILED: {fault}")
    return 1 if faults else 0


def measure(command):
    """Runs a command. Returns its time, its processor time and its memory, and its output."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1, 2):
            sys.exit(f"{command[:3]} ended with {process.returncode}")
        output.seek(0)
        figures = {"seconds": seconds, "cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss / 1024}
        return figures, output.read()


def record(program, sessions, folder):
    """Lets a demonstration record sessions."""
    options = ["--port", "0", "--demo", "--record", folder, "--admin-port", "off", "--log-level", "error",
               "--access-log", "off"]
    process = subprocess.Popen([program, "serve", *options], stdout=subprocess.PIPE, text=True)
    try:
        port = int(process.stdout.readline().rsplit(":", 1)[1])
        connection = http.client.HTTPConnection("127.0.0.1", port)
        choices = random.Random(1)
        for number in range(sessions):
            cookie = None
            for page, body in events(choices, number):
                headers = {"Content-Type": "application/json", **({"Cookie": cookie} if cookie else {})}
                connection.request("POST", f"/{page}", json.dumps(body), headers)
                response = connection.getresponse()
                response.read()
                # A login changes the token of the session.
                cookie = response.getheader("Set-Cookie", cookie or "").split(";")[0]
    finally:
        process.terminate()
        process.wait()
    # As if a text had changed since.
    for path in sorted(entry.path for entry in os.scandir(folder))[::10]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("Wrong username or password", "Wrong password"))


def events(choices, number):
    """The requests of a session: pages and bodies."""
    def event(name, /, **values):
        return {"event": name, "values": values}

    yield "login", event("loginButtonPressed", username="batman", password="joker")
    yield "login", event("loginButtonPressed", username="batman", password="bruce")
    kinds = [
        lambda: ("login", event("loginButtonPressed", username=f"user{number}", password="joker")),
        lambda: ("home", event("viewDidLoad")),
        lambda: ("home", event(choices.choice(["productsButtonPressed", "registerButtonPressed"]))),
        lambda: ("register", event("textFieldDidEndEditing", userID=f"{choices.randrange(10 ** 12):012}")),
        lambda: ("register", event("textFieldDidEndEditing", userID=str(choices.randrange(10 ** 6)))),
        lambda: ("signup", event("nameChanged", name="Lisa")),
        lambda: ("signup", event("submitButtonPressed", name="Lisa", email=f"lisa{number}@example", password="short")),
        lambda: ("products", event("onStart")),
        lambda: ("product", event("onStart", product=choices.choice(PRODUCTS))),
        lambda: ("email", event("viewDidLoad")),
        lambda: ("email", event("saveButtonPressed", email=f"lisa{number}@example.com")),
        # The service rejects these.
        lambda: ("product", event("onStart", product=7)),
        lambda: ("home", event(f"unknown{choices.randrange(5)}")),
    ]
    for _ in range(EVENTS - 2):
        yield choices.choice(kinds)()


if __name__ == "__main__":
    sys.exit(main())
