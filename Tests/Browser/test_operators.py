"""The pages for operators, with and without JavaScript, while a user of the application uses a session."""

import os
import re
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import Program, expect_valid_html

TOKEN, USER, PASSWORD = "correct-horse-battery-staple", "lisa@rules.example", "eighteen long words"
PATHS = ["/login", "/home", "/accounts", "/accountDetails?account=" + USER, "/sessions", "/mails", "/audit"]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("operators")
    (folder / "token").write_text(TOKEN + "\n")
    program = Program(os.environ["UNDERSTUDY_PROGRAM"], "--pages", "on", "--database", str(folder / "accounts.sqlite"),
                      "--admin-token-file", str(folder / "token"),
                      # Mails wait, because no server is at that port.
                      "--mail-url", "smtp://127.0.0.1:1", "--mail-from", "app@rules.example", "--hash-memory", "8KiB", "--hash-iterations", "1")
    program.database = folder / "accounts.sqlite"
    yield program
    program.kill()


@pytest.fixture(scope="module", autouse=True)
def account(program, browser):
    context = browser.new_context(base_url=f"http://localhost:{program.port}")
    assert context.request.post("/signup", form={"name": "Lisa", "email": USER, "password": PASSWORD}).ok
    assert context.request.post("/forgot", form={"email": USER}).ok
    context.close()


@pytest.fixture
def user(program, browser):
    """A client of the application that is logged in."""
    context = browser.new_context(base_url=f"http://localhost:{program.port}")
    assert context.request.post("/login", form={"username": USER, "password": PASSWORD}).ok
    yield context.request
    context.close()


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def page(request, program, browser):
    """A page of an operator who is logged in. The console has no errors."""
    context = browser.new_context(base_url=f"http://localhost:{program.admin_port}", java_script_enabled=request.param, locale="en")
    context.set_default_timeout(5000)
    page = context.new_page()
    page.has_script = request.param
    errors = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    log_in(page)
    yield page
    context.close()
    assert errors == []


def log_in(page, token=TOKEN):
    page.goto("/")
    page.get_by_label("Your name").fill("marge")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Log in").click()
    if token == TOKEN:
        page.wait_for_url("**/home")


def act(page, verb, **fields):
    """Opens the dialog of a verb, fills its fields, and presses its button. Without JavaScript, the form is open."""
    if page.has_script:
        page.get_by_role("button", name=f"{verb}…", exact=True).click()
    form = page.locator("dialog form").filter(has=page.get_by_role("button", name=re.compile(f"^{verb} ")))
    for label, text in fields.items():
        form.get_by_label(label.replace("_", " ")).fill(text)
    form.get_by_role("button", name=re.compile(f"^{verb} ")).click()


def record(program):
    command = [os.environ["UNDERSTUDY_PROGRAM"], "audit", "export", "--database", program.database]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]


def test_a_wrong_token_opens_no_page(browser, program):
    context = browser.new_context(base_url=f"http://localhost:{program.admin_port}", locale="en")
    page = context.new_page()
    log_in(page, "another token of this length")
    expect(page.locator("form [data-us-errors]")).to_have_text("This is not the token of the server")
    page.goto("/accounts")
    expect(page.locator("tbody tr")).to_have_count(0)
    context.close()


def test_the_overview_shows_how_the_server_is(page):
    health = page.get_by_role("row", name="Health").locator(".health")
    expect(health).to_have_text("ready")
    expect(health).to_have_css("color", "rgb(11, 107, 58)")
    expect(page.get_by_role("row", name="Mails")).to_contain_text("1 wait")


def test_the_overview_has_lines_of_the_last_hour(page):
    for name in ["Requests per minute", "5xx per minute", "Mean latency", "Memory"]:
        line = page.get_by_role("list", name="The last hour").get_by_role("listitem").filter(has_text=name)
        # The first line needs two seconds of the server's life.
        for _ in range(200):
            if line.count():
                break
            page.reload()
        expect(line.locator("polyline")).to_have_attribute("points", re.compile(r"^5\d,[\d.]+ .*59,[\d.]+$"))
    expect(line.locator("strong")).to_have_text(re.compile(r"^[1-9][\d.]* MiB$"))


def test_tables_are_sorted_and_times_have_their_distance(page, user):
    page.goto("/sessions")
    times = page.locator("tbody td:nth-child(4) [data-time]")
    started = times.first
    assert started.get_attribute("data-time") < times.last.get_attribute("data-time")
    if not page.has_script:
        return expect(page.get_by_role("columnheader", name="Started")).to_have_attribute("aria-sort", "ascending")
    expect(started).to_have_text(re.compile(r"^\w+ \d+, 20\d\d, \d+:\d\d:\d\d [AP]M$"))
    expect(started).to_have_attribute("data-distance", re.compile(r"^(now|\d+ (second|minute)s? ago)$"))
    heading = page.get_by_role("columnheader", name="Bytes")
    for order, direction in [(sorted, "ascending"), (lambda numbers: sorted(numbers)[::-1], "descending")]:
        heading.get_by_role("button").click()
        expect(heading).to_have_attribute("aria-sort", direction)
        sizes = [int(text) for text in page.locator("tbody tr td:nth-child(6)").all_text_contents()]
        assert sizes == order(sizes) and len(sizes) > 1
    expect(page.locator("th[aria-sort]:not([aria-sort=none])")).to_have_count(1)


def test_the_events_of_a_session_in_memory_are_counted(page, user):
    for number in range(3):
        assert user.post("/register", form={"userID": "12"}).ok
    page.goto("/sessions")
    page.get_by_label("Username, email address or ID").fill(USER)
    page.get_by_role("button", name="Search").click()
    # A login, and these.
    expect(page.locator("tbody tr").last.locator("td:nth-child(5)")).to_have_text("4")


def test_what_is_wrong_is_said_in_the_form_that_it_is_about(page):
    page.goto("/accountDetails?account=" + USER)
    for verb, label, text, field, message in [
        ("Change address", "New email address", "a@b", "newEmail", "'a@b' is not an email address"),
        ("Delete", "Username, to confirm", "homer", "confirmation", "Enter the username"),
    ]:
        act(page, verb, **{label: text})
        error = page.locator(f"[data-us-error={field}]")
        expect(error).to_contain_text(message)
        expect(error).to_be_visible()
        expect(page.locator(".notice")).to_be_hidden()
        if page.has_script:
            page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
            expect(page.get_by_role("dialog")).to_have_count(0)


def test_what_has_changed_is_said_next_to_the_verb(page):
    page.goto("/accountDetails?account=" + USER)
    act(page, "End all sessions")
    expect(page.locator(".notice")).to_have_text(re.compile("The account was changed|Nothing was to be changed"))
    if page.has_script:
        expect(page.get_by_role("dialog")).to_have_count(0)
        section = page.locator("section").filter(has=page.get_by_role("heading", name="Sessions"))
        expect(section.locator(".notice")).to_be_in_viewport()


def test_an_operator_finds_an_account_and_notes_something(page, program):
    page.get_by_role("link", name="Accounts").click()
    page.get_by_label("contains").fill("LISA")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name=USER).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Account {USER}")
    note = "called twice" if page.has_script else "called once more"
    page.get_by_label("Note").fill(note)
    page.get_by_role("button", name="Save note").click()
    expect(page.locator(".notice")).to_have_text("The account was changed")
    expect(page.get_by_label("Note")).to_have_value(note)
    assert '"reason":"note"' in record(program) and '"operator":"marge"' in record(program)


def test_a_list_has_a_next_page_and_leads_back(page, program):
    people = program.database.with_name("people.jsonl")
    people.write_text("".join(f'{{"email": "user{number}@rules.example", "name": "User", "password": "{PASSWORD}"}}\n' for number in range(100, 160)))
    # The second time, all are there.
    subprocess.run([os.environ["UNDERSTUDY_PROGRAM"], "account", "import", people, "--database", program.database], capture_output=True)
    page.goto("/accounts")
    page.get_by_role("button", name="Next page").click()
    expect(page.get_by_text("From entry 51")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(11)
    if page.has_script:
        expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.get_by_role("button", name="First page").click()
    expect(page.get_by_text("From entry 51")).to_be_hidden()
    expect(page.locator("tbody tr")).to_have_count(50)


def test_a_role_is_given_and_taken(page, program):
    page.goto("/accountDetails?account=" + USER)
    page.get_by_label("New role").fill("admin")
    page.get_by_role("button", name="Add role").click()
    role = page.get_by_role("listitem").filter(has_text="admin")
    role.get_by_role("button").click()
    if page.has_script:
        page.get_by_role("dialog").get_by_role("button", name="OK").click()
    expect(role).to_have_count(0)
    expect(page.locator(".notice")).to_have_text("The account was changed")
    if page.has_script:
        expect(page.get_by_role("heading", name="Note and roles")).to_be_focused()
    assert '"reason":"roles="' in record(program)
    page.get_by_label("New role").fill("not a role")
    page.get_by_role("button", name="Add role").click()
    expect(page.locator("[data-us-error=role]")).to_contain_text("This is not possible")
    expect(page.locator(".notice")).to_be_hidden()


def test_an_account_is_disabled_and_enabled(page, user):
    page.goto("/accountDetails?account=" + USER)
    act(page, "Disable")
    expect(page.get_by_role("row", name="State")).to_contain_text("disabled")
    assert user.get("/session").status == 401
    act(page, "Enable")
    expect(page.get_by_role("row", name="State")).to_contain_text("active")


def test_an_operator_watches_a_session_and_ends_it(page, user):
    page.get_by_role("link", name="Sessions").click()
    page.get_by_label("Username, email address or ID").fill(USER)
    page.get_by_role("button", name="Search").click()
    expect(page.locator("tbody tr").filter(has_not_text=USER)).to_have_count(0)
    page.locator("tbody a").last.click()
    expect(page.locator("dl")).to_contain_text(USER)
    expect(page.get_by_text("invalidUserID")).to_have_count(0)
    assert user.post("/register", form={"userID": "12"}).ok
    if not page.has_script:
        page.reload()
    expect(page.get_by_text("registration.invalidUserID")).to_be_visible()
    assert PASSWORD not in page.content()
    act(page, "End session")
    expect(page.locator(".notice")).to_have_text("The session was ended")
    assert user.get("/session").status == 401


def test_the_audit_log_shows_what_an_operator_has_done(page):
    page.goto("/audit")
    page.get_by_label("Records that contain").fill('"operatorLogin"')
    page.get_by_role("button", name="Search").click()
    expect(page.locator("tbody tr").first).to_contain_text("operatorLogin")
    expect(page.locator("tbody tr").first).to_contain_text("marge")
    expect(page.locator("tbody tr").filter(has_text="accountAdded")).to_have_count(0)


def test_the_outbox_shows_no_contents(page):
    page.get_by_role("link", name="Mails").click()
    expect(page.locator("tbody tr")).to_contain_text(USER)
    expect(page.get_by_text("code")).to_have_count(0)


def test_an_operator_logs_out(page):
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/login")
    page.goto("/accounts")
    expect(page.locator("tbody tr")).to_have_count(0)


@pytest.mark.parametrize("scheme,width", [("light", 1280), ("dark", 375)])
def test_the_pages_are_accessible_and_their_html_is_valid(browser, program, tmp_path, scheme, width):
    context = browser.new_context(base_url=f"http://localhost:{program.admin_port}", color_scheme=scheme, locale="en",
                                  viewport={"width": width, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    log_in(page)
    page.goto("/sessions")
    paths = PATHS + [page.locator("tbody a").first.get_attribute("href")]
    for path in paths:
        (tmp_path / f"{path[1:].split('?')[0]}.html").write_text(page.goto(path).text())
        result = Axe().run(page)
        assert result.violations_count == 0, f"{path}: {result.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        if folder := os.environ.get("SCREENSHOTS"):
            page.screenshot(path=f"{folder}/operators-{path[1:].split('?')[0]}-{scheme}-{width}.png", full_page=True)
    context.close()
    expect_valid_html(tmp_path)
