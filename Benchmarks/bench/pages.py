"""Pages as HTML, next to an event: the processor time that each takes."""

import client
import events
import servers
from estimate import estimate, quotients
from events import BROWSER, Event
from generators import throughput, write_requests
from programs import say
from report import middle

HEADER = BROWSER.replace("application/json, text/plain, */*", "text/html,application/xhtml+xml,*/*;q=0.8")
PATHS = ("/register", "/login", "/signup", "/products", "/account")


def page(path):
    return Event(f"GET {path}", path, "", "</html>", method="GET", header=HEADER)


def run(programs, options, report):
    kinds = [events.BROWSER_HEADERS, *map(page, PATHS)]
    runs = {kind.name: [] for kind in kinds}
    sizes = {}
    with servers.understudy(programs) as server:
        token = client.new_token(server.port)
        files = {}
        for kind in kinds:
            sizes[kind.name] = len(client.check(server.port, kind, token)[1])
            name = kind.name.replace("/", "").replace("'", "")
            files[kind.name] = write_requests(name, [kind.request(server.port, token)])
        for number in range(options.rounds):
            say(f"pages, round {number + 1} of {options.rounds}")
            for kind in kinds:
                runs[kind.name].append(throughput(server, files[kind.name], 16, options.seconds))
                server.forget_log()
    costs = {name: [run.cost for run in measured] for name, measured in runs.items()}
    event = costs[events.BROWSER_HEADERS.name]
    lines = [
        [
            "event: registration" if name == events.BROWSER_HEADERS.name else name,
            f"{sizes[name]:,}",
            f"{middle(measured, 'rate'):,.0f}",
            f"{middle(measured, 'cost'):.1f}",
            estimate(quotients(costs[name], event)),
        ]
        for name, measured in runs.items()
    ]
    report.table(
        f"Pages as HTML, a browser's headers, 16 clients ({options.rounds} rounds)",
        ["", "bytes", "responses/s", "CPU µs", "of the event's"],
        lines,
    )
    cost = middle(runs[f"GET {PATHS[0]}"], "cost")
    report.goal(f"processor time of GET {PATHS[0]} as HTML, µs", f"{cost:.0f}", cost <= 100, "at most 100")
