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
    """The list of events, the newest first."""
    return page.locator("[data-of=log] > li")


def detail(page, tab="Event"):
    """What is shown of the event that is selected, or of the newest."""
    page.get_by_role("radio", name=tab).check()
    return page.locator("[data-of=panel]")


def log_in(page, password):
    page.get_by_label("Username").fill("batman")
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Log in", exact=True).click()


def register(page, user_id):
    page.get_by_label("User ID", exact=True).fill(user_id)
    page.get_by_role("button", name="Register", exact=True).click()


def copied(page):
    return page.locator("[data-of=copied]").text_content()


def test_each_event_is_shown_with_its_values_commands_state_and_differences(inspected):
    log_in(inspected, "joker")
    expect(entries(inspected).first).to_contain_text("loginButtonPressed")
    expect(entries(inspected).first).to_contain_text("#1 · 200")
    expect(detail(inspected)).to_contain_text('{"username":"batman","password":"•••"}')
    expect(detail(inspected)).to_contain_text('render message = "Wrong username or password"')
    expect(detail(inspected, "State")).to_contain_text(re.compile('"screen": {\\s+"message": "Wrong username or password"'))
    expect(detail(inspected, "State")).to_contain_text('"controller": {')
    expect(detail(inspected, "Diff")).to_contain_text('screen message – → "Wrong username or password"')
    assert "joker" not in inspected.evaluate("JSON.stringify(sessionStorage)")


def test_the_newest_event_is_first_and_shown_until_another_one_is_selected(inspected):
    inspected.goto("/register")
    for number, user_id in enumerate(["012345678912", "123456789012"]):
        register(inspected, user_id)
        expect(entries(inspected)).to_have_count(number + 1)
        expect(detail(inspected)).to_contain_text(user_id)
    entries(inspected).nth(1).get_by_role("button").click()
    expect(detail(inspected)).to_contain_text("012345678912")
    register(inspected, "234567890123")
    expect(entries(inspected)).to_have_count(3)
    expect(entries(inspected).locator("[aria-current]")).to_have_count(1)
    expect(entries(inspected).nth(2).locator("[aria-current]")).to_be_visible()
    expect(detail(inspected)).to_contain_text("012345678912")


def test_a_filter_shows_the_events_with_all_its_words(inspected):
    inspected.goto("/register")
    for number, user_id in enumerate(["012345678912", "12"]):
        register(inspected, user_id)
        expect(entries(inspected)).to_have_count(number + 1)
    filter = inspected.get_by_role("searchbox", name="Filter")
    filter.fill("REGISTER 0123456")
    expect(entries(inspected)).to_have_count(1)
    expect(detail(inspected)).to_contain_text("012345678912")
    filter.fill("nothing")
    expect(entries(inspected)).to_have_count(0)
    expect(inspected.locator("[data-of=detail]")).to_be_hidden()
    filter.fill("")
    expect(entries(inspected)).to_have_count(2)


def test_the_state_of_the_controller_and_session_values_are_compared(inspected):
    for count in ["1 / 1", "2 / 2"]:
        log_in(inspected, "joker")
        expect(inspected.locator("[data-of=position]")).to_have_text(count)
    changes = detail(inspected, "Diff").get_by_role("listitem")
    expect(changes.filter(has_text="login.failures")).to_have_text(re.compile("controller.*1.*2"))


def test_the_drawer_and_its_log_stay_when_the_page_changes(inspected):
    log_in(inspected, "bruce")
    inspected.wait_for_url("**/home")
    # The event that loads the next page ran with the login.
    expect(detail(inspected)).to_contain_text('render username = "batman"')
    entries(inspected).nth(1).get_by_role("button").click()
    expect(detail(inspected)).to_contain_text("goToPage Home")


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


def test_a_slider_restores_outputs_errors_and_what_was_typed(inspected):
    inspected.goto("/register")
    slider, field = inspected.get_by_role("slider", name="States of this page"), inspected.get_by_label("User ID", exact=True)
    error, result = inspected.locator("[data-us-error=userID]"), inspected.locator("output[data-us-text=userID]")
    for number, user_id in enumerate(["12", "012345678912"]):
        register(inspected, user_id)
        expect(inspected.locator("[data-of=position]")).to_have_text(f"{number + 1} / {number + 1}")
    expect(error).to_be_empty()
    field.fill("345")
    slider.press("ArrowLeft")
    expect(error).not_to_be_empty()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("12")
    expect(result).to_be_empty()
    slider.press("ArrowLeft")
    expect(error).to_be_empty()
    expect(field).to_have_value("")
    for _ in range(2):
        slider.press("ArrowRight")
    expect(error).to_be_empty()
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("345")
    expect(result).to_have_text("012345678912")


def test_a_state_has_no_secrets(inspected):
    password = inspected.get_by_label("Password", exact=True)
    for number, secret in enumerate(["nelson", "milhouse"]):
        log_in(inspected, secret)
        expect(inspected.locator("[data-of=position]")).to_have_text(f"{number + 1} / {number + 1}")
    typed = password.input_value()
    inspected.get_by_role("button", name="Back").click()
    expect(inspected.get_by_label("Username")).to_have_value("batman")
    expect(password).to_have_value(typed)
    stored = inspected.evaluate("JSON.stringify(sessionStorage)")
    assert "nelson" not in stored and "milhouse" not in stored


def test_an_event_in_an_earlier_state_shows_the_latest(inspected):
    inspected.goto("/register")
    for number, user_id in enumerate(["012345678912", "123456789012"]):
        register(inspected, user_id)
        expect(entries(inspected)).to_have_count(number + 1)
    inspected.get_by_role("button", name="Back").click()
    register(inspected, "345678901234")
    expect(inspected.locator("[data-of=position]")).to_have_text("3 / 3")
    expect(inspected.locator("output[data-us-text=userID]")).to_have_text("345678901234")
    expect(inspected.get_by_text("The page shows an earlier state")).to_be_hidden()


def test_one_can_continue_from_an_earlier_event_in_another_session(inspected):
    inspected.goto("/register")
    before = inspected.context.cookies()
    for number, user_id in enumerate(["012345678912", "123456789012"]):
        register(inspected, user_id)
        expect(entries(inspected)).to_have_count(number + 1)
    entries(inspected).nth(1).get_by_role("button").click()
    detail(inspected).get_by_role("button", name="Continue").click()
    expect(entries(inspected)).to_have_count(1)
    expect(inspected.locator("output[data-us-text=userID]")).to_have_text("012345678912")
    assert inspected.context.cookies() != before
    register(inspected, "999999999999")
    expect(entries(inspected)).to_have_count(2)


def test_the_copied_command_continues_the_session_of_the_page(inspected):
    inspected.goto("/register")
    register(inspected, "0123456789 12")
    button = detail(inspected).get_by_role("button", name="curl")
    button.click()
    expect(inspected.get_by_role("button", name="Copied")).to_be_in_viewport()
    expect(button).to_be_in_viewport()
    # The page shows nothing if the values are the same.
    command = copied(inspected).replace("0123456789", "9876543210")
    output = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=True).stdout
    # The page follows what another client of its session does.
    assert json.loads(output)["sequence"] > 2
    expect(entries(inspected)).to_have_count(2)
    expect(entries(inspected).first).to_contain_text("Without an event of this page")


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
    fault, live = inspected.locator("[data-of=fault]"), inspected.locator("[data-us-live]")
    inspected.get_by_text("Network", exact=True).click()
    for switch, text in [("Offline", "No connection"), ("Requests fail", "The server is busy")]:
        expect(fault).to_be_empty()
        inspected.get_by_label(switch).check()
        log_in(inspected, "joker")
        expect(live).to_contain_text(text)
        expect(detail(inspected).locator(".problem")).to_be_visible()
        # Also if it lasts longer than the page, and the drawer is closed.
        inspected.reload()
        drawer = inspected.locator("[data-inspector] > details > summary")
        drawer.click()
        expect(fault).to_contain_text(switch)
        expect(fault).to_be_in_viewport()
        drawer.click()
        inspected.get_by_text("Network", exact=True).click()
        log_in(inspected, "joker")
        expect(live).to_contain_text(text)
        inspected.get_by_label(switch).uncheck()
        # At once, not after the module's next pause.
        expect(live).not_to_contain_text(text, timeout=1000)
        expect(inspected.get_by_role("button", name="render message").first).to_be_visible()
        expect(fault).to_be_empty()


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("width,height", [(320, 568), (375, 800), (640, 400), (768, 1024), (1280, 800)])
def test_the_inspector_covers_no_control(open_at, development, width, height, is_open):
    page = open_at(development.port, "/signup", viewport={"width": width, "height": height})
    if is_open:
        page.get_by_text("Inspector", exact=True).click()
    for control in page.locator("main, body > header").locator("a, button, input:not([type=hidden])").all():
        if not control.is_visible():
            continue
        control.scroll_into_view_if_needed()
        assert control.evaluate("""control => {
            const { left, top, width, height } = control.getBoundingClientRect();
            const drawer = document.querySelector('[data-inspector] > details').getBoundingClientRect();
            return [[left + 1, top + 1], [left + width - 1, top + height - 1], [left + width / 2, top + height / 2]]
                .every(([x, y]) => x < drawer.left || x > drawer.right || y < drawer.top || y > drawer.bottom);
        }"""), control.evaluate("control => control.outerHTML")


def test_a_misspelt_name_is_reported_in_the_console_the_page_the_inspector_and_the_log(inspected):
    warnings, logged = [], []
    inspected.on("request", lambda request: logged.append(request.post_data_json["warning"]) if request.method == "POST"
                 and request.url.endswith("/session/inspection") else None)
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
        expect(inspected.locator(f'[data-inspector-warning="{text}"]')).to_have_count(1)
        assert any(text in warning for warning in warnings)
        # The server logs it.
        assert any(text in warning for warning in logged)


def test_a_form_that_cannot_work_is_reported(inspected):
    inspected.evaluate("""() => {
        const form = document.querySelector('form[data-us-page=login]');
        form.querySelector('[name=password]').remove();
        form.method = 'get'; }""")
    report = inspected.locator("[data-of=warnings]")
    expect(report).to_contain_text("The page 'login' has a form without method=\"post\"")
    expect(report).to_contain_text("The page 'login' has a form for the event 'loginButtonPressed' without the field 'password'")


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
    inspected.get_by_role("radio", name="Diff").check()
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
    expect(entries(inspected).filter(has_text="submitButtonPressed")).to_contain_text("200")
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
    expect(detail(page)).to_contain_text("render message")
    expect(detail(page).get_by_role("button", name="Continue")).to_have_count(0)
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
