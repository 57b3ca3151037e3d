"""The inspector, which each page of a server for development has."""

import json
import os
import re
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import Program


@pytest.fixture(scope="module")
def development():
    program = Program(os.environ["UNDERSTUDY_PROGRAM"], "--demo", "--dev")
    yield program
    program.kill()


@pytest.fixture
def inspected(open_at, development):
    """A page with an open inspector."""
    page = open_at(development.port, "/login", viewport={"width": 1280, "height": 900})
    page.get_by_text("Inspector", exact=True).click()
    return page


def entries(page):
    return page.locator("[data-of=log] > li")


def log_in(page, password):
    page.get_by_label("Username").fill("batman")
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Log in", exact=True).click()


def register(page, user_id):
    page.get_by_label("User ID", exact=True).fill(user_id)
    page.get_by_role("button", name="Register", exact=True).click()


def copied(page):
    return page.locator("[data-of=copied]").text_content()


def test_each_event_is_shown_with_its_values_commands_and_differences(inspected):
    log_in(inspected, "joker")
    entry = entries(inspected).first
    expect(entry).to_contain_text("loginButtonPressed")
    expect(entry).to_contain_text("#1 · 200")
    expect(entry).to_contain_text('{"username":"batman","password":"•••"}')
    expect(entry).to_contain_text('render message = "Wrong username or password"')
    entry.get_by_text("Differences").click()
    expect(entry).to_contain_text('screen message – → "Wrong username or password"')
    assert "joker" not in inspected.evaluate("JSON.stringify(sessionStorage)")


def test_the_state_of_the_controller_and_session_values_are_compared(inspected):
    for count in ["1 / 1", "2 / 2"]:
        log_in(inspected, "joker")
        expect(inspected.locator("[data-of=position]")).to_have_text(count)
    second = entries(inspected).nth(1)
    second.get_by_text("Differences").click()
    expect(second.get_by_role("listitem").filter(has_text="login.failures")).to_have_text(re.compile("controller.*1.*2"))


def test_the_drawer_and_its_log_stay_when_the_page_changes(inspected):
    log_in(inspected, "bruce")
    inspected.wait_for_url("**/home")
    expect(entries(inspected).first).to_contain_text("goToPage Home")
    # The event that loads the next page ran with the login.
    expect(entries(inspected).nth(1)).to_contain_text('render username = "batman"')


def test_pointing_at_a_command_marks_its_element_and_the_reverse(inspected):
    inspected.goto("/register")
    register(inspected, "012345678912")
    command, result = inspected.get_by_role("button", name="render userID"), inspected.locator("output[data-us-text=userID]")
    command.hover()
    expect(result).to_have_attribute("data-inspected", "")
    inspected.get_by_label("User ID", exact=True).hover()
    expect(inspected.locator("[data-inspected]")).to_have_count(0)
    result.hover()
    expect(command).to_have_attribute("data-inspected", "")
    command.focus()
    expect(result).to_have_attribute("data-inspected", "")


def test_one_can_step_back_to_what_the_page_showed_and_forth(inspected):
    inspected.goto("/register")
    register(inspected, "012345678912")
    result = inspected.locator("output[data-us-text=userID]")
    expect(result).to_have_text("012345678912")
    register(inspected, "123456789012")
    expect(inspected.locator("[data-of=position]")).to_have_text("2 / 2")
    inspected.get_by_role("button", name="Back").click()
    expect(result).to_have_text("012345678912")
    expect(inspected.get_by_text("The page shows an earlier state")).to_be_visible()
    inspected.get_by_role("button", name="Back").click()
    expect(result).to_have_text("")
    inspected.get_by_role("button", name="Latest").click()
    expect(result).to_have_text("123456789012")
    expect(inspected.get_by_text("The page shows an earlier state")).to_be_hidden()


def test_one_can_continue_from_an_earlier_event_in_another_session(inspected):
    inspected.goto("/register")
    before = inspected.context.cookies()
    for number, user_id in enumerate(["012345678912", "123456789012"]):
        register(inspected, user_id)
        expect(entries(inspected)).to_have_count(number + 1)
    entries(inspected).first.get_by_role("button", name="Continue").click()
    expect(entries(inspected)).to_have_count(1)
    expect(inspected.locator("output[data-us-text=userID]")).to_have_text("012345678912")
    assert inspected.context.cookies() != before
    register(inspected, "999999999999")
    expect(entries(inspected)).to_have_count(2)


def test_the_copied_command_continues_the_session_of_the_page(inspected):
    inspected.goto("/register")
    register(inspected, "0123456789 12")
    entries(inspected).first.get_by_role("button", name="curl").click()
    output = subprocess.run(["/bin/sh", "-c", copied(inspected)], capture_output=True, text=True, check=True).stdout
    # The page follows what another client of its session does.
    assert json.loads(output)["sequence"] > 2
    expect(entries(inspected)).to_have_count(2)
    expect(entries(inspected).nth(1)).to_contain_text("Without an event of this page")


def test_a_session_can_be_copied_as_a_recording(inspected):
    inspected.goto("/register")
    register(inspected, "012345678912")
    expect(entries(inspected)).to_have_count(1)
    inspected.get_by_role("button", name="Copy the recording").click()
    expect(inspected.locator("[data-of=copied]")).to_contain_text('{"recording":')


def test_any_declared_event_can_be_sent(inspected):
    inspected.goto("/register")
    inspected.get_by_text("Send an event", exact=True).click()
    inspected.get_by_label("userID").fill("012345678912")
    inspected.get_by_role("button", name="Send", exact=True).click()
    expect(entries(inspected).first).to_contain_text("textFieldDidEndEditing")
    # The page shows it as it shows an event of another tab.
    expect(inspected.locator("output[data-us-text=userID]")).to_have_text("012345678912")


def test_requests_can_fail_and_be_offline(inspected):
    inspected.get_by_text("Network", exact=True).click()
    inspected.get_by_label("Offline").check()
    log_in(inspected, "joker")
    expect(entries(inspected).first).to_contain_text("offline")
    expect(inspected.get_by_role("status").filter(has_text="No connection")).to_be_visible()
    inspected.get_by_label("Offline").uncheck()
    expect(inspected.get_by_role("button", name="render message")).to_be_visible()
    inspected.get_by_label("Requests fail").check()
    log_in(inspected, "joker")
    expect(entries(inspected).filter(has_text="unavailable").first).to_be_visible()
    inspected.get_by_label("Requests fail").uncheck()


def test_a_misspelt_name_is_reported_in_the_console_and_in_the_page(inspected):
    warnings = []
    inspected.on("console", lambda message: warnings.append(message.text) if message.type == "warning" else None)
    inspected.evaluate("""() => {
        const form = document.querySelector('form[data-us-page=login]');
        const add = (name, attributes) => {
            const element = form.appendChild(document.createElement(name));
            Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
        };
        add('p', { 'data-us-text': 'mesage' });
        add('input', { name: 'usrname' });
        add('button', { type: 'button', 'data-us-click': 'loginButonPressed' });
        add('p', { 'data-us-txt': 'message' });
        const section = document.body.appendChild(document.createElement('section'));
        section.dataset.usPage = 'regster'; }""")
    report = inspected.locator("[data-of=warnings]")
    for text in [
        "The page 'login' has no output 'mesage'. Did you mean 'message'?",
        "The page 'login' has no field 'usrname'. Did you mean 'username'?",
        "The page 'login' has no event 'loginButonPressed'. Did you mean 'loginButtonPressed'?",
        "The module has no attribute 'data-us-txt'. Did you mean 'data-us-text'?",
        "The server has no page 'regster'. Did you mean 'register'?",
    ]:
        expect(report).to_contain_text(text)
        assert any(text in warning for warning in warnings)


def test_a_misspelt_member_of_an_item_and_a_misspelt_class_are_reported(inspected):
    inspected.goto("/products")
    inspected.evaluate("""() => {
        const list = document.querySelector('[data-us-list=products]'), name = list.querySelector('template').content.querySelector('strong');
        name.dataset.usText = 'nme';
        list.closest('form').dataset.usAttribute = 'clas.many:products';
        list.append(document.createElement('li')); }""")
    report = inspected.locator("[data-of=warnings]")
    expect(report).to_contain_text("An item of 'products' has no member 'nme'. Did you mean 'name'?")
    expect(report).to_contain_text("The module has no target 'clas.many'. Did you mean 'class.many'?")


@pytest.mark.parametrize("path", ["/login", "/home", "/register", "/signup", "/products", "/product", "/email", "/docs"])
def test_the_bundled_pages_have_no_misspelt_names(inspected, path):
    inspected.goto(path)
    inspected.wait_for_load_state("networkidle")
    expect(inspected.locator("[data-of=warnings] li")).to_have_count(0)


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_drawer_is_accessible_and_fits_the_window(inspected, scheme, width):
    inspected.set_viewport_size({"width": width, "height": 800})
    inspected.emulate_media(color_scheme=scheme)
    log_in(inspected, "joker")
    entries(inspected).first.get_by_text("Differences").click()
    inspected.get_by_text("Send an event", exact=True).click()
    inspected.get_by_text("Network", exact=True).click()
    assert inspected.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not Axe().run(inspected).response["violations"]


def test_the_mails_of_a_demonstration_are_shown(inspected, development):
    mails = inspected.locator("[data-of=mails]")
    mails.get_by_text("Mails", exact=True).click()
    expect(mails).to_contain_text("No mail was sent.")
    inspected.goto(f"http://localhost:{development.port}/signup")
    inspected.get_by_label("Name", exact=True).fill("Lisa")
    inspected.get_by_label("Email address").fill("lisa@rules.example")
    inspected.get_by_label("Password", exact=True).fill("bleeding gums murphy")
    inspected.get_by_role("button", name="Sign up", exact=True).click()
    expect(inspected.locator("main")).to_contain_text("Log in")
    inspected.goto(f"http://localhost:{development.port}/forgot")
    inspected.get_by_label("Email address").fill("lisa@rules.example")
    inspected.get_by_role("button", name="Send a code").click()
    expect(inspected.get_by_role("heading", name="Choose another password")).to_be_visible()
    mails.get_by_text("Mails", exact=True).click()
    expect(mails.locator("li").first).to_contain_text("lisa@rules.example")
    expect(mails.get_by_text("No mail was sent.")).to_be_hidden()


def test_without_development_the_inspector_says_what_it_needs(browser, program):
    page = browser.new_page(base_url=f"http://localhost:{program.port}")
    page.goto("/login")
    page.get_by_text("Inspector", exact=True).click()
    expect(page.get_by_text("With --dev, the server also shows")).to_be_visible()
    log_in(page, "joker")
    entry = entries(page).first
    expect(entry).to_contain_text("render message")
    expect(entry.get_by_role("button", name="Continue")).to_have_count(0)
    page.close()


def test_without_demonstration_and_development_pages_have_no_inspector(browser, program_with_database):
    page = browser.new_page(base_url=f"http://localhost:{program_with_database.port}")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto("/login")
    expect(page.get_by_role("button", name="Log in", exact=True)).to_be_visible()
    expect(page.locator("[data-inspector]")).to_have_count(0)
    assert not [url for url in requests if "inspector" in url or "names" in url]
    page.close()
