"""The pages of the demonstration: each article's scenario, as a person goes through it, with and without JavaScript."""

import gzip
import os
import re
import urllib.request

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import Program, expect_valid_html
from playwright.sync_api import expect

PATHS = ["/login", "/home", "/register", "/signup", "/products", "/product", "/email", "/forgot", "/reset", "/verify", "/account", "/secondFactor", "/factors", "/mailbox", "/docs", "/nowhere"]


class Person:
    """Uses the pages of the real server, without the proxy."""

    def __init__(self, page, has_script, program=None):
        self.page, self.has_script, self.program = page, has_script, program
        # The errors in the console.
        self.errors = []
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def log_in(self, password="bruce"):
        self.page.goto("/")
        self.page.get_by_label("Username").fill("batman")
        self.page.get_by_label("Password").fill(password)
        self.press("Log in")

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=name == "OK").click()

    def expect_alert(self, text):
        """A dialog if there is JavaScript; otherwise, the alert is part of the page."""
        if self.has_script:
            expect(self.page.get_by_role("dialog")).to_contain_text(text)
            self.press("OK")
            expect(self.page.get_by_role("dialog")).to_be_hidden()
        else:
            expect(self.page.get_by_role("alert")).to_contain_text(text)

    def expect_notice(self, text):
        """A success is a line of the page, and no dialog."""
        expect(self.page.get_by_role("status" if self.has_script else "alert").filter(has_text=text)).to_be_visible()
        expect(self.page.get_by_role("dialog")).to_be_hidden()


@pytest.fixture(params=["JavaScript", "no JavaScript"])
def person(request, browser, program):
    has_script = request.param == "JavaScript"
    context = browser.new_context(base_url=f"http://localhost:{program.port}", java_script_enabled=has_script, locale="en")
    context.set_default_timeout(5000)
    person = Person(context.new_page(), has_script, program)
    yield person
    context.close()
    assert person.errors == []


def test_a_wrong_password_gives_a_message_and_the_right_one_leads_home(person):
    person.log_in("joker")
    expect(person.page.locator("[data-us-errors]")).to_contain_text("Wrong username or password")
    expect(person.page.get_by_label("Username")).to_have_value("batman")
    person.page.get_by_label("Password").fill("bruce")
    person.press("Log in")
    person.page.wait_for_url("**/home")
    expect(person.page.get_by_text("You are logged in as batman")).to_be_visible()


def test_five_wrong_passwords_lock_the_page(person):
    person.page.goto("/login")

    def enter(password):
        person.page.get_by_label("Username").fill("batman")
        person.page.get_by_label("Password").fill(password)
        person.press("Log in")

    for _ in range(5):
        enter("joker")
        expect(person.page.locator("[data-us-errors]")).to_contain_text("Wrong username or password")
    enter("bruce")
    person.expect_alert("There were too many failed attempts. Please try again in 15 minutes.")
    # The error before is never shown as a success.
    expect(person.page.locator(".notice:not([data-us-wrong]):visible")).to_have_count(0)
    person.page.reload()
    expect(person.page.locator(".notice:not([data-us-wrong]):visible")).to_have_count(0)
    assert "please try after sometime" in person.page.request.get("/login", headers={"Accept": "application/json"}).text()


def test_a_user_id_is_normalised_or_rejected(person):
    person.page.goto("/register")
    person.page.get_by_label("User ID").fill("12")
    person.press("Register")
    expect(person.page.locator("#userID-error")).to_have_text("A user ID has exactly twelve digits")
    expect(person.page.get_by_label("User ID")).to_have_attribute("aria-invalid", "true")
    person.page.get_by_label("User ID").fill(" 012345 678912 ")
    person.press("Register")
    expect(person.page.locator("output")).to_have_text("012345678912")


def test_three_attempts_to_sign_up(person):
    for alert in [None, None, "There were too many unsuccessful attempts to sign up"]:
        person.page.goto("/signup")
        person.page.get_by_label("Name").fill("Lisa")
        person.page.get_by_label("Email").fill("lisa@rules")
        person.page.get_by_label("Password").fill("secret")
        person.press("Sign up")
        if alert:
            person.expect_alert(alert)
        else:
            expect(person.page.locator("#email-error")).to_contain_text("This is not an email address")


def test_a_password_can_be_shown(browser, program):
    page = browser.new_page(base_url=f"http://localhost:{program.port}", locale="en")
    page.goto("/login")
    password, button = page.get_by_label("Password"), page.get_by_role("button", name="Show")
    password.fill("bruce")
    for kind in ["text", "password"]:
        button.press("Enter")
        expect(password).to_have_attribute("type", kind)
        expect(button).to_have_attribute("aria-pressed", str(kind == "text").lower())
    page.close()


def test_a_sign_up_succeeds(person):
    person.page.goto("/signup")
    person.page.get_by_label("Name").fill("Lisa")
    person.page.get_by_label("Email").fill("lisa@rules.example")
    person.page.get_by_label("Password").fill("eighteen long words")
    person.press("Sign up")
    expect(person.page.get_by_text("You have signed up.")).to_be_visible()
    expect(person.page.get_by_role("dialog")).to_be_hidden()
    expect(person.page.get_by_label("Password")).to_have_count(0)
    expect(person.page.locator("main a").first).to_have_attribute("href", "/login?username=lisa%40rules.example")


def test_a_product_shows_its_detail(person):
    person.log_in()
    person.page.wait_for_url("**/home")
    person.press("Products")
    person.page.wait_for_url("**/products")
    person.press("Car")
    person.page.wait_for_url("**/product")
    expect(person.page.get_by_role("heading", level=1)).to_have_text("Car")
    expect(person.page.get_by_text("A beautiful car")).to_be_visible()
    person.page.get_by_role("link", name="All products").click()
    person.press("Book")
    person.expect_alert("Product without description")


def test_an_email_address_is_saved(person):
    person.log_in()
    person.page.wait_for_url("**/home")
    person.press("Email address")
    person.page.wait_for_url("**/email")
    person.page.get_by_label("Email").fill("lisa@rules.example")
    if not person.has_script:
        person.press("Check")
    person.press("Save")
    person.page.wait_for_url("**/home")


def test_without_a_script_a_form_saves_the_address_that_it_contains(browser, program):
    context = browser.new_context(base_url=f"http://localhost:{program.port}", java_script_enabled=False, locale="en")
    context.set_default_timeout(5000)
    person = Person(context.new_page(), False)
    person.log_in()
    for address, buttons in [("first@x.org", ["Check", "Save"]), ("second@x.org", ["Save"])]:
        person.page.goto("/email")
        person.page.get_by_label("Email").fill(address)
        for button in buttons:
            person.press(button)
        person.page.wait_for_url("**/home")
    person.page.goto("/email?email=third@x.org")
    expect(person.page.get_by_label("Email")).to_have_value("third@x.org")
    expect(person.page.locator("output")).to_have_text("second@x.org")
    context.close()


def test_without_a_script_a_form_whose_session_has_ended_leads_to_the_login_and_back(browser, program):
    context = browser.new_context(base_url=f"http://localhost:{program.port}", java_script_enabled=False, locale="en")
    context.set_default_timeout(5000)
    person, other = Person(context.new_page(), False), Person(context.new_page(), False)
    person.log_in()
    person.page.goto("/email")
    person.page.get_by_label("Email").fill("lisa@rules.example")
    other.page.goto("/home")
    other.press("Log out")
    person.press("Save")
    expect(person.page.get_by_role("status").first).to_contain_text("Your session has ended")
    person.page.get_by_label("Username").fill("batman")
    person.page.get_by_label("Password").fill("joker")
    person.press("Log in")
    person.page.get_by_label("Password").fill("bruce")
    person.press("Log in")
    person.page.wait_for_url("**/email?**")
    expect(person.page.get_by_label("Email")).to_have_value("lisa@rules.example")
    person.press("Save")
    person.page.wait_for_url("**/home")
    context.close()


def test_a_product_has_a_link_of_its_own(person):
    person.page.goto("/product?product=Car")
    expect(person.page).to_have_title("Car – Understudy")
    expect(person.page.get_by_text("A beautiful car")).to_be_visible()


def test_a_link_to_a_product_that_does_not_exist_says_so(person):
    person.page.goto("/product?product=Boat")
    person.expect_alert("Product not valid")


def test_pages_without_content_say_so(person):
    person.page.goto("/product")
    expect(person.page.get_by_text("No product is selected.")).to_be_visible()


@pytest.mark.parametrize("path", ["/home", "/account", "/factors"])
def test_a_page_about_the_user_leads_to_the_login_and_back_in_one_round_trip(person, path):
    response = person.page.goto(path)
    assert response.request.redirected_from.url.endswith(path) and response.request.redirected_from.redirected_from is None
    assert person.page.url.endswith("/login?_back=" + path.replace("/", "%2F"))
    expect(person.page.get_by_role("status").first).to_contain_text("Log in to continue")
    person.page.get_by_label("Username").fill("alfred")
    person.page.get_by_label("Password").fill("pennyworth")
    person.press("Log in")
    person.page.wait_for_url("**" + path)
    expect(person.page.get_by_role("main")).to_be_visible()


def test_the_account_that_the_demonstration_suggests_can_do_everything(person):
    person.page.goto("/login")
    name, password = person.page.locator(".hint code").all_inner_texts()
    person.page.get_by_label("Username").fill(name)
    person.page.get_by_label("Password").fill(password)
    person.press("Log in")
    person.page.wait_for_url("**/home")
    for path, button in [("/account", "Show your data"), ("/factors", "Add an app")]:
        person.page.goto(path)
        expect(person.page.get_by_role("dialog")).to_be_hidden()
        expect(person.page.get_by_role("alert").filter(has_text=re.compile("."))).to_have_count(0)
        expect(person.page.get_by_role("button", name=button)).to_be_visible()


def test_without_a_script_a_sign_up_leads_to_the_login(browser, program):
    context = browser.new_context(base_url=f"http://localhost:{program.port}", java_script_enabled=False, locale="en")
    context.set_default_timeout(5000)
    page = context.new_page()
    page.goto("/signup")
    page.get_by_label("Name").fill("Lisa")
    page.get_by_label("Email").fill("lisa@rules.example")
    page.get_by_label("Password").fill("eighteen long words")
    page.get_by_role("button", name="Sign up").click()
    page.get_by_role("link", name="Log in with your email address").click()
    expect(page.get_by_label("Username")).to_have_value("lisa@rules.example")
    context.close()


def test_a_user_sees_the_account_and_the_data_that_it_contains(person):
    address = f"account-{int(person.has_script)}@rules.example"
    user = {"email": address, "password": "eighteen long words"}
    assert person.page.request.post("/signup", form={"name": "Lisa", **user}).ok
    assert person.page.request.post("/login", form={"username": address, "password": user["password"]}).ok
    person.page.goto("/home")
    person.page.get_by_role("link", name=address).click()
    expect(person.page.locator("[data-us-text=username]")).to_have_text(address)
    expect(person.page.get_by_role("button", name="Forget this device")).to_be_visible()
    person.press("Show your data")
    expect(person.page.locator("[data-us-text='export.username']")).to_have_text(address)


def test_a_user_logs_out(person):
    person.log_in()
    person.page.wait_for_url("**/home")
    person.press("Log out")
    person.page.wait_for_url("**/login")
    person.page.goto("/")
    person.page.wait_for_url("**/login")


def test_a_person_notices_no_restart_of_a_server_with_a_database(browser, program_with_database):
    context = browser.new_context(base_url=f"http://localhost:{program_with_database.port}", locale="en")
    page = context.new_page()
    page.goto("/login")

    def enter(password):
        page.get_by_label("Username").fill("nobody")
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Log in").click()

    for attempt in range(5):
        with page.expect_response("**/login"):
            enter(f"wrong password {attempt}")
    assert program_with_database.stop() == 0
    enter("another password")
    expect(page.locator("[data-us-live]")).to_have_text("No connection. Your input will be sent later.")
    program_with_database.start()
    # The session still knows the five attempts before.
    expect(page.get_by_role("dialog")).to_contain_text("too many failed attempts")
    context.close()


def test_a_login_by_keyboard_only(person):
    person.page.goto("/login")
    person.page.get_by_label("Username").focus()
    for key in ["batman", "Tab", "bruce", "Enter"]:
        person.page.keyboard.press(key) if key in ("Tab", "Enter") else person.page.keyboard.type(key)
    person.page.wait_for_url("**/home")
    person.page.keyboard.press("Tab")
    expect(person.page.locator(":focus")).to_have_text("Skip to the content")
    while person.page.locator(":focus").inner_text() != "Products" or not person.page.locator("main :focus").count():
        person.page.keyboard.press("Tab")
    person.page.keyboard.press("Enter")
    person.page.wait_for_url("**/products")


@pytest.fixture
def reader(browser, program):
    """Opens pages in a colour scheme, a width and a language, as a user who is logged in."""
    contexts = []

    def open_context(scheme, width, language="en"):
        context = browser.new_context(base_url=f"http://localhost:{program.port}", color_scheme=scheme, locale=language,
                                      viewport={"width": width, "height": 800})
        context.set_default_timeout(5000)
        contexts.append(context)
        page = context.new_page()
        page.goto("/login")
        page.locator("#username").fill("alfred")
        page.locator("#password").fill("pennyworth")
        page.locator("main form button:not([type=button])").click()
        page.wait_for_url("**/home")
        return page

    yield open_context
    for context in contexts:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_accessible(reader, scheme):
    page, axe = reader(scheme, 1280), Axe()
    for path in PATHS:
        page.goto(path)
        page.wait_for_load_state("networkidle")
        found = axe.run(page)
        assert found.violations_count == 0, f"{path}: {found.generate_report()}"


@pytest.mark.parametrize("width", [320, 3840])
def test_no_page_is_wider_than_the_window(reader, width):
    page = reader("light", width, "de")
    for path in PATHS:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


@pytest.mark.parametrize("width", [320, 639])
def test_a_narrow_window_has_a_menu_with_all_that_the_header_has(person, width):
    person.page.set_viewport_size({"width": width, "height": 800})
    person.log_in()
    person.page.wait_for_url("**/home")
    person.page.goto("/products")
    menu, links = person.page.get_by_role("button", name="Menu"), person.page.locator("nav li a")
    assert links.count() >= 4
    for link in links.all():
        expect(link).to_be_hidden()
    menu.focus()
    person.page.keyboard.press("Enter")
    for shown in [*links.all(), person.page.get_by_role("button", name="Log out")]:
        expect(shown).to_be_in_viewport(ratio=1)
    expect(person.page.get_by_role("navigation", name="Pages").locator("[aria-current=page]")).to_have_text("Products")
    found = Axe().run(person.page) if person.has_script else None
    assert not found or found.violations_count == 0, found.generate_report()
    person.page.keyboard.press("Tab")
    expect(links.first).to_be_focused()
    person.page.keyboard.press("Escape")
    expect(links.first).to_be_hidden()
    expect(menu).to_be_focused()
    menu.click()
    person.page.get_by_role("link", name="Email address").click()
    person.page.wait_for_url("**/email")
    expect(links.first).to_be_hidden()
    menu.click()
    person.press("Log out")
    person.page.wait_for_url("**/login")


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_window_of_40_rem_shows_the_whole_navigation(reader, language):
    page = reader("light", 640, language)
    expect(page.locator("header .menu")).to_be_hidden()
    for shown in [*page.locator("nav li a").all(), page.locator("header form button")]:
        expect(shown).to_be_in_viewport(ratio=1)


def test_pages_have_three_sizes_of_text(reader):
    page, found = reader("light", 1280), set()
    for path in [path for path in PATHS if path != "/docs"]:
        page.goto(path)
        found |= set(page.locator("body > :not([data-inspector]), body > :not([data-inspector]) *").evaluate_all(
            "elements => elements.map(element => getComputedStyle(element).fontSize)"))
    assert found == {"15px", "20px", "28px"}


def test_an_empty_table_says_so_until_it_has_a_row(reader):
    page = reader("light", 1280)
    page.evaluate("""() => {
        const [frame, table, body, none] = ['div', 'table', 'tbody', 'p'].map(name => document.createElement(name));
        Object.assign(frame, { className: 'table' }).append(table);
        Object.assign(none, { className: 'none', textContent: 'Mails: nothing yet' });
        table.append(body);
        document.querySelector('main').append(frame, none); }""")
    expect(page.get_by_text("Mails: nothing yet")).to_be_visible()
    page.evaluate("document.querySelector('tbody').append(document.createElement('tr'))")
    expect(page.get_by_text("Mails: nothing yet")).to_be_hidden()


def test_the_html_is_valid(reader, tmp_path):
    page = reader("light", 1280)
    for path in PATHS:
        (tmp_path / f"{path[1:]}.html").write_text(page.goto(path).text())
    expect_valid_html(tmp_path)


# The bytes as sent and the first paint in milliseconds of each page, and the bytes of the module, which conftest.py prints.
measured = {}


def test_the_module_is_small(program):
    request = urllib.request.Request(f"http://localhost:{program.port}/understudy.js", headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as response:
        sent = response.read()
    assert gzip.decompress(sent).startswith(b"//") and len(sent) <= 11 * 1024
    measured["/understudy.js"] = len(sent), []


@pytest.mark.parametrize("path", [path for path in PATHS if path not in ("/forgot", "/reset", "/verify", "/account", "/secondFactor", "/factors", "/mailbox", "/docs", "/nowhere")])
def test_a_page_is_small_and_shown_at_once(browser, program_with_database, path):
    # Without the inspector, which is only for demonstrations and development.
    context = browser.new_context(base_url=f"http://localhost:{program_with_database.port}", viewport={"width": 1280, "height": 800})
    # Nobody who is logged in loads these first.
    if path not in ("/login", "/signup"):
        user = {"email": "lisa@example.com", "password": "long enough for all"}
        assert context.request.post("/signup", form={"name": "Lisa", **user}).ok
        assert context.request.post("/login", form={"username": user["email"], "password": user["password"]}).ok
    page, sizes = context.new_page(), []
    # The stream of the history does not finish, and the answer to an event is no part of the page.
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]) if request.method == "GET" else None)
    cache = page.context.new_cdp_session(page)
    page.goto(path, wait_until="networkidle")
    paints = []
    for _ in range(5):
        # As if nothing had been loaded before.
        cache.send("Network.clearBrowserCache")
        sizes.clear()
        page.reload(wait_until="networkidle")
        shift = page.evaluate("""() => new Promise(done => new PerformanceObserver(list => done(
            list.getEntries().reduce((sum, entry) => sum + entry.value, 0))).observe({type: 'layout-shift', buffered: true})
            || setTimeout(() => done(0), 300))""")
        assert shift == 0
        paints += page.evaluate("performance.getEntriesByName('first-contentful-paint').map(entry => entry.startTime)")
    assert len(sizes) >= 4 and sum(sizes) < 20 * 1024, sizes
    measured[path] = sum(sizes), sorted(paints)
    context.close()


def test_the_documentation_is_loaded_again_only_if_it_has_changed(reader):
    page = reader("light", 1280)
    network, addresses, responses = page.context.new_cdp_session(page), {}, []
    network.send("Network.enable")
    network.on("Network.requestWillBeSent", lambda sent: addresses.update({sent["requestId"]: sent["request"]["url"]}))
    # The status that the server has sent, before the browser has looked into its cache.
    network.on("Network.responseReceivedExtraInfo", lambda response: responses.append((response["requestId"], response["statusCode"])))

    def statuses():
        return [status for request, status in responses if addresses.get(request, "").endswith("/docs")]

    assert page.goto("/docs").headers["content-encoding"] == "gzip"
    text = page.locator("main").inner_text()
    page.goto("/products")
    assert statuses() == [200]
    page.goto("/docs")
    assert page.locator("main").inner_text() == text
    assert statuses() == [200, 304]


def test_the_login_needs_few_requests(browser, program_with_database):
    context = browser.new_context(base_url=f"http://localhost:{program_with_database.port}")
    page, requests = context.new_page(), []
    page.on("request", lambda request: requests.append(request.url))
    page.goto("/login", wait_until="networkidle")
    # The icon, which is also in the header, is loaded once.
    assert len(set(requests)) <= 7, requests
    context.close()


def test_a_page_says_in_which_language_its_texts_are(reader):
    page = reader("light", 1280, "de")
    page.goto("/nowhere")
    expect(page.get_by_role("heading", level=1)).to_have_text("Diese Seite gibt es nicht")
    expect(page.get_by_text("Prüfen Sie die Adresse")).to_be_visible()
    page.goto("/docs")
    assert page.locator("html").get_attribute("lang") == "de" and page.locator("article").get_attribute("lang") == "en"
    expect(page.locator("article h5").first).to_have_attribute("lang", "de")


@pytest.mark.skipif("SCREENSHOTS" not in os.environ, reason="scripts/checks/browser-test --screenshots FOLDER")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width,language", [(320, "de"), (768, "en"), (1440, "en"), (3840, "en")])
def test_screenshots(reader, scheme, width, language):
    page = reader(scheme, width, language)
    for path in PATHS:
        page.goto(path)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=f"{os.environ['SCREENSHOTS']}/{path[1:]}-{scheme}-{width}.png")
