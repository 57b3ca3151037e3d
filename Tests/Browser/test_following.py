"""How a page shows what it has not asked for: updates, events of other tabs, and values before the answer."""

import os
import threading

import pytest
from playwright.sync_api import expect

from conftest import Program
from server import PAGES, FakePage, StreamedResponse, render, server_sent
from test_module import EVENTS, HEAD, SEARCH, echo, search, wait_for  # noqa: F401

ALERT = {"command": "showAlert", "message": "The price has changed", "code": "search.changed"}
UPDATES = [{"update": "changed", "gives": {"renders": [], "messages": ["search.changed"], "destinations": []}}]


@pytest.fixture
def followed(server, search, page):  # noqa: F811
    """A page whose history is sent to the browser."""
    search.is_followed = True
    wait_for(page, lambda: len(server.open_streams) == 1)
    return search


def set_hidden(page, is_hidden):
    """As if the person had chosen another tab: without a window, all tabs are visible."""
    page.evaluate("""isHidden => {
        Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange')); }""", is_hidden)


# MARK: Updates


def test_an_open_page_shows_what_an_update_renders(page, followed):
    followed.give([render("echo", "news")])
    expect(echo(page)).to_have_text("news")
    assert followed.effects == []


def test_what_a_person_types_stays_while_an_update_renders(page, server):
    fields = SEARCH.replace("data-us-input", 'data-us-delay="60000" data-us-input')
    server.html["search"] = fields.replace('name="other"', 'name="other" data-us-attribute="value:other"')
    fake = FakePage(server, "search", EVENTS, lambda event, values: ([], []))
    fake.is_followed = True
    page.goto("/search")
    wait_for(page, lambda: server.open_streams)
    page.get_by_label("Other").fill("mine as well")
    page.get_by_label("Text").press_sequentially("mine")
    page.get_by_label("Text").evaluate("element => element.setSelectionRange(1, 3)")
    fake.give([render("text", "of the server"), render("other", "of the server"), render("echo", "news")])
    expect(echo(page)).to_have_text("news")
    assert page.get_by_label("Text").evaluate("element => [element.value, element.selectionStart, element.selectionEnd]") == ["mine", 1, 3]
    expect(page.get_by_label("Text")).to_be_focused()
    expect(page.get_by_label("Other")).to_have_value("mine as well")


def test_a_field_that_a_person_has_not_changed_shows_the_value_of_an_update(page, followed):
    followed.give([render("text", "of the server")])
    expect(page.get_by_label("Text")).to_have_value("of the server")


def test_an_alert_of_an_update_is_shown_and_that_of_another_tab_is_not(page, server, followed):
    followed.updates, waited = UPDATES, len(server.waiting)
    page.reload()
    # A page that has not read its state yet would find what follows in it.
    wait_for(page, lambda: len(server.waiting) > waited)
    followed.give([{**ALERT, "message": "Not for this tab", "code": "search.other"}, {"command": "goToPage", "name": "login", "href": "/login"},
                   render("echo", "news"), ALERT])
    expect(page.get_by_role("dialog", name="The price has changed")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert echo(page).text_content() == "news" and page.url.endswith("/search")


def test_a_hidden_tab_shows_no_alert_of_an_update(page, context, server, followed):
    followed.updates = UPDATES
    page.reload()
    hidden = context.new_page()
    hidden.goto("/search")
    set_hidden(hidden, True)
    followed.give([ALERT, render("echo", "news")])
    expect(echo(hidden)).to_have_text("news")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert hidden.get_by_role("dialog").count() == 0


def test_commands_of_an_own_event_are_executed_once(page, server, followed):
    followed.updates = UPDATES
    followed.react = lambda event, values: ([ALERT, render("echo", "answer")], [])
    page.reload()
    answer = server.fault("delay", path="/search")
    page.get_by_role("button").click()
    # They arrive with the history first.
    wait_for(page, lambda: followed.effects)
    page.wait_for_timeout(100)
    answer.release()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    followed.give([render("echo", "later")])
    expect(echo(page)).to_have_text("later")
    assert page.get_by_role("dialog").count() == 0


def test_a_page_is_read_again_if_the_history_does_not_have_what_follows(page, followed):
    followed.lose([render("echo", "lost"), render("text", "lost as well")])
    expect(echo(page)).to_have_text("lost")
    expect(page.get_by_label("Text")).to_have_value("lost as well")
    followed.give([render("echo", "next")])
    expect(echo(page)).to_have_text("next")


# MARK: One stream for each browser


def test_two_tabs_of_the_email_page_show_the_same(context, server, page):
    other = context.new_page()
    for tab in (page, other):
        tab.goto("/email")
        expect(tab.get_by_role("button")).to_have_attribute("aria-disabled", "true")
    wait_for(page, lambda: len(server.open_streams) == 1)
    page.get_by_label("Email").fill("lisa@rules.com")
    expect(other.get_by_role("button")).not_to_have_attribute("aria-disabled", "true")
    other.get_by_label("Email").fill("lisa")
    expect(page.get_by_role("button")).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_label("Email")).to_have_value("lisa@rules.com")
    assert len(server.open_streams) == 1 and len(server.waiting) == 1


def test_another_tab_takes_over_if_the_one_with_the_stream_is_closed(context, server, page, followed):
    other = context.new_page()
    other.goto("/search")
    expect(echo(other)).to_have_text("ready")
    page.goto("about:blank")
    wait_for(page, lambda: len(server.waiting) == 2 and len(server.open_streams) == 1)
    followed.give([render("echo", "news")])
    expect(echo(other)).to_have_text("news")


def test_no_stream_is_open_while_all_tabs_are_hidden(context, server, page, followed):
    set_hidden(page, True)
    wait_for(page, lambda: not server.open_streams)
    followed.give([render("echo", "news")])
    assert echo(page).text_content() == "ready"
    set_hidden(page, False)
    expect(echo(page)).to_have_text("news")
    assert len(server.waiting) == 2


def test_each_tab_follows_for_itself_if_the_browser_has_no_locks(context, server, page):
    context.add_init_script("delete Navigator.prototype.locks; delete window.BroadcastChannel;")
    other = context.new_page()
    for tab in (page, other):
        tab.goto("/email")
    wait_for(page, lambda: len(server.open_streams) == 2)
    page.get_by_label("Email").fill("lisa@rules.com")
    expect(other.get_by_role("button")).not_to_have_attribute("aria-disabled", "true")
    set_hidden(other, True)
    wait_for(page, lambda: len(server.open_streams) == 1)


def test_a_page_without_a_session_follows_after_its_first_event(page, server):
    server.starts_sessions = False
    page.goto("/register")
    wait_for(page, lambda: len(server.waiting) == 3)
    page.get_by_label("User ID").fill("012345678912")
    page.get_by_role("button").click()
    expect(page.locator("output")).to_have_text("012345678912")
    wait_for(page, lambda: len(server.open_streams) == 1)
    assert ["wait" in request.target for request in server.waiting] == [False, False, True, False]


def test_a_session_that_ends_is_not_followed_until_the_next_event(page, server, followed):
    followed.has_ended = True
    wait_for(page, lambda: not server.open_streams)
    followed.has_ended = False
    set_hidden(page, True)
    set_hidden(page, False)
    assert len(server.waiting) == 1
    page.get_by_role("button").click()
    wait_for(page, lambda: len(server.open_streams) == 1)
    assert len(server.waiting) == 2


def test_a_browser_without_a_stream_asks_again_and_again(page, server, followed):
    server.refuses_streams = True
    page.reload()
    for text in ("one", "two", "three"):
        wait_for(page, lambda: server.open_streams and "wait=20" in server.open_streams[0].target)
        followed.give([render("echo", text)])
        expect(echo(page)).to_have_text(text)
    assert len([request for request in server.waiting if request.wants_stream]) == 3


def test_a_page_of_another_origin_follows_its_session_with_its_token(page, server):
    server.html["email"] = (PAGES / "email.html").read_text().replace('data-us-server="/"', 'data-us-server="{{server}}"')
    page.goto(f"http://127.0.0.1:{server.other_port}/email")
    expect(page.get_by_role("button")).to_have_attribute("aria-disabled", "true")
    wait_for(page, lambda: server.open_streams)
    [request] = server.open_streams
    assert "wait=20" in request.target
    headers = {"Authorization": request.headers["authorization"]}
    page.request.post(f"http://localhost:{server.port}/email", form={"event": "emailChanged", "email": "lisa@rules.com"}, headers=headers)
    expect(page.get_by_role("button")).not_to_have_attribute("aria-disabled", "true")


# MARK: The program


@pytest.fixture
def tabs(browser, program_with_database):
    context = browser.new_context(base_url=f"http://localhost:{program_with_database.port}", locale="en")
    context.set_default_timeout(10_000)
    tabs = [context.new_page(), context.new_page()]
    for tab in tabs:
        tab.goto("/email")
    yield tabs
    context.close()


def test_two_tabs_have_one_stream_which_is_closed_while_both_are_hidden(tabs, program_with_database):
    wait_for(tabs[0], lambda: program_with_database.count_waiting() == 1)
    set_hidden(tabs[0], True)
    set_hidden(tabs[1], True)
    wait_for(tabs[0], lambda: program_with_database.count_waiting() == 0)
    set_hidden(tabs[1], False)
    wait_for(tabs[0], lambda: program_with_database.count_waiting() == 1)


def test_a_stream_is_resumed_after_the_server_restarts(tabs, program_with_database):
    wait_for(tabs[0], lambda: program_with_database.count_waiting() == 1)
    assert program_with_database.stop() == 0
    program_with_database.start()
    wait_for(tabs[0], lambda: program_with_database.count_waiting() == 1)
    tabs[0].get_by_label("Email").fill("lisa@rules.example")
    expect(tabs[1].get_by_role("button", name="Save")).not_to_have_attribute("aria-disabled", "true")


def test_a_login_page_shows_when_its_lock_has_ended(browser):
    program = Program(os.environ["UNDERSTUDY_PROGRAM"], "--demo", "--test-control")
    page = browser.new_page(base_url=f"http://localhost:{program.port}", locale="en")
    page.set_default_timeout(5000)
    page.goto("/login")
    for _ in range(6):
        page.get_by_label("Username").fill("batman")
        page.get_by_label("Password").fill("joker")
        with page.expect_response("**/login"):
            page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("dialog")).to_contain_text("too many failed attempts")
    page.get_by_role("button", name="OK").click()
    page.get_by_label("Username").fill("bat")
    program.advance("15m")
    expect(page.locator("[data-us-errors]")).to_have_text("")
    expect(page.get_by_text("You can log in again", exact=True)).to_be_visible()
    expect(page.get_by_label("Username")).to_have_value("bat")
    page.close()
    program.kill()


@pytest.fixture
def demonstration(browser, program):
    context = browser.new_context(base_url=f"http://localhost:{program.port}", locale="en")
    context.set_default_timeout(5000)
    yield context
    context.close()


def test_tabs_follow_the_session_of_a_user_who_logs_in(demonstration, program):
    page, other = demonstration.new_page(), demonstration.new_page()
    errors = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto("/login")
    wait_for(page, lambda: program.count_waiting() == 1)
    page.get_by_label("Username").fill("batman")
    page.get_by_label("Password").fill("bruce")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/home")
    for tab in (page, other):
        tab.goto("/email")
    wait_for(page, lambda: program.count_waiting() == 1)
    page.get_by_label("Email").fill("lisa@rules.example")
    expect(other.get_by_role("button", name="Save")).not_to_have_attribute("aria-disabled", "true")
    assert errors == []


def test_a_page_that_stays_open_after_its_login_is_followed(demonstration, program):
    page, streams = demonstration.new_page(), []
    page.on("request", lambda request: request.resource_type == "eventsource" and streams.append(request))
    page.goto("/login")
    wait_for(page, lambda: len(streams) == 1 and program.count_waiting() == 1)
    page.evaluate("addEventListener('understudy:goToPage', event => event.preventDefault())")
    page.get_by_label("Username").fill("batman")
    page.get_by_label("Password").fill("bruce")
    page.get_by_role("button", name="Log in").click()
    # The stream of the session before has ended.
    wait_for(page, lambda: len(streams) == 2 and program.count_waiting() == 1)


# MARK: Values before the answer


def commands(*values, start=1):
    return [{"sequence": start + index, "page": "list", **render(key, value)} for index, (key, value) in enumerate(values)]


def answer(given):
    return server_sent("answer", {"sequence": given[-1]["sequence"], "ok": True, "commands": given})


@pytest.fixture
def slow(server):
    """A page with a load event, whose responses are streams of the test."""
    server.html["list"] = HEAD + '''<div data-us-page="list" data-us-load="onStart"><p data-us-attribute="hidden:!loading" hidden>Loading</p>
        <output data-us-text="wrong"></output><ul data-us-list="items"><template><li data-us-text="."></li></template></ul></div>'''
    page = FakePage(server, "list", {"onStart": []}, lambda event, values: StreamedResponse(page.streams.pop(0)))
    page.events[0]["safe"] = True
    page.gate, page.streams = threading.Event(), []
    yield page
    page.gate.set()


def send(given):
    return [server_sent("command", command) for command in given]


def test_a_page_shows_that_it_is_loading_until_the_list_arrives(page, slow):
    given = commands(("loading", True), ("items", ["Car", "Book"]), ("loading", False))
    slow.streams = [[*send(given[:1]), slow.gate, *send(given[1:]), answer(given)]]
    page.goto("/list")
    expect(page.get_by_text("Loading")).to_be_visible()
    assert page.locator("li").count() == 0
    if "SCREENSHOTS" in os.environ:
        page.screenshot(path=f"{os.environ['SCREENSHOTS']}/loading.png")
    slow.gate.set()
    expect(page.locator("li")).to_have_text(["Car", "Book"])
    expect(page.get_by_text("Loading")).to_be_hidden()


def test_values_of_an_event_that_runs_again_are_taken_back(page, slow):
    right = commands(("items", ["right"]))
    slow.rendered = {"items": ["right"]}
    slow.streams = [[*send(commands(("wrong", "wrong"), ("items", ["wrong"]))), slow.gate, server_sent("restart", {}), *send(right), answer(right)]]
    page.goto("/list")
    expect(page.locator("output")).to_have_text("wrong")
    slow.gate.set()
    expect(page.locator("li")).to_have_text(["right"])
    expect(page.locator("output")).to_have_text("")


def test_values_of_an_event_that_fails_are_taken_back(page, slow):
    slow.streams = [[*send(commands(("wrong", "wrong"))), slow.gate, server_sent("problem", {"status": 500, "title": "A title"})]]
    page.goto("/list")
    expect(page.locator("output")).to_have_text("wrong")
    slow.gate.set()
    expect(page.locator("[data-us-live]")).to_have_text("A title")
    expect(page.locator("output")).to_have_text("")


def test_a_stream_that_is_cut_is_repeated_with_its_key(page, slow, server):
    given = commands(("items", ["Car"]))
    slow.rendered = {"items": ["Car"]}
    slow.streams = [[*send(commands(("wrong", "wrong"))), slow.gate], [*send(given), answer(given)]]
    page.goto("/list")
    expect(page.locator("output")).to_have_text("wrong")
    slow.gate.set()
    expect(page.locator("li")).to_have_text(["Car"])
    expect(page.locator("output")).to_have_text("")
    assert len({request.key for request in server.posts()}) == 1 and len(server.posts()) == 2


# MARK: The pages of the server


def log_in(page, program, path="/login"):
    page.goto(f"http://localhost:{program.port}{path}")
    page.get_by_label("Username").fill("batman")
    page.get_by_label("Password").fill("bruce")
    page.get_by_role("button", name="Log in").click()


def test_a_page_of_the_server_is_opened_without_a_request_for_its_state(demonstration, program):
    page = demonstration.new_page()
    requests = []
    page.on("request", lambda request: requests.append((request.method, request.url.rpartition("/")[2], request.resource_type)))
    log_in(page, program)
    page.wait_for_url("**/home")
    expect(page.locator("[data-us-text=username]")).to_have_text("batman")
    requests.clear()
    page.goto(f"http://localhost:{program.port}/register")
    page.get_by_label("User ID").fill("012345678912")
    page.get_by_role("button", name="Register").click()
    expect(page.locator("output")).to_have_text("012345678912")
    assert [request for request in requests if request[2] == "fetch"] == [("POST", "register", "fetch")]


def test_a_session_that_has_ended_leads_to_the_login_and_back_to_what_was_typed(demonstration, program):
    page, other = demonstration.new_page(), demonstration.new_page()
    log_in(page, program)
    page.wait_for_url("**/home")
    page.goto(f"http://localhost:{program.port}/email")
    page.get_by_label("Email").fill("lisa@rules.com")
    expect(page.get_by_role("button", name="Save")).not_to_have_attribute("aria-disabled", "true")
    other.goto(f"http://localhost:{program.port}/home")
    other.get_by_role("button", name="Log out").click()
    other.wait_for_url("**/login")
    link = page.locator("[data-us-live]").get_by_role("link", name="The session has ended")
    expect(link).to_be_visible()
    link.click()
    page.wait_for_url("**/login?_back=%2Femail")
    log_in(page, program, "/login?_back=%2Femail")
    page.wait_for_url("**/email")
    expect(page.get_by_label("Email")).to_have_value("lisa@rules.com")
    expect(page.get_by_role("button", name="Save")).not_to_have_attribute("aria-disabled", "true")
    page.reload()
    assert page.evaluate("Object.keys({...sessionStorage})").count(f"http://localhost:{program.port}//email") == 0


@pytest.mark.parametrize("back", ["//evil.example/", "/%5Cevil.example/", "https://evil.example/"])
def test_a_login_never_leads_to_another_site(demonstration, program, back):
    page = demonstration.new_page()
    log_in(page, program, "/login?_back=" + back)
    page.wait_for_url("**/home")


def test_a_login_takes_one_request_besides_the_page_that_it_leads_to(demonstration, program):
    page = demonstration.new_page()
    page.goto(f"http://localhost:{program.port}/login")
    page.get_by_label("Username").fill("batman")
    page.get_by_label("Password").fill("bruce")
    requests = []
    page.on("request", lambda request: requests.append((request.method, request.url.rpartition("/")[2], request.resource_type)))
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/home")
    expect(page.locator("[data-us-text=username]")).to_have_text("batman")
    assert [request for request in requests if request[2] in ("fetch", "document")] == [("POST", "login", "fetch"), ("GET", "home", "document")]


@pytest.mark.parametrize("is_hidden", [True, False])
@pytest.mark.parametrize("end", ["logout", "server"])
def test_a_page_whose_session_has_ended_elsewhere_says_so_and_shows_nothing_of_the_user(demonstration, program, end, is_hidden):
    page, other = demonstration.new_page(), demonstration.new_page()
    log_in(page, program)
    page.wait_for_url("**/home")
    expect(page.locator("main [data-us-text=username]")).to_have_text("batman")
    if is_hidden:
        set_hidden(page, True)
    if end == "logout":
        other.goto(f"http://localhost:{program.port}/home")
        other.get_by_role("button", name="Log out").click()
        other.wait_for_url("**/login**")
    else:
        assert other.request.delete(f"http://localhost:{program.port}/session").ok
    if is_hidden:
        set_hidden(page, False)
    expect(page.locator("[data-us-live]").get_by_role("link", name="The session has ended. Log in again")).to_be_visible()
    expect(page.get_by_text("batman").and_(page.locator(":visible"))).to_have_count(0)
    # In another tab, the person logs in again.
    log_in(other, program)
    other.wait_for_url("**/home")
    set_hidden(page, True)
    set_hidden(page, False)
    expect(page.locator("main [data-us-text=username]")).to_be_visible()
