"""The page /docs, with and without JavaScript."""

import gzip
import re
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect


@pytest.fixture
def open_docs(open_at, program):
    """Opens the page in a window of a width."""
    def open_page(width=1280, has_script=True, path="/docs", **options):
        return open_at(program.port, path, viewport={"width": width, "height": 800}, java_script_enabled=has_script, **options)
    return open_page


def test_the_contents_stay_and_mark_the_part_that_is_read(open_docs):
    page = open_docs()
    contents = page.get_by_role("navigation", name="Contents")
    contents.get_by_role("link", name="DELETE /session").click()
    expect(page.get_by_role("heading", name="End the session")).to_be_in_viewport()
    expect(contents).to_be_in_viewport()
    expect(contents.locator("[aria-current]")).to_have_text("DELETE /session")
    page.locator("#validate").scroll_into_view_if_needed()
    page.mouse.move(800, 400)
    page.mouse.wheel(0, 400)
    expect(contents.locator("[aria-current]")).not_to_have_text("DELETE /session")
    expect(contents.locator("[aria-current]")).to_be_in_viewport()


@pytest.mark.parametrize("has_script", [True, False])
def test_on_a_phone_the_contents_are_disclosed(open_docs, has_script):
    page = open_docs(360, has_script)
    contents = page.get_by_role("navigation", name="Contents")
    expect(contents).to_be_hidden()
    page.locator("#sendEmail").scroll_into_view_if_needed()
    page.get_by_text("Contents", exact=True).click()
    expect(contents).to_be_in_viewport()
    contents.get_by_role("link", name="GET /livez").click()
    expect(page.locator("#live")).to_be_in_viewport()
    if has_script:
        expect(contents).to_be_hidden()


def test_a_link_to_a_schema_or_an_error_opens_it(open_docs):
    page = open_docs()
    for name, text in [("LoginResponse", "The response to an event of the page"), ("503 Busy", "overloaded")]:
        link = page.locator("#sendLogin").get_by_role("link", name=name)
        description = page.locator(link.get_attribute("href"))
        expect(description).to_be_hidden()
        link.click()
        expect(description).to_contain_text(text)
        expect(description).to_be_in_viewport()
        page.go_back()


def test_a_link_to_nothing_shows_the_page(open_docs):
    page = open_docs(path="/docs#%E0%")
    page.get_by_role("searchbox").fill("showLogin")
    expect(page.get_by_role("status").first).to_contain_text("Matches: 1")


def test_every_link_in_the_page_leads_to_a_part_of_it(open_docs):
    page = open_docs(has_script=False)
    targets = page.locator("[id]").evaluate_all("all => all.map(part => part.id)")
    assert len(targets) == len(set(targets))
    for target in page.locator('main a[href^="#"]').evaluate_all("all => all.map(link => link.hash.slice(1))"):
        assert target in targets, target


def test_without_a_script_the_contents_and_each_part_can_be_read(open_docs):
    page = open_docs(has_script=False)
    expect(page.get_by_role("navigation", name="Contents")).to_be_visible()
    expect(page.get_by_role("heading", name="Start a session")).to_be_visible()
    page.locator("summary", has_text="503 Busy").click()
    expect(page.locator("#error-Busy")).to_be_visible()


def test_the_first_view_of_seven_pages_has_at_most_30_kib_after_gzip(browser, program_with_database):
    page = browser.new_page(base_url=f"http://localhost:{program_with_database.port}", locale="en")
    bodies = {}
    page.on("response", lambda response: bodies.__setitem__(response.url, response.body()))
    page.goto("/docs", wait_until="networkidle")
    sizes = {url.rsplit("/", 1)[1]: len(gzip.compress(body, 9)) for url, body in bodies.items()}
    page.close()
    assert len(sizes) >= 4 and sum(sizes.values()) <= 30 * 1024, sizes


def test_a_search_shows_the_operations_and_schemas_with_all_its_words(open_docs):
    page = open_docs()
    contents, search = page.get_by_role("navigation", name="Contents"), page.get_by_role("searchbox", name="Search")
    page.locator("h1").click()
    page.keyboard.press("/")
    expect(search).to_be_focused()
    page.keyboard.type("Recording  DOWNLOAD")
    expect(contents.locator("li li:visible")).to_have_text("GET /session/recording")
    expect(page.locator(".operation:visible h4")).to_have_text("Download the session's recording")
    expect(page.get_by_role("status").first).to_contain_text("Matches: 1")
    search.fill("deviceToken response")
    expect(contents.get_by_role("link", name="LoginResponse")).to_be_visible()
    expect(contents.get_by_role("link", name="POST /validate")).to_have_count(0)
    search.press("Escape")
    expect(search).to_have_value("")
    expect(contents.get_by_role("link", name="POST /validate", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Start a session")).to_be_visible()
    expect(page.get_by_role("status").first).to_be_empty()


def test_enter_leads_to_the_first_match_and_a_link_to_a_hidden_part_ends_the_search(open_docs):
    page = open_docs(360)
    page.keyboard.press("/")
    page.keyboard.type("post login")
    page.keyboard.press("Enter")
    page.wait_for_url("**/docs#sendLogin")
    expect(page.locator("#sendLogin h4")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Check one value")).to_be_hidden()
    page.locator("#sendLogin").get_by_role("link", name="414 Target too long").click()
    expect(page.locator("#error-TargetTooLong")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Check one value")).to_be_visible()


def test_a_search_without_a_match_says_so(open_docs):
    page = open_docs()
    page.get_by_role("searchbox").fill("neverdocumented")
    expect(page.get_by_role("status").first).to_contain_text("Matches: 0")
    expect(page.locator("article section:visible")).to_have_count(0)


def test_the_samples_of_the_login_and_the_registration_run(open_docs, program):
    page = open_docs()
    for operation, texts in [("sendLogin", ["goToPage", "/home"]), ("sendRegister", ["userID", "012345678912"])]:
        sample = page.locator(f"#{operation} .request pre > code").first.inner_text()
        assert f"http://localhost:{program.port}/" in sample
        result = subprocess.run(["bash", "-s"], input=sample, capture_output=True, text=True, timeout=30)
        assert result.returncode == 0, result.stderr
        for text in texts:
            assert text in result.stdout


def test_operations_are_grouped_by_page_with_the_schemas_of_the_page(open_docs):
    page = open_docs(has_script=False)
    login = page.locator(".page").filter(has=page.get_by_role("heading", name="/login", exact=True))
    expect(login.locator("h4")).to_have_text(["Show the page login", "Send an event to the page login"])
    expect(login.locator("summary", has_text="LoginResponse")).to_be_visible()
    expect(page.locator("#schemas summary", has_text="LoginResponse")).to_have_count(0)
    row = page.get_by_role("navigation", name="Contents").get_by_role("listitem").filter(has=page.locator('a[href="#sendLogin"]')).last
    expect(row.get_by_role("link")).to_have_text(["GET /login", "POST /login"])


def test_a_header_of_several_operations_is_described_once(open_docs):
    page = open_docs()
    expect(page.get_by_text("Makes it safe to send the same event again")).to_have_count(1)
    page.locator("#sendLogin").get_by_role("link", name="Idempotency-Key").click()
    expect(page.get_by_text("Makes it safe to send the same event again")).to_be_in_viewport()


def test_the_form_comes_first_and_stays_with_the_sample_while_the_operation_is_read(open_docs):
    page = open_docs()
    operation = page.locator("#sendLogin")
    operation.scroll_into_view_if_needed()
    form, sample, text = (operation.locator(part).first.bounding_box() for part in [".try", ".sample", ".prose"])
    assert form["y"] < sample["y"] and form["x"] > text["x"] + text["width"]
    operation.locator(".errors").scroll_into_view_if_needed()
    expect(operation.get_by_text("Try it", exact=True)).to_be_in_viewport()
    expect(operation.locator(".sample pre").first).to_be_in_viewport()
    narrow = open_docs(375).locator("#sendLogin")
    assert narrow.locator(".try").bounding_box()["y"] < narrow.locator(".prose").bounding_box()["y"]


@pytest.mark.parametrize("has_clipboard", [True, False])
def test_a_sample_is_copied(open_docs, has_clipboard):
    page = open_docs(permissions=["clipboard-read", "clipboard-write"])
    if not has_clipboard:
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    operation = page.locator("#sendLogin")
    operation.get_by_role("button", name="Copy").first.click()
    expect(operation.get_by_role("button", name="Copied")).to_be_in_viewport()
    search = page.get_by_role("searchbox")
    search.focus()
    page.keyboard.press("Control+v")
    expect(search).to_have_value(operation.locator("pre > code").first.inner_text())


def test_the_form_has_the_values_of_the_sample_that_is_open(open_docs):
    page = open_docs()
    form = try_it(page, "sendLogin")
    expect(form.get_by_label("Request body")).to_have_value(re.compile("loginButtonPressed"))
    page.locator("#sendLogin").get_by_text("The event passkeyRequested.").click()
    expect(form.get_by_label("Request body")).to_have_value(re.compile("passkeyRequested"))
    expect(page.locator("#sendLogin .sample[open]")).to_have_count(1)


def test_the_words_of_the_page_are_in_the_language_of_the_browser(browser, program):
    page = browser.new_page(base_url=f"http://localhost:{program.port}", locale="de")
    page.goto("/docs")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    for words in ["Kopfzeilen", "Antworten", "Fehler", "Ausprobieren", "Kopieren"]:
        word = page.locator("#sendLogin").get_by_text(words, exact=True).first
        expect(word).to_be_visible()
        assert word.evaluate("word => word.closest('[lang]').lang") == "de"
    expect(page.locator("#sendLogin .prose p").first).to_contain_text("Sends an event")
    assert page.locator("#sendLogin .prose p").first.evaluate("text => text.closest('[lang]').lang") == "en"
    page.close()


@pytest.mark.parametrize("width", [320, 375, 768, 1280])
def test_the_page_fits_the_window(open_docs, width):
    page = open_docs(width)
    page.locator("article details").evaluate_all("all => { for (const part of all) part.open = true; }")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_errors_and_schemas_are_accessible(open_docs, scheme):
    page = open_docs(color_scheme=scheme)
    page.locator("article details").evaluate_all("all => { for (const part of all) part.open = true; }")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def try_it(page, operation):
    part = page.locator(f"#{operation}")
    part.get_by_text("Try it", exact=True).click()
    return part.locator("form")


def test_a_request_can_be_sent_from_the_page(open_docs):
    page = open_docs()
    form = try_it(page, "sendRegister")
    expect(form.get_by_label("Request body")).to_have_value(re.compile('"userID": "012345 678912"'))
    form.get_by_label("Request body").fill('{"userID": "012345678912"}')
    form.get_by_label("Prefer").fill("return=representation")
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("status")).to_have_text("200 OK")
    response = form.get_by_role("region", name="Response")
    expect(response).to_contain_text("preference-applied: return=representation")
    expect(response).to_contain_text('"userID": "012345678912"')


def test_a_request_has_the_parameters_of_its_path_and_its_query(open_docs):
    page = open_docs()
    form = try_it(page, "validateValue")
    expect(form.get_by_label("rule")).to_have_value("userID")
    form.get_by_label("rule").fill("e/mail")
    with page.expect_request("**/validate/e%2Fmail"):
        form.get_by_role("button", name="Send").click()
    form.get_by_label("rule").fill("email")
    form.get_by_label("Request body").fill('{"value": "<b>lisa</b>"}')
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("status")).to_have_text("200 OK")
    expect(form.get_by_role("region")).to_contain_text('"valid": false')
    form = try_it(page, "showHistory")
    form.get_by_label("since").fill("0")
    with page.expect_request("**/session/history?since=0"):
        form.get_by_role("button", name="Send").click()


def test_a_request_that_fails_says_so_and_can_be_sent_again(open_docs):
    page = open_docs()
    form = try_it(page, "showIndex")
    page.route("**/", lambda route: route.abort())
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("status")).to_have_text("The request failed.")
    page.unroute("**/")
    event = try_it(page, "sendHome")
    event.get_by_label("Idempotency-Key").fill("№ 1")
    event.get_by_role("button", name="Send").click()
    expect(event.get_by_role("status")).to_have_text("The request failed.")
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("region", name="Response")).to_contain_text('"pages"')
