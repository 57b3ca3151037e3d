"""The pages about accounts, as a person goes through them, with and without JavaScript. The mails are those of the server."""

import os
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import Program
from test_pages import Person, person  # noqa: F401

ADDRESS, OTHER_ADDRESS = "lisa@rules.example", "lisa@simpson.example"
PASSWORD, NEW_PASSWORD = "eighteen long words", "nineteen long words"
WRONG_CODE, WRONG_PASSWORD = "This code is not valid", "This is not your password"


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """Starts each kind of server when a test needs it."""
    kinds = {
        "demonstration": ["--demo"],
        "confirming": ["--demo", "--confirm-addresses"],
        # A demonstration accepts each password.
        "strict": ["--pages", "on", "--database", str(tmp_path_factory.mktemp("accounts") / "accounts.sqlite"),
                   "--password-min", "8"],
    }
    started = {}

    def start(kind):
        if kind not in started:
            options = [*kinds[kind], "--test-control", "--hash-memory", "8KiB", "--hash-iterations", "1"]
            started[kind] = Program(os.environ["UNDERSTUDY_PROGRAM"], *options)
        return started[kind]

    yield start
    for program in started.values():
        program.kill()


@pytest.fixture
def program(request, programs):
    program = programs(getattr(request, "param", "demonstration"))
    program.reset()
    return program


strict = pytest.mark.parametrize("program", ["strict"], indirect=True)
confirming = pytest.mark.parametrize("program", ["confirming"], indirect=True)


@pytest.fixture
def another(browser, program, person):
    """Another browser of the same user, who is logged in there."""
    context = browser.new_context(base_url=f"http://localhost:{program.port}", java_script_enabled=person.has_script, locale="en")
    context.set_default_timeout(5000)
    sign_up(person)
    another = Person(context.new_page(), person.has_script)
    assert another.page.request.post("/login", form={"username": ADDRESS, "password": PASSWORD}).ok
    another.page.goto("/home")
    yield another
    context.close()


def agree(person, question, answer="OK"):
    """Answers the question before something is removed, which only a page with JavaScript asks."""
    if person.has_script:
        expect(person.page.get_by_role("dialog")).to_contain_text(question)
        person.page.get_by_role("dialog").get_by_role("button", name=answer).click()


def sign_up(person):
    assert person.page.request.post("/signup", form={"name": "Lisa", "email": ADDRESS, "password": PASSWORD}).ok


def open_account(person):
    assert person.page.request.post("/login", form={"username": ADDRESS, "password": PASSWORD}).ok
    person.page.goto("/account")


def form(person, button):
    return person.page.locator("main form").filter(has=person.page.get_by_role("button", name=button, exact=True, include_hidden=True))


def submit(person, button, **values):
    """Opens a form that is behind "Change", fills it in, presses its button, and waits for the answer."""
    closed = person.page.locator("details:not([open])").filter(has=person.page.get_by_role("button", name=button, exact=True, include_hidden=True))
    if closed.count():
        closed.locator("summary").click()
    for name, value in values.items():
        form(person, button).locator(f"[name={name}]").fill(value)
    press = form(person, button).get_by_role("button", name=button, exact=True)
    if person.has_script:
        press.click()
        expect(person.page.locator("[data-us-page][aria-busy=true]")).to_have_count(0)
    else:
        with person.page.expect_event("domcontentloaded"):
            press.click()


def ask_for_code(person, program):
    """The code of the mail to a person who has forgotten the password."""
    sign_up(person)
    person.page.goto("/forgot")
    submit(person, "Send a code", email=ADDRESS)
    person.page.wait_for_url("**/reset")
    return program.mails(ADDRESS)[-1]["code"]


def reset(person, code, password=NEW_PASSWORD):
    submit(person, "Change the password", code=code, password=password)


def expect_login(person, notice, password, works=True):
    """The page is the login with a notice, after which a password works, or not."""
    person.page.wait_for_url("**/login")
    person.expect_notice(notice)
    submit(person, "Log in", username=ADDRESS, password=password)
    if works:
        person.page.wait_for_url("**/home")
    else:
        expect(person.page.locator("[data-us-errors]")).to_contain_text("Wrong username or password")


def expect_logged_out(person):
    """A page about the user leads to the login, or says that there is no user."""
    if person.has_script:
        person.page.wait_for_url("**/login**")
    else:
        assert "/login" in person.page.url


# MARK: A forgotten password


def test_a_forgotten_password_is_replaced_with_the_code_from_the_mail(person, program):
    sign_up(person)
    person.page.goto("/login")
    person.page.get_by_role("link", name="Forgot your password?").click()
    submit(person, "Send a code", email=ADDRESS)
    person.page.wait_for_url("**/reset")
    reset(person, program.mails(ADDRESS)[-1]["code"])
    expect_login(person, "Your password was changed. Log in with it", NEW_PASSWORD)
    assert program.mails(ADDRESS, 2)[-1]["subject"] == "Your password was changed"


def test_an_address_that_is_not_one_gets_a_message_and_stays_in_its_field(person):
    person.page.goto("/forgot")
    submit(person, "Send a code", email="lisa@rules")
    expect(person.page.locator("#email-error")).to_have_text("This is not an email address")
    expect(person.page.get_by_label("Email address")).to_have_value("lisa@rules")


def test_the_link_of_the_mail_fills_the_code_in_and_runs_nothing(person, program):
    code, posts = ask_for_code(person, program), []
    person.page.on("request", lambda request: posts.append(request) if request.method == "POST" else None)
    for _ in range(2):
        person.page.goto(program.mails(ADDRESS)[-1]["link"])
        expect(person.page.get_by_label("Code")).to_have_value(code)
        expect(person.page.locator(".error:visible")).to_have_count(0)
    assert posts == []
    submit(person, "Change the password", password=NEW_PASSWORD)
    expect_login(person, "Your password was changed", NEW_PASSWORD)


def test_a_link_of_a_mail_in_another_browser_says_where_to_open_it(person, program, browser):
    ask_for_code(person, program)
    link = program.mails(ADDRESS)[-1]["link"]
    # The documents, the server and the mails name one origin.
    assert link.startswith(f"http://localhost:{program.port}/reset?code=")
    context = browser.new_context(java_script_enabled=person.has_script, locale="en")
    other = Person(context.new_page(), person.has_script)
    other.page.goto(link)
    expect(other.page.get_by_text("No code was requested in this browser")).to_contain_text("Open the link where you requested it")
    other.page.goto(link.replace("/reset", "/verify"))
    expect(other.page.get_by_role("main")).to_contain_text("in the browser in which you requested it")
    context.close()


def test_the_page_that_asks_for_the_code_says_where_it_was_sent_and_names_the_account_to_password_managers(person, program):
    ask_for_code(person, program)
    expect(person.page.get_by_role("status").first).to_contain_text(f"If there is an account with this address, we have sent it a code of eight digits, which is valid for ten minutes: {ADDRESS}")
    expect(person.page.locator("[autocomplete=username]")).to_have_value(ADDRESS)


def test_the_mailbox_lists_mails_with_their_links_and_codes(person, program):
    person.page.goto("/mailbox")
    expect(person.page.get_by_text("No mail yet. Ask for a code")).to_be_visible()
    code = ask_for_code(person, program)
    person.page.goto("/mailbox")
    mail = person.page.locator(".mails > li")
    expect(mail).to_have_count(1)
    expect(mail).to_contain_text(ADDRESS)
    expect(mail.locator("[data-us-text=sent]")).to_have_text(re.compile(r"^today, " if person.has_script else r"UTC$"))
    if person.has_script:
        person.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        mail.get_by_role("button", name="Copy").click()
        expect(person.page.locator("[data-us-live]")).to_have_text("Copied")
        assert person.page.evaluate("navigator.clipboard.readText()") == code
    mail.get_by_role("link").click()
    expect(person.page.get_by_label("Code")).to_have_value(code)


def test_a_wrong_code_has_its_message_next_to_the_field(person, program):
    code = ask_for_code(person, program)
    reset(person, "12345678")
    expect(person.page.locator("#code-error")).to_have_text(WRONG_CODE)
    expect(person.page.get_by_label("Code")).to_have_attribute("aria-invalid", "true")
    expect(person.page.locator(".error:visible")).to_have_count(1)
    if person.has_script:
        expect(person.page.get_by_label("Code")).to_be_focused()
    reset(person, f"{code[:4]} {code[4:]}")
    person.page.wait_for_url("**/login")


def test_after_five_wrong_codes_the_right_one_changes_nothing(person, program):
    code = ask_for_code(person, program)
    for attempt in range(4):
        reset(person, f"1234567{attempt}")
        expect(person.page.locator("#code-error")).to_have_text(WRONG_CODE)
    for last in ["12345678", code]:
        reset(person, last)
        person.expect_alert("There were too many wrong codes. Request a new one in ten minutes")
    person.page.get_by_role("link", name="Send another code").click()
    submit(person, "Send a code", email=ADDRESS)
    person.expect_alert("There were too many wrong codes")
    program.advance("11m")
    submit(person, "Send a code", email=ADDRESS)
    person.page.wait_for_url("**/reset")
    reset(person, program.mails(ADDRESS, 2)[-1]["code"])
    expect_login(person, "Your password was changed", NEW_PASSWORD)


def test_a_code_expires_after_ten_minutes(person, program):
    code = ask_for_code(person, program)
    program.advance("11m")
    reset(person, code)
    expect(person.page.locator("#code-error")).to_have_text(WRONG_CODE)


@strict
def test_a_rejected_password_keeps_the_code_valid(person, program):
    code = ask_for_code(person, program)
    reset(person, code, "short")
    expect(person.page.locator("#password-error")).to_have_text("The password needs at least 8 characters")
    expect(person.page.locator(".error:visible")).to_have_count(1)
    if person.has_script:
        expect(person.page.get_by_label("Code")).to_have_value(code)
        expect(person.page.get_by_label("New password")).to_be_focused()
        submit(person, "Change the password", password=NEW_PASSWORD)
    else:
        reset(person, code)
    expect_login(person, "Your password was changed", NEW_PASSWORD)


# MARK: A sign-up that needs a code


def begin_sign_up(person):
    person.page.goto("/signup")
    for label, value in [("Name", "Lisa"), ("Email address", ADDRESS), ("Password", PASSWORD)]:
        person.page.get_by_label(label).fill(value)
    person.press("Sign up")
    expect(person.page.get_by_text("You have signed up.")).to_be_visible()
    person.page.get_by_role("link", name="Confirm your address").click()
    person.page.wait_for_url("**/verify")


@confirming
def test_a_sign_up_ends_with_the_code_and_logs_the_user_in(person, program):
    begin_sign_up(person)
    submit(person, "Confirm", code=program.mails(ADDRESS)[-1]["code"])
    person.page.wait_for_url("**/home")
    expect(person.page.get_by_role("main")).to_contain_text(f"You are logged in as {ADDRESS}")


@confirming
def test_another_code_replaces_the_first_one(person, program):
    begin_sign_up(person)
    first = program.mails(ADDRESS)[-1]["code"]
    submit(person, "Confirm", code="12345678")
    expect(person.page.locator("#code-error")).to_have_text(WRONG_CODE)
    submit(person, "Send another code")
    expect(person.page.locator(".notice")).to_have_text("We have sent a code to your address")
    expect(person.page.locator(".error:visible")).to_have_count(0)
    expect(person.page.get_by_label("Code")).to_have_value("")
    submit(person, "Confirm", code=first)
    expect(person.page.locator("#code-error")).to_have_text(WRONG_CODE)
    expect(person.page.locator(".notice")).to_be_hidden()
    submit(person, "Confirm", code=program.mails(ADDRESS, 2)[-1]["code"])
    person.page.wait_for_url("**/home")


# MARK: The account


def test_a_new_address_is_that_of_the_account_after_its_code(person, program):
    sign_up(person)
    open_account(person)
    submit(person, "Change the address", newEmail=OTHER_ADDRESS, password="wrong")
    error = form(person, "Change the address").locator(".error:visible")
    expect(error).to_have_text(WRONG_PASSWORD)
    expect(person.page.locator(".error:visible")).to_have_count(1)
    expect(person.page.get_by_label("New email address")).to_have_value(OTHER_ADDRESS)
    submit(person, "Change the address", newEmail=OTHER_ADDRESS, password=PASSWORD)
    person.page.wait_for_url("**/verify")
    submit(person, "Confirm", code=program.mails(OTHER_ADDRESS)[-1]["code"])
    person.page.wait_for_url("**/login")
    person.expect_notice("Your address was changed. Log in with it")
    submit(person, "Log in", username=OTHER_ADDRESS, password=PASSWORD)
    person.page.wait_for_url("**/home")
    person.page.goto("/account")
    expect(person.page.locator("[data-us-text=email]")).to_have_text(OTHER_ADDRESS)
    expect(person.page.get_by_text("This address is not confirmed yet.")).to_be_hidden()
    expect(person.page.locator(".error:visible")).to_have_count(0)


@strict
def test_a_new_password_needs_the_current_one(person):
    sign_up(person)
    open_account(person)
    visible = form(person, "Change the password").locator(".error:visible")
    submit(person, "Change the password", password=PASSWORD, newPassword="short")
    expect(visible).to_have_text("The password needs at least 8 characters")
    submit(person, "Change the password", password="wrong", newPassword=NEW_PASSWORD)
    expect(visible).to_have_text(WRONG_PASSWORD)
    expect(person.page.locator(".error:visible")).to_have_count(1)
    submit(person, "Change the password", password=PASSWORD, newPassword=NEW_PASSWORD)
    expect_login(person, "Your password was changed. Log in with it", NEW_PASSWORD)


def test_the_forms_of_the_account_are_behind_change(person):
    sign_up(person)
    open_account(person)
    changes = person.page.locator("main summary")
    assert changes.all_inner_texts() == ["Change", "Change", "Add an agent", "Delete the account"]
    fields = person.page.locator("main input[type=password]")
    for field in fields.all():
        expect(field).to_be_hidden()
    submit(person, "Change the address", newEmail=OTHER_ADDRESS, password="wrong")
    # What is wrong stays visible, after a reload as well.
    for _ in range(2):
        expect(person.page.locator("#email-password-error")).to_have_text(WRONG_PASSWORD)
        expect(person.page.get_by_label("New email address")).to_be_visible()
        expect(fields.nth(1)).to_be_hidden()
        person.page.reload()
    for change in person.page.locator("main details:not([open]) summary").all()[::-1]:
        change.click()
    expect(person.page.locator("main input[type=password]:visible")).to_have_count(5)
    if person.has_script:
        found = Axe().run(person.page)
        assert found.violations_count == 0, found.generate_report()


def test_what_ends_or_removes_something_has_the_colour_of_errors(person):
    sign_up(person)
    open_account(person)
    for name in ["Forget this device", "Log out on all devices"]:
        expect(person.page.get_by_role("button", name=name)).to_have_css("color", "rgb(179, 38, 30)")
    person.page.locator("main summary").last.click()
    expect(person.page.get_by_role("button", name="Delete the account")).to_have_css("color", "rgb(179, 38, 30)")
    expect(person.page.get_by_role("button", name="Show your data")).to_have_css("color", "rgb(31, 95, 191)")


def test_one_other_session_ends_and_this_one_stays(person, another):
    open_account(person)
    expect(person.page.get_by_text("This session", exact=True).and_(person.page.locator(":visible"))).to_have_count(1)
    expect(person.page.get_by_text("Chrome, Linux")).to_have_count(2)
    person.press("End this session")
    agree(person, "End this session?")
    expect(person.page.get_by_role("button", name="End this session")).to_have_count(0)
    if person.has_script:
        expect(person.page.get_by_role("heading", name="Sessions")).to_be_focused()
    another.page.goto("/account")
    expect_logged_out(another)
    person.page.reload()
    expect(person.page.get_by_role("main")).to_contain_text(ADDRESS)


def test_a_device_is_forgotten(person):
    sign_up(person)
    open_account(person)
    expect(person.page.get_by_text(re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d UTC$|^(today|\w+ \d+, \d{4}), \d+:\d\d"))).to_have_count(3)
    button = person.page.get_by_role("button", name="Forget this device")
    expect(button).to_have_accessible_description(re.compile("^Last login"))
    person.press("Forget this device")
    agree(person, "Forget this device?")
    expect(person.page.get_by_role("button", name="Forget this device")).to_have_count(0)
    expect(person.page.get_by_text("No device.")).to_be_visible()
    expect(person.page.get_by_text("This session", exact=True).and_(person.page.locator(":visible"))).to_have_count(1)


@strict
def test_a_user_logs_out_everywhere(person, another):
    open_account(person)
    person.press("Log out on all devices")
    agree(person, "Log out on all devices?")
    person.page.wait_for_url("**/login")
    person.expect_notice("You are logged out on all devices")
    another.page.goto("/account")
    expect_logged_out(another)


def test_the_data_of_an_account_are_shown(person):
    sign_up(person)
    open_account(person)
    expect(person.page.get_by_text("Account created")).to_be_hidden()
    person.press("Show your data")
    expect(person.page.get_by_role("term")).to_have_count(7)
    expect(person.page.locator("[data-us-text='export.email']")).to_have_text(ADDRESS)


@strict
def test_a_deleted_account_cannot_log_in(person):
    sign_up(person)
    open_account(person)
    submit(person, "Delete the account", password="wrong")
    agree(person, "Delete your account and all its data?")
    expect(form(person, "Delete the account").locator(".error:visible")).to_have_text(WRONG_PASSWORD)
    expect(person.page.locator(".error:visible")).to_have_count(1)
    submit(person, "Delete the account", password=PASSWORD)
    agree(person, "Delete your account and all its data?")
    expect_login(person, "Your account was deleted", PASSWORD, works=False)


def test_nothing_is_removed_unless_the_person_agrees(open_at, program):
    page = open_at(program.port, "/login")
    person = Person(page, True)
    sign_up(person)
    open_account(person)
    button = page.get_by_role("button", name="Forget this device")
    button.click()
    agree(person, "Forget this device?", "Cancel")
    expect(button).to_be_focused()
    page.reload()
    expect(button).to_be_visible()


def test_a_user_without_an_account_learns_it(person):
    person.log_in()
    person.page.wait_for_url("**/home")
    for _ in range(2):
        person.page.goto("/account")
        if person.has_script:
            expect(person.page.get_by_role("dialog")).to_be_visible()
            # No second dialog waits for the first one to close.
            assert "There is no account" not in person.page.evaluate("JSON.stringify(sessionStorage)")
        person.expect_alert("There is no account to change for this user")
        expect(person.page.locator("main summary:visible")).to_have_count(0)


def test_the_account_page_without_a_user_leads_to_the_login(person):
    person.page.goto("/account")
    expect_logged_out(person)
    expect(person.page.locator("main summary:visible")).to_have_count(0)


# MARK: What people and networks do in between


def test_going_back_after_a_reset_repeats_nothing(person, program):
    code = ask_for_code(person, program)
    reset(person, code)
    person.page.wait_for_url("**/login")
    person.expect_notice("Your password was changed")
    person.page.go_back()
    expect(person.page.get_by_role("heading", name="Choose another password")).to_be_visible()
    expect(person.page.get_by_label("New password")).to_have_value("")
    reset(person, code, "another password")
    expect(person.page.locator("#code-error")).to_have_text(WRONG_CODE)
    person.page.goto("/login")
    submit(person, "Log in", username=ADDRESS, password=NEW_PASSWORD)
    person.page.wait_for_url("**/home")


@strict
def test_going_back_after_a_logout_shows_no_account(person):
    sign_up(person)
    open_account(person)
    person.press("Log out on all devices")
    agree(person, "Log out on all devices?")
    person.page.wait_for_url("**/login")
    person.expect_notice("You are logged out on all devices")
    person.page.go_back()
    expect_logged_out(person)
    expect(person.page.get_by_text(ADDRESS)).to_have_count(0)


def test_reloading_uses_no_attempt(person, program):
    code = ask_for_code(person, program)
    for attempt in range(3):
        reset(person, f"1234567{attempt}")
    for _ in range(2):
        person.page.reload()
        expect(person.page.locator("#code-error")).to_have_text(WRONG_CODE)
    reset(person, code)
    person.page.wait_for_url("**/login")


@pytest.mark.parametrize("lost", ["request", "response"])
def test_what_the_network_loses_is_done_once(person, program, lost):
    code, requests = ask_for_code(person, program), []

    def lose(route):
        if route.request.method != "POST" or requests:
            return route.fallback()
        requests.append(route.request)
        if lost == "response":
            route.fetch(max_redirects=0)
        route.abort()

    person.page.route("**/reset", lose)
    form(person, "Change the password").locator("[name=code]").fill(code)
    form(person, "Change the password").locator("[name=password]").fill(NEW_PASSWORD)
    if person.has_script:
        person.press("Change the password")
    else:
        person.press("Change the password")
        person.page.wait_for_url("chrome-error://**")
        # The browser sends the form again.
        person.page.reload()
    expect_login(person, "Your password was changed", NEW_PASSWORD)
    assert len(requests) == 1
    # The browser reports the lost request.
    person.errors = [error for error in person.errors if "ERR_FAILED" not in error]


def test_a_second_press_sends_no_second_mail(person, program):
    sign_up(person)
    person.page.goto("/forgot")
    person.page.get_by_label("Email address").fill(ADDRESS)
    person.page.get_by_role("button", name="Send a code").dblclick()
    person.page.wait_for_url("**/reset")
    reset(person, program.mails(ADDRESS)[-1]["code"])
    expect_login(person, "Your password was changed", NEW_PASSWORD)
    assert len(program.mails(ADDRESS, 2)) == 2


# MARK: The keyboard


def tab_to(person, control):
    for _ in range(40):
        if control.evaluate("element => element === document.activeElement"):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError("the keyboard does not reach the control")


def test_a_reset_by_keyboard_only(person, program):
    code = ask_for_code(person, program)
    for label, text in [("Code", code), ("New password", NEW_PASSWORD)]:
        tab_to(person, person.page.get_by_label(label))
        person.page.keyboard.type(text)
    person.page.keyboard.press("Enter")
    person.page.wait_for_url("**/login")


@strict
def test_an_account_by_keyboard_only(person):
    sign_up(person)
    open_account(person)
    tab_to(person, person.page.get_by_role("button", name="Forget this device"))
    person.page.keyboard.press("Enter")
    if person.has_script:
        # A second Enter does not agree.
        expect(person.page.get_by_role("button", name="Cancel")).to_be_focused()
        person.page.keyboard.press("Shift+Tab")
        person.page.keyboard.press("Enter")
    expect(person.page.get_by_role("button", name="Forget this device")).to_have_count(0)
    person.page.goto("/account")
    tab_to(person, person.page.get_by_text("Change", exact=True).nth(1))
    person.page.keyboard.press("Enter")
    passwords = form(person, "Change the password")
    for name, text in [("password", PASSWORD), ("newPassword", NEW_PASSWORD)]:
        tab_to(person, passwords.locator(f"[name={name}]"))
        person.page.keyboard.type(text)
    person.page.keyboard.press("Enter")
    expect_login(person, "Your password was changed", NEW_PASSWORD)


# MARK: Agents


def test_an_agent_is_added_with_the_password_has_a_token_once_and_is_ended(person, program):
    sign_up(person)
    open_account(person)
    agents = person.page.locator("section").filter(has=person.page.get_by_role("heading", name="Agents"))
    expect(agents.get_by_text("There are no agents.")).to_be_visible()
    submit(person, "Add an agent", agentName="My assistant", agentDays="7", password=PASSWORD)
    expect(agents.get_by_role("listitem")).to_contain_text("My assistant")
    expect(agents.get_by_role("listitem")).to_contain_text("may look")
    token = agents.locator("code")
    expect(token).to_have_text(re.compile("^[0-9a-f]{48}$"))
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "account_viewDidLoad", "arguments": {}}}

    def call(token):
        headers = {"Authorization": f"Bearer {token}"}
        return person.page.request.post("/mcp", data=message, headers=headers)

    text = token.text_content()
    assert call(text).json()["result"]["structuredContent"]["shown"]["username"] == ADDRESS
    for _ in range(2):
        person.page.reload()
    expect(agents.get_by_role("listitem")).to_contain_text("My assistant")
    expect(agents.get_by_text("It is not shown again")).to_be_hidden()
    agents.get_by_role("listitem").get_by_role("button", name="End").click()
    agree(person, "End this agent?")
    expect(agents.get_by_text("There are no agents.")).to_be_visible()
    assert call(text).status == 401
