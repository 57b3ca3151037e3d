"""Passkeys and one-time codes, as a person uses them: in Chromium with its virtual authenticator, and without JavaScript."""

import base64
import hashlib
import hmac
import os
import struct
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import Program
from test_accounts import ADDRESS, PASSWORD, agree, form, sign_up, submit
from test_pages import person  # noqa: F401

WRONG = "This was not accepted. Try again, or use another way"


@pytest.fixture(scope="module")
def shared_program(tmp_path_factory):
    program = Program(os.environ["UNDERSTUDY_PROGRAM"], "--pages", "on", "--test-control",
                      "--database", str(tmp_path_factory.mktemp("factors") / "accounts.sqlite"), "--hash-memory", "8KiB", "--hash-iterations", "1")
    yield program
    program.kill()


@pytest.fixture
def program(shared_program):
    shared_program.reset()
    return shared_program


@pytest.fixture
def authenticator(person):
    """An authenticator that verifies its user and always agrees."""
    return Authenticator(person.page)


class Authenticator:
    def __init__(self, page, **options):
        self.session = page.context.new_cdp_session(page)
        self.session.send("WebAuthn.enable")
        self.id = self.session.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
            "isUserVerified": True, "automaticPresenceSimulation": True, **options}})["authenticatorId"]

    def send(self, command, **values):
        return self.session.send("WebAuthn." + command, {"authenticatorId": self.id, **values})

    @property
    def credentials(self):
        return self.send("getCredentials")["credentials"]


def log_in(person):
    """Logs in with the password alone, without the page about it."""
    assert person.page.request.post("/login", form={"username": ADDRESS, "password": PASSWORD}).ok


def confirm_address(person):
    """Confirms the address, without the page about it. Before that, no factor is added."""
    assert person.page.request.post("/verify", form={"event": "sendCodeButtonPressed"}).ok
    assert person.page.request.post("/verify", form={"code": person.program.mails(ADDRESS)[-1]["code"]}).ok


def open_factors(person):
    sign_up(person)
    log_in(person)
    confirm_address(person)
    person.page.goto("/factors")


def add_passkey(person, name="My phone"):
    submit(person, "Add a passkey", passkeyName=name)
    expect(person.page.locator("[data-us-list=passkeys] li")).to_have_count(1)


def totp(secret, seconds=0):
    """The code that an app shows in so many seconds (RFC 6238), computed by another program than the server."""
    step = int(time.time() + seconds) // 30
    digest = hmac.digest(base64.b32decode(secret.replace(" ", "")), struct.pack(">Q", step), hashlib.sha1)
    number = struct.unpack(">I", digest[digest[-1] & 15:][:4])[0] & 0x7fffffff
    return f"{number % 10**6:06}"


def add_app(person):
    """Adds an app, and returns its secret and the recovery codes."""
    submit(person, "Add an app")
    secret = person.page.locator("[data-us-text=appSecret]").inner_text()
    expect(person.page.locator("img.code")).to_be_visible()
    assert person.page.locator("img.code").evaluate("image => image.complete && image.naturalWidth > 0")
    submit(person, "Confirm", code=totp(secret))
    expect(person.page.locator("[data-us-list=recoveryCodes] li")).to_have_count(10)
    codes = person.page.locator("[data-us-list=recoveryCodes] li").all_inner_texts()
    submit(person, "I have kept them")
    expect(person.page.locator("[data-us-list=recoveryCodes]")).to_be_hidden()
    return secret, codes


def log_out(person):
    person.page.goto("/home")
    banner = person.page.get_by_role("banner")
    if not banner.get_by_role("button", name="Log out").is_visible():
        banner.get_by_role("button", name="Menu").click()
    banner.get_by_role("button", name="Log out").click()
    person.page.wait_for_url("**/login")


def enter_password(person):
    submit(person, "Log in", username=ADDRESS, password=PASSWORD)
    person.page.wait_for_url("**/secondFactor")


# With JavaScript: a browser without it has no passkeys.
has_script = pytest.mark.parametrize("person", ["JavaScript"], indirect=True)
has_no_script = pytest.mark.parametrize("person", ["no JavaScript"], indirect=True)


def suggest_no_passkeys(person):
    """As a browser that has no suggestions for the field of the user name."""
    person.page.add_init_script("PublicKeyCredential.isConditionalMediationAvailable = async () => false")


@has_script
def test_a_passkey_is_added_and_suggested_at_the_next_login(person, authenticator, program):
    open_factors(person)
    add_passkey(person)
    expect(person.page.locator("[data-us-list=passkeys] li")).to_contain_text("My phone")
    expect(form(person, "Add a passkey").locator("[name=passkeyName]")).to_have_value("")
    [credential] = authenticator.credentials
    assert credential["isResidentCredential"] and credential["rpId"] == "localhost"
    # The authenticator agrees at once, and a person when the page is complete and follows its session.
    person.page.add_init_script("""
        const get = navigator.credentials.get.bind(navigator.credentials);
        navigator.credentials.get = async options => {
            const credential = await get(options);
            await new Promise(resolve => window.agree = resolve);
            return credential;
        };
    """)
    log_out(person)
    deadline = time.monotonic() + 5
    while program.count_waiting() == 0 or not person.page.evaluate("!!window.agree"):
        assert time.monotonic() < deadline, "the page does not follow its session, or asks for no passkey"
    person.page.evaluate("agree()")
    person.page.wait_for_url("**/home")
    expect(person.page.get_by_role("banner")).to_contain_text(ADDRESS)
    person.page.goto("/factors")
    expect(person.page.locator("[data-us-list=passkeys] li")).to_contain_text("Last used")


@has_script
def test_the_button_asks_for_a_passkey_too(person, authenticator):
    suggest_no_passkeys(person)
    open_factors(person)
    add_passkey(person)
    log_out(person)
    form(person, "Use a passkey").get_by_role("button", name="Use a passkey").click()
    person.page.wait_for_url("**/home")


@has_script
def test_a_passkey_that_does_not_verify_its_user_is_the_second_factor_only(person):
    authenticator = Authenticator(person.page, hasUserVerification=False, isUserVerified=False)
    suggest_no_passkeys(person)
    open_factors(person)
    add_passkey(person)
    log_out(person)
    form(person, "Use a passkey").get_by_role("button", name="Use a passkey").click()
    expect(form(person, "Use a passkey").get_by_role("alert")).to_have_text("The passkey was not used. Try again.")
    enter_password(person)
    form(person, "Use a passkey").get_by_role("button", name="Use a passkey").click()
    person.page.wait_for_url("**/home")


@has_script
def test_a_person_who_cancels_is_told_and_can_try_again(person, authenticator):
    open_factors(person)
    authenticator.send("setUserVerified", isUserVerified=False)
    form(person, "Add a passkey").get_by_role("button", name="Add a passkey").click()
    expect(form(person, "Add a passkey").locator("[data-passkey-message]")).to_have_text("The passkey was not used. Try again.")
    authenticator.send("setUserVerified", isUserVerified=True)
    add_passkey(person)
    # One for each device.
    form(person, "Add a passkey").get_by_role("button", name="Add a passkey").click()
    expect(form(person, "Add a passkey").locator("[data-passkey-message]")).to_have_text("This device already has a passkey for your account.")


@has_script
def test_a_removed_passkey_logs_no_one_in(person, authenticator):
    open_factors(person)
    add_passkey(person)
    person.page.locator("[data-us-list=passkeys]").get_by_role("button").click()
    agree(person, "Remove this passkey?")
    expect(person.page.get_by_text("No passkey yet.")).to_be_visible()
    expect(person.page.locator("[data-us-list=passkeys] li")).to_have_count(0)
    expect(person.page.get_by_text("Not used:")).to_be_hidden()
    log_out(person)
    expect(person.page.locator("[data-us-text=message]")).to_have_text("This passkey was not accepted. Log in with your password")
    submit(person, "Log in", username=ADDRESS, password=PASSWORD)
    person.page.wait_for_url("**/home")


def test_a_code_of_the_app_is_asked_for_after_the_password(person, program):
    open_factors(person)
    secret, _ = add_app(person)
    log_out(person)
    enter_password(person)
    submit(person, "Log in", code="000000")
    expect(person.page.locator("[data-us-error=code]")).to_have_text(WRONG)
    program.advance("30s")
    submit(person, "Log in", code=totp(secret, 30))
    person.page.wait_for_url("**/home")


def test_a_login_with_a_second_step_leads_back_to_the_page_that_needed_it(person, program):
    open_factors(person)
    secret, _ = add_app(person)
    log_out(person)
    person.page.goto("/account")
    submit(person, "Log in", username=ADDRESS, password=PASSWORD)
    person.page.wait_for_url("**/secondFactor?_back=%2Faccount")
    program.advance("30s")
    submit(person, "Log in", code=totp(secret, 30))
    person.page.wait_for_url("**/account")


@has_script
def test_new_recovery_codes_get_the_focus_and_can_be_copied(person):
    open_factors(person)
    submit(person, "Add an app")
    submit(person, "Confirm", code=totp(person.page.locator("[data-us-text=appSecret]").inner_text()))
    expect(person.page.get_by_role("heading", name="Your recovery codes")).to_be_focused()
    codes = person.page.locator("[data-us-list=recoveryCodes] li").all_inner_texts()
    assert len(codes) == 10
    person.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    person.press("Copy")
    expect(person.page.locator("[data-us-live]")).to_have_text("Copied")
    assert person.page.evaluate("navigator.clipboard.readText()").split() == codes


def test_a_recovery_code_works_once(person):
    open_factors(person)
    _, codes = add_app(person)
    log_out(person)
    enter_password(person)
    submit(person, "Log in", code=codes[0])
    person.page.wait_for_url("**/home")
    person.page.goto("/factors")
    expect(person.page.locator("[data-us-text=recoveryCodesLeft]")).to_have_text("9")
    log_out(person)
    enter_password(person)
    submit(person, "Log in", code=codes[0])
    expect(person.page.locator("[data-us-error=code]")).to_have_text(WRONG)


def test_five_wrong_codes_lead_back_to_the_login(person):
    open_factors(person)
    add_app(person)
    log_out(person)
    enter_password(person)
    for _ in range(5):
        submit(person, "Log in", code="000000")
    person.page.wait_for_url("**/login")
    person.expect_alert("There were too many wrong codes. Log in again")


def test_five_minutes_after_the_login_nothing_can_be_changed(person, program):
    open_factors(person)
    program.advance("301s")
    person.page.goto("/factors")
    expect(person.page.get_by_text("To change something here, log in again.")).to_be_visible()
    submit(person, "Add an app")
    person.page.wait_for_url("**/login")
    person.expect_alert("Log in again to change how you log in")


@has_script
def test_the_pages_are_accessible(person, authenticator):
    suggest_no_passkeys(person)
    open_factors(person)
    add_passkey(person)
    submit(person, "Add an app")
    assert Axe().run(person.page).violations_count == 0
    person.page.set_viewport_size({"width": 320, "height": 800})
    assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    log_out(person)
    enter_password(person)
    expect(form(person, "Use a passkey")).to_be_visible()
    assert Axe().run(person.page).violations_count == 0


@has_no_script
def test_without_javascript_the_page_says_what_passkeys_need(person):
    open_factors(person)
    expect(person.page.get_by_role("button", name="Add a passkey")).to_be_hidden()
    expect(person.page.get_by_text("Passkeys need JavaScript.")).to_be_visible()
    log_out(person)
    expect(person.page.get_by_text("Passkeys need JavaScript.")).to_be_visible()
    submit(person, "Log in", username=ADDRESS, password=PASSWORD)
    person.page.wait_for_url("**/home")
