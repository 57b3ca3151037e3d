"""Each guarantee of understudy.js, in Chromium."""

import re

import pytest
from playwright.sync_api import expect

from server import PAGES, FakePage, Response, StreamedResponse, render, server_sent

HEAD = '<!DOCTYPE html><html lang="en"><title>Test</title><link rel="icon" href="data:,">' \
    '<script type="module" src="/understudy.js" data-us-timeout="1500"></script><div data-us-live role="status"></div>'
SEARCH = HEAD + '''
<form method="post" action="/search" data-us-page="search" data-us-event="sent">
<label>Text <input name="text" data-us-input="typed" data-us-attribute="value:text"></label> <p data-us-error="text"></p>
<label>Other <input name="other"></label>
<p data-us-text="echo"></p><p data-us-errors></p><button>Send</button></form>'''
EVENTS = {"sent": ["text", "other"], "typed": ["text"]}


@pytest.fixture
def search(server, page):
    """A page that echoes its text. Its status shows that the page has been declared, before anything is typed."""
    server.html["search"] = SEARCH
    fake = FakePage(server, "search", EVENTS, lambda event, values: ([render("echo", f"{event} {values['text']}")], []))
    fake.rendered = {"echo": "ready"}
    page.goto("/search")
    expect(page.locator("[data-us-text=echo]")).to_have_text("ready")
    return fake


def echo(page):
    return page.locator("[data-us-text=echo]")


def live(page):
    return page.locator("[data-us-live]")


def wait_for(page, condition):
    """Waits for a condition of this process, while the browser goes on."""
    for _ in range(500):
        if condition():
            return
        page.wait_for_timeout(10)
    raise AssertionError("the condition is not met")


# MARK: Events


def test_a_login_leads_home_and_on(page, server):
    page.goto("/login")
    page.get_by_label("Username").fill("batman")
    page.get_by_label("Password").fill("joker")
    page.get_by_role("button").click()
    expect(page.locator("[data-us-text=message]")).to_have_text("Wrong username or password")
    page.get_by_label("Password").fill("bruce")
    page.keyboard.press("Enter")
    page.wait_for_url("**/home")
    expect(page.get_by_role("heading")).to_have_text("Welcome batman")
    page.get_by_role("button", name="Products").click()
    page.wait_for_url("**/products")
    page.get_by_role("button", name="Book").click()
    expect(page.get_by_role("dialog")).to_contain_text("Product without description")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Car").click()
    page.wait_for_url("**/product")
    expect(page.get_by_role("heading", level=2)).to_have_text("Car")
    assert not any(b"onStart" in r.body for r in server.posts()), "the server runs the default event of a destination"


def test_a_form_with_data_us_reset_is_empty_after_a_success_and_keeps_what_is_wrong(page, server):
    server.html["wishes"] = HEAD + '''
<form method="post" action="/wishes" data-us-page="wishes" data-us-event="added" data-us-reset="added">
<label>Wish <input name="wish"></label> <p data-us-error="wish"></p> <output data-us-text="last"></output><button>Add</button></form>'''
    errors = [{"code": "wrong", "message": "Too long", "field": "wish"}]
    fake = FakePage(server, "wishes", {"added": ["wish"]}, lambda event, values: ([render("last", values["wish"])], errors * (values["wish"] == "moon")))
    fake.values = {"wish": "train"}
    page.goto("/wishes")
    wish = page.get_by_label("Wish")
    for text, kept in [("moon", "moon"), ("bicycle", "")]:
        wish.fill(text)
        wish.press("Enter")
        expect(page.locator("output")).to_have_text(text)
        expect(wish).to_have_value(kept)
        expect(wish).to_be_focused()


def test_the_hidden_fields_for_browsers_without_javascript_are_not_sent(page, server):
    page.goto("/login")
    page.get_by_role("button").click()
    expect(page.locator("form")).not_to_have_attribute("aria-busy", "true")
    assert server.posts()[0].body == b"username=&password=&event=loginButtonPressed"


def test_an_event_sends_only_the_fields_that_it_reads(page, server):
    page.goto("/signup")
    page.get_by_label("Password").fill("secret")
    page.get_by_label("Name").fill("Lisa")
    wait_for(page, lambda: len(server.posts()) == 3 and server.posts()[2].status)
    assert [r.body for r in server.posts()] == [b"event=viewDidLoad", b"password=secret&event=passwordChanged", b"name=Lisa&event=nameChanged"]


def test_controls_of_all_kinds_are_sent_as_in_a_form(page, server):
    server.html["kinds"] = HEAD + '''<form action="/kinds" method="post" data-us-page="kinds" data-us-event="sent">
        <input name="number" type="number" value="3"><input name="on" type="checkbox" checked><input name="off" type="checkbox">
        <input type="radio" name="size" value="s"><input type="radio" name="size" value="m" checked>
        <select name="colour"><option>red<option selected>blue</select><textarea name="notes">a&#10;b</textarea>
        <input type="file" name="file"><input name="disabled" value="x" disabled><button name="event" value="other">Go</button></form>'''
    names = ["number", "on", "off", "size", "colour", "notes", "file", "disabled"]
    fake = FakePage(server, "kinds", {"sent": [], "other": names}, lambda event, values: ([render("x", 1)], []))
    page.goto("/kinds")
    page.get_by_role("button", name="Go").click()
    wait_for(page, lambda: fake.effects)
    assert fake.effects == [("other", {"number": "3", "on": "on", "off": "false", "size": "m", "colour": "blue", "notes": "a\nb"})]


def test_the_last_of_several_delayed_changes_wins_and_blur_does_not_wait(page, server):
    server.html["search"] = SEARCH.replace("data-us-input", 'data-us-delay="60000" data-us-input')
    fake = FakePage(server, "search", EVENTS, lambda event, values: ([render("echo", values["text"])], []))
    page.goto("/search")
    page.get_by_label("Text").press_sequentially("abc")
    page.get_by_role("button").click()
    expect(echo(page)).to_have_text("abc")
    wait_for(page, lambda: len(fake.effects) == 2)
    assert fake.effects == [("typed", {"text": "abc"}), ("sent", {"text": "abc", "other": ""})], "the submit comes after the change"


def test_a_button_of_a_form_can_have_its_own_event(page, server):
    server.html["search"] = SEARCH.replace("<button>", '<button data-us-click="cleared" data-us-value-text="x">Clear</button><button>')
    fake = FakePage(server, "search", {**EVENTS, "cleared": ["text"]}, lambda event, values: ([render("echo", event)], []))
    page.goto("/search")
    page.get_by_role("button", name="Clear").click()
    expect(echo(page)).to_have_text("cleared")
    assert fake.effects == [("cleared", {"text": "x"})]


def test_dom_events_come_first_and_can_be_cancelled(page, server):
    page.goto("/login")
    page.evaluate("""() => { window.seen = [];
        for (const name of ['goToPage', 'event', 'answer']) addEventListener('understudy:' + name, event => {
            seen.push([name, event.target.localName, JSON.parse(JSON.stringify(event.detail))]);
            if (name === 'goToPage') event.preventDefault(); }); }""")
    page.get_by_label("Username").fill("batman")
    page.get_by_label("Password").fill("bruce")
    page.get_by_role("button").click()
    wait_for(page, lambda: page.evaluate("seen.length") == 3)
    seen = page.evaluate("seen")
    assert [entry[0] for entry in seen] == ["event", "answer", "goToPage"]
    assert {entry[1] for entry in seen} == {"form"}
    assert seen[0][2]["secrets"].count("password") and seen[2][2]["href"] == "/home"
    expect(page.locator("form")).not_to_have_attribute("aria-busy", "true")
    assert page.url.endswith("/login")


@pytest.mark.parametrize("href", ["javascript:alert(1)", "//evil.example/", "/\\evil.example/", "https://evil.example/", "search", None])
def test_an_href_that_is_not_a_path_of_the_origin_is_not_followed(page, server, search, href):
    search.react = lambda event, values: ([{"command": "goToPage", "name": "x", **({"href": href} if href else {})}, render("echo", "here")], [])
    page.evaluate("() => { window.names = []; addEventListener('understudy:goToPage', event => names.push(event.detail.name)); }")
    page.get_by_role("button").click()
    expect(echo(page)).to_have_text("here")
    expect(page.locator("form")).not_to_have_attribute("aria-busy", "true")
    assert page.evaluate("names") == ["x"] and page.url.endswith("/search")


# MARK: One queue for each session


def test_an_event_waits_for_the_one_before_and_unsent_changes_are_merged(page, server, search):
    first = server.fault("delay")
    page.get_by_label("Text").press_sequentially("abcd")
    wait_for(page, lambda: first.hits)
    page.get_by_role("button").click()
    assert len(server.posts()) == 1
    first.release()
    expect(echo(page)).to_have_text("sent abcd")
    assert search.effects == [("typed", {"text": "a"}), ("typed", {"text": "abcd"}), ("sent", {"text": "abcd", "other": ""})]


def test_a_change_after_a_submit_is_not_merged_into_one_before(page, server, search):
    first = server.fault("delay")
    page.get_by_label("Text").press_sequentially("ab")
    page.get_by_role("button").click()
    page.get_by_label("Text").focus()
    page.keyboard.press("End")
    page.keyboard.type("c")
    first.release()
    wait_for(page, lambda: len(search.effects) == 4)
    assert [values["text"] for _, values in search.effects] == ["a", "ab", "ab", "abc"]


def test_nothing_is_dropped_while_offline_and_the_person_is_told(page, server, search):
    server.offline = True
    page.get_by_label("Text").fill("abc")
    page.get_by_role("button").click()
    expect(live(page)).to_contain_text(re.compile("no connection", re.I))
    assert search.effects == []
    server.offline = False
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(echo(page)).to_have_text("sent abc")
    expect(live(page)).to_have_text("")
    assert len(search.effects) == 2


def test_a_browser_asks_before_it_closes_a_tab_with_unsent_events(page, server, search):
    def is_asked():
        return page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    assert not is_asked()
    server.offline = True
    page.get_by_role("button").click()
    expect(live(page)).to_contain_text("No connection")
    assert is_asked()
    server.offline = False
    expect(echo(page)).to_have_text("sent ")
    assert not is_asked()


def test_the_key_survives_a_reload_so_that_there_is_one_effect(page, server, search):
    lost = server.fault("delay", path="/search")
    page.get_by_label("Other").fill("x")
    page.get_by_role("button").click()
    wait_for(page, lambda: search.effects)
    page.reload()
    lost.release()
    wait_for(page, lambda: len(server.posts()) == 2 and server.posts()[1].status)
    assert server.posts()[0].key and server.posts()[0].key == server.posts()[1].key
    expect(page.locator("form")).not_to_have_attribute("aria-busy", "true")
    assert len(search.effects) == 1
    expect(echo(page)).to_have_text("sent ")


def test_a_double_click_is_one_act_however_fast_the_answer_is(page, server, search):
    for delay in (0, 150):
        search.effects.clear()
        page.get_by_role("button").dblclick(delay=delay)
        expect(page.locator("form")).not_to_have_attribute("aria-busy", "true")
        page.wait_for_timeout(50)
        assert len(search.effects) == 1


def test_a_second_submit_while_the_first_waits_is_ignored_and_a_later_one_is_not(page, server, search):
    wait = server.fault("delay")
    for _ in range(3):
        page.get_by_role("button").focus()
        page.keyboard.press("Enter")
    wait.release()
    expect(page.locator("form")).not_to_have_attribute("aria-busy", "true")
    assert len(search.effects) == 1
    page.keyboard.press("Enter")
    wait_for(page, lambda: len(search.effects) == 2)
    assert len({r.key for r in server.posts()}) == 2


def test_secrets_are_never_stored_and_the_person_is_told_after_a_reload(page, server):
    page.goto("/login")
    wait = server.fault("delay")
    page.get_by_label("Username").fill("batman")
    page.get_by_label("Password").fill("joker-secret")
    page.get_by_role("button").click()
    wait_for(page, lambda: wait.hits)
    assert page.evaluate("JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie])").count("joker") == 0
    page.reload()
    wait.release()
    expect(live(page)).to_contain_text("password")
    assert len(server.posts()) == 1


def test_a_secret_that_is_shown_as_text_is_not_stored(page, server):
    page.goto("/login")
    page.get_by_label("Password").fill("joker-secret")
    page.locator("[type=password]").evaluate("element => element.type = 'text'")
    wait = server.fault("delay")
    page.get_by_role("button").click()
    wait_for(page, lambda: wait.hits)
    assert "joker" not in page.evaluate("JSON.stringify({...sessionStorage})")


def test_changes_that_wait_for_their_delay_survive_a_reload(page, server):
    server.html["search"] = SEARCH.replace("data-us-input", 'data-us-delay="60000" data-us-input')
    fake = FakePage(server, "search", EVENTS, lambda event, values: ([render("echo", values["text"])], []))
    page.goto("/search")
    page.get_by_label("Text").fill("abc")
    page.reload()
    expect(echo(page)).to_have_text("abc")
    assert fake.effects == [("typed", {"text": "abc"})]


def test_a_person_who_has_opened_another_page_stays_there(page, server, search):
    server.html["other"] = HEAD + "<h1>Other</h1>"
    search.react = lambda event, values: ([{"command": "goToPage", "name": "home", "href": "/home"}], [])
    server.fault("drop-response", times=2)
    page.get_by_role("button").click()
    wait_for(page, lambda: search.effects)
    page.goto("/other")
    stored = {"queue": None}
    wait_for(page, lambda: stored.update(page.evaluate("JSON.parse(Object.values({...sessionStorage})[0])")) or stored["queue"] == [])
    assert "destination" not in stored and len(search.effects) == 1


def test_what_a_person_does_before_a_page_changes_is_sent_first(page, server, search):
    search.react = lambda event, values: ([{"command": "goToPage", "name": "login", "href": "/login"}] if event == "sent" else [], [])
    wait = server.fault("delay")
    page.get_by_role("button").click()
    wait_for(page, lambda: wait.hits)
    page.get_by_label("Text").fill("late")
    wait.release()
    page.wait_for_url("**/login")
    assert [event for event, _ in search.effects] == ["sent", "typed"]


# MARK: Sequence


def test_an_answer_after_a_gap_is_completed_from_the_history(page, server, search):
    search.give([render("echo", "of the other tab"), {"command": "showAlert", "message": "Not for this tab"}])
    search.react = lambda event, values: ([render("text", "answer")], [])
    page.get_by_label("Other").focus()
    page.get_by_role("button").click()
    expect(echo(page)).to_have_text("of the other tab")
    expect(page.get_by_label("Text")).to_have_value("answer")
    assert [r.target for r in server.requests if r.path == "/session/history"] == ["/session/history?since=0"]
    assert page.get_by_role("dialog").count() == 0


def test_an_earlier_answer_never_replaces_a_later_one(page, server, search):
    held = server.fault("delay", path="/search")
    page.get_by_role("button").click()
    wait_for(page, lambda: search.effects)
    search.give([render("echo", "later")])
    page.reload()
    held.release()
    # The answer to the repeated event is older than what the page shows.
    wait_for(page, lambda: len(server.posts()) == 2 and server.posts()[1].status)
    expect(page.locator("form")).not_to_have_attribute("aria-busy", "true")
    assert echo(page).text_content() == "later"


def test_a_gap_that_the_history_no_longer_has_is_filled_from_the_page(page, server, search):
    server.answers["/session/history"] = lambda request: Response.json({"title": "Gone", "status": 410, "code": "historyGone"}, 410)
    search.give([render("echo", "of the other tab")])
    search.react = lambda event, values: ([render("text", "answer")], [])
    page.get_by_role("button").click()
    expect(echo(page)).to_have_text("of the other tab")


def test_two_tabs_of_a_session_show_the_same_in_the_end(context, server, page):
    page.goto("/register")
    other = context.new_page()
    other.goto("/register")
    page.get_by_label("User ID").fill("012345678912")
    page.get_by_role("button").click()
    expect(page.locator("output")).to_have_text("012345678912")
    other.get_by_label("User ID").fill("1")
    other.get_by_role("button").click()
    expect(other.locator("p[data-us-error]")).to_contain_text("twelve digits")
    page.get_by_label("User ID").fill("2")
    page.get_by_role("button").click()
    expect(page.locator("p[data-us-error]")).to_contain_text("twelve digits")
    expect(page.locator("output")).to_have_text("")


def test_a_page_from_the_cache_for_back_and_forward_is_shown_as_it_is_now(page, server, search):
    server.html["other"] = HEAD + "<h1>Other</h1>"
    page.evaluate("window.isSame = true")
    page.goto("/other")
    search.give([render("echo", "later")])
    page.go_back(wait_until="commit")
    expect(echo(page)).to_have_text("later")
    assert page.evaluate("window.isSame"), "the browser has not used its cache"


# MARK: What the person is typing


def test_what_a_person_has_typed_since_is_not_overwritten(page, server, search):
    search.react = lambda event, values: ([render("text", values["text"].upper()), render("echo", event)], [])
    wait = server.fault("delay")
    page.get_by_label("Text").press_sequentially("ab")
    page.get_by_label("Other").focus()
    wait_for(page, lambda: wait.hits)
    page.get_by_label("Other").press_sequentially("x")
    wait.release()
    expect(page.get_by_label("Text")).to_have_value("AB")
    expect(page.get_by_label("Other")).to_have_value("x")
    expect(page.get_by_label("Other")).to_be_focused()
    page.get_by_label("Text").focus()
    page.keyboard.press("End")
    page.keyboard.type("c")
    wait_for(page, lambda: len(search.effects) == 3)
    expect(page.get_by_label("Text")).to_have_value("ABc")


def test_what_was_typed_before_the_module_arrived_stays(page, server, search):
    search.values = {"text": "of the server", "other": "of the server"}
    held = server.fault("delay", method="GET", path="/search")
    page.goto("/search", wait_until="commit")
    page.get_by_label("Text").fill("mine")
    held.release()
    expect(page.get_by_label("Other")).to_have_value("of the server")
    expect(page.get_by_label("Text")).to_have_value("mine")


def test_focus_goes_to_the_first_field_with_an_error_only_after_a_submit(page, server, search):
    errors = [{"field": "other", "message": "Other is wrong"}, {"field": "text", "message": "Text is wrong"}, {"message": "All is wrong"}]
    search.react = lambda event, values: ([], errors)
    page.get_by_label("Other").focus()
    page.get_by_label("Text").evaluate("element => { element.value = 'a'; element.dispatchEvent(new Event('input', { bubbles: true })); }")
    expect(page.get_by_label("Text")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Other")).to_be_focused()
    page.get_by_role("button").click()
    expect(page.get_by_label("Text")).to_be_focused()
    described = page.get_by_label("Text").get_attribute("aria-describedby").split()[-1]
    assert page.locator(f"[id='{described}']").text_content() == "Text is wrong"
    assert page.locator("[data-us-errors]").text_content() == "Other is wrong All is wrong"
    assert live(page).text_content() == "Other is wrong All is wrong"
    search.react = lambda event, values: ([], [])
    page.get_by_role("button").click()
    expect(page.get_by_label("Text")).not_to_have_attribute("aria-invalid", "true")
    assert page.locator("[data-us-error]").text_content() == ""
    assert page.locator("[data-us-errors]").text_content() == ""


def test_focus_does_not_follow_an_error_if_the_person_has_moved_on(page, server, search):
    search.react = lambda event, values: ([], [{"field": "text", "message": "Wrong"}])
    wait = server.fault("delay")
    page.get_by_role("button").click()
    page.get_by_label("Other").focus()
    wait.release()
    expect(page.get_by_label("Text")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Other")).to_be_focused()


def test_controls_show_that_they_wait_and_keep_the_focus(page, server, search):
    wait = server.fault("delay")
    page.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(page.locator("form")).to_have_attribute("aria-busy", "true")
    expect(page.get_by_role("button")).to_have_attribute("aria-disabled", "true")
    assert page.get_by_role("button").get_attribute("disabled") is None
    wait.release()
    expect(page.locator("form")).not_to_have_attribute("aria-busy", "true")
    assert page.get_by_role("button").get_attribute("aria-disabled") is None
    expect(page.get_by_role("button")).to_be_focused()


def test_a_focused_control_never_gets_disabled(page, server):
    server.html["search"] = SEARCH.replace("<button>", '<button data-us-attribute="disabled:isOff">')
    FakePage(server, "search", EVENTS, lambda event, values: ([render("isOff", True)], []))
    page.goto("/search")
    page.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("form")).not_to_have_attribute("aria-busy", "true")
    assert page.get_by_role("button").get_attribute("disabled") is None
    expect(page.get_by_role("button")).to_be_focused()


def test_a_control_that_was_disabled_while_focused_works_again(page, server):
    server.html["search"] = SEARCH.replace("<button>", '<button data-us-attribute="disabled:isOff">')
    fake = FakePage(server, "search", EVENTS, lambda event, values: ([render("isOff", event == "sent")], []))
    page.goto("/search")
    page.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button")).to_have_attribute("aria-disabled", "true")
    page.get_by_label("Text").fill("a")
    expect(page.get_by_role("button")).not_to_have_attribute("aria-disabled", "true")
    page.get_by_role("button").click()
    wait_for(page, lambda: [event for event, _ in fake.effects] == ["sent", "typed", "sent"])


def test_a_submit_button_can_be_enabled_by_a_change_that_still_waits(page, server):
    page.goto("/email")
    expect(page.get_by_role("button")).to_have_attribute("aria-disabled", "true")
    wait = server.fault("delay")
    page.get_by_label("Email").fill("lisa@rules.com")
    wait_for(page, lambda: wait.hits)
    page.keyboard.press("Enter")
    wait.release()
    # The home page of a person who is not logged in leads to the login.
    page.wait_for_url("**/login")
    assert [r.body for r in server.posts("/email")][-1] == b"event=saveButtonPressed"


# MARK: Outputs


def test_a_link_contains_values_encoded(page, server):
    server.html["list"] = HEAD + """<form data-us-page="list"><output data-us-text="title"></output><a id="top" data-us-attribute="href:/page?title={title}"></a>
        <div data-us-list="items"><template><a data-us-attribute="href:/product?product={owner.name}&amp;n={n}"></a></template></div></form>"""
    fake = FakePage(server, "list", EVENTS, lambda event, values: ([], []))
    fake.rendered = {"title": "a&b", "items": [{"owner": {"name": "Salt & Pepper#1"}, "n": 1}, {"owner": None, "n": None}]}
    page.goto("/list")
    expect(page.locator("#top")).to_have_attribute("href", "/page?title=a%26b")
    links = page.locator("[data-us-list] a")
    expect(links).to_have_count(2)
    assert links.evaluate_all("links => links.map(link => link.getAttribute('href'))") == [
        "/product?product=Salt%20%26%20Pepper%231&n=1", "/product?product=&n="]
    # It has no name, so that no value is one of it.
    expect(page.locator("output")).to_have_text("a&b")


def test_lists_come_from_a_template_and_keep_the_focus(page, server):
    server.html["list"] = HEAD + '''<div data-us-page="list"><ul data-us-list="items"><template><li data-us-attribute="id:id"><b data-us-text="name"></b>
        <button type="button" data-us-click="chosen" data-us-attribute="data-us-value-itemID:id, title:owner.name, aria-pressed:isOn">Choose</button>
        <i data-us-list="tags"><template><s data-us-text="."></s></template></i></li></template></ul><p data-us-text="items.length"></p></div>'''
    fake = FakePage(server, "list", {"chosen": ["itemID"]}, lambda event, values: ([render("items", items[: int(values["itemID"])])], []))
    items = [{"id": n, "name": f"<b>{n}</b>", "owner": {"name": "'\"<"}, "isOn": n == 1, "tags": ["x", n]} for n in (1, 2, 3)]
    fake.rendered = {"items": items}
    page.goto("/list")
    expect(page.locator("li")).to_have_count(3)
    assert page.locator("li b").all_text_contents() == ["<b>1</b>", "<b>2</b>", "<b>3</b>"]
    assert page.locator("li s").all_text_contents() == ["x", "1", "x", "2", "x", "3"]
    assert page.locator("button").nth(0).get_attribute("title") == "'\"<"
    assert page.locator("[aria-pressed=true]").count() == 1
    expect(page.locator("p")).to_have_text("3")
    page.locator("button").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator("li")).to_have_count(2)
    expect(page.locator("button").nth(1)).to_be_focused()
    assert fake.effects == [("chosen", {"itemID": "2"})]


def test_no_value_becomes_html_or_a_script(page, server):
    server.html["search"] = SEARCH + '''<div data-us-page="search"><a data-us-attribute="href:link">Link</a>
        <p data-us-attribute="hidden:!shown, title:html" id="p"></p><p id="deep" data-us-text="constructor.name"></p></div>'''
    html = "<img src=x onerror=alert(1)>"
    fake = FakePage(server, "search", EVENTS, lambda event, values: ([render("link", " java\nscript:alert(1)"), render("echo", html)], []))
    fake.rendered = {"link": "/home", "html": html, "shown": False, "echo": html}
    page.goto("/search")
    expect(echo(page)).to_have_text(html)
    expect(page.get_by_role("link")).to_have_attribute("href", "/home")
    expect(page.locator("#p")).to_be_hidden()
    assert page.locator("#p").get_attribute("title") == html
    page.get_by_role("button").click()
    expect(page.locator("a")).not_to_have_attribute("href", re.compile(".*"))
    assert page.locator("img").count() == 0


def test_alerts_are_dialogs_one_after_the_other(page, server, search):
    search.react = lambda event, values: ([{"command": "showAlert", "message": text, "code": "x"} for text in ("One", "Two")], [])
    page.get_by_role("button").focus()
    page.keyboard.press("Enter")
    for text in ("One", "Two"):
        expect(page.get_by_role("dialog", name=text)).to_be_visible()
        assert page.evaluate("document.querySelector('dialog').matches(':modal')")
        page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Send")).to_be_focused()


def test_a_boolean_attribute_follows_the_truth_of_its_value_and_a_class_can_be_switched(page, server, search):
    server.html["search"] = SEARCH + """<div data-us-page="search"><p id="empty" data-us-attribute="hidden:items">Empty</p>
        <p id="count" data-us-attribute="hidden:!count, class.big:count">Count</p></div>"""
    search.rendered = {"items": [], "count": 0, "echo": "x"}
    search.react = lambda event, values: ([render("items", ["a"]), render("count", 1)], [])
    page.goto("/search")
    expect(echo(page)).to_have_text("x")
    expect(page.locator("#empty")).to_be_visible()
    expect(page.locator("#count")).to_be_hidden()
    page.get_by_role("button").click()
    expect(page.locator("#empty")).to_be_hidden()
    expect(page.locator("#count")).to_have_class("big")


def test_a_row_of_a_keyed_list_keeps_its_input_and_focus_when_another_one_goes(page, server, search):
    server.html["search"] = SEARCH + """<div data-us-page="search">
        <div data-us-list="items" data-us-key="name"><template><p><b data-us-text="name"></b><input></p></template></div></div>"""
    items = [{"name": name} for name in "abc"]
    search.rendered = {"items": items}
    page.goto("/search")
    expect(page.locator("b")).to_have_text(["a", "b", "c"])
    page.locator("[data-us-list] input").nth(1).fill("of b")
    search.give([render("items", [{"name": "x"}, items[2], items[1]])])
    search.react = lambda event, values: ([], [])
    page.locator("form").evaluate("form => form.requestSubmit()")
    expect(page.locator("b")).to_have_text(["x", "c", "b"])
    expect(page.locator("[data-us-list] input").nth(2)).to_have_value("of b")
    expect(page.locator("[data-us-list] input").nth(2)).to_be_focused()
    expect(page.locator("[data-us-list] input").nth(1)).to_have_value("")


def test_a_row_follows_its_id_and_shows_what_is_in_it_also_in_a_form_of_its_own(page, server, search):
    server.html["search"] = SEARCH + """<div data-us-page="search"><ul data-us-list="items"><template><li><form action="/search" data-us-page="search"
        data-us-event="sent"><b data-us-text="name"></b><input name="other" aria-label="Other" data-us-attribute="value:id"></form></li></template></ul></div>"""
    items = [{"id": n, "name": name} for n, name in enumerate("abc")]
    search.rendered = {"items": items, "name": "of the page"}
    search.react = lambda event, values: ([render("name", "again"), render("items", items[1:])], [])
    page.goto("/search")
    expect(page.locator("li b")).to_have_text(["a", "b", "c"])
    page.locator("li input").nth(1).evaluate("input => { input.dataset.mark = 'b'; input.focus(); }")
    page.keyboard.press("Enter")
    expect(page.locator("li b")).to_have_text(["b", "c"])
    expect(page.locator("li input").nth(0)).to_be_focused()
    assert search.effects == [("sent", {"other": "1"})]


def test_a_value_is_written_by_its_declared_type_in_the_language_of_the_page(page, server, search):
    keys = ["total", "day", "placed", "later", "size", "orders", "tags", "none"]
    server.html["search"] = ('<head><script type="application/json" data-us-declaration data-us-choices=\'{"orders.size": {"large": "Large"}}\'></script></head>'
                             + SEARCH + '<div data-us-page="search">' + "".join(f'<i data-us-text="{key}"></i>' for key in keys)
                             + '<ul data-us-list="orders"><template><li data-us-text="size"></li></template></ul></div>')
    time, order = {"type": "string", "format": "date-time"}, {"type": "object", "properties": {"size": {"enum": ["large"]}, "paid": {"format": "decimal"}}}
    search.outputs = [{"key": "total", "schema": {"type": "number", "format": "decimal"}}, {"key": "day", "schema": {"type": "string", "format": "date"}},
                      {"key": "placed", "schema": time}, {"key": "later", "schema": time}, {"key": "orders", "schema": {"type": "array", "items": order}}]
    search.rendered = {"echo": "ready", "total": 900.5, "day": "2027-03-01", "placed": "2027-03-02T08:03:00.123Z", "later": "2027-03-01T23:59:00Z",
                       "size": "large", "orders": [{"size": "large", "paid": 2}, {"size": "?", "paid": None}], "tags": ["a", 1], "none": None}
    page.clock.set_fixed_time("2027-03-02T14:03:00Z")
    expected = {"en": ["900.50", "Mar 1, 2027", "today, 8:03 AM", "yesterday, 11:59 PM"], "de": ["900,50", "01.03.2027", "heute, 08:03", "gestern, 23:59"]}
    for language, texts in expected.items():
        server.html["search"] = re.sub('lang="..">', f'lang="{language}">', server.html["search"])
        page.goto("/search")
        expect(echo(page)).to_have_text("ready")
        shown = [text.replace("\u202f", " ") for text in page.locator("i").all_text_contents()]
        assert shown == [*texts, "large", f"Large, {'2.00' if language == 'en' else '2,00'}; ?", "a, 1", ""]
        assert page.locator("li").all_text_contents() == ["Large", "?"]


def test_a_conditional_element_that_the_server_has_shown_is_that_of_its_template(page, server, search):
    server.html["search"] = SEARCH + """<div data-us-page="search"><template data-us-if="found"><p class="found" data-us-text="name"></p></template><p
        data-us-shown class="found">Lisa</p></div>"""
    search.rendered = {"name": "Lisa", "found": True, "echo": "x"}
    search.react = lambda event, values: ([render("found", False)], [])
    page.goto("/search")
    expect(echo(page)).to_have_text("x")
    expect(page.locator(".found")).to_have_count(1)
    page.get_by_role("button").click()
    expect(page.locator(".found")).to_have_count(0)


def test_a_script_sends_events_and_follows_a_page_without_elements(page, server, search):
    fake = FakePage(server, "bare", {"added": ["lines", "name"]}, lambda event, values: ([render("count", len(fake.effects))], []))
    fake.rendered = {"count": 0}
    page.evaluate("""async () => {
        const { send, subscribe } = await import('/understudy.js');
        window.seen = [];
        window.end = subscribe('bare', values => seen.push(values.count));
        window.add = async () => (await send('bare', 'added', { name: 'Lisa', lines: [{ size: 1 }, { size: 2 }], unknown: 1 })).commands[0].value;
    }""")
    wait_for(page, lambda: page.evaluate("seen.at(-1) === 0"))
    assert page.evaluate("Promise.all([add(), add()])") == [1, 2]
    assert fake.effects == [("added", {"name": "Lisa", "lines.0.size": "1", "lines.1.size": "2"})] * 2
    seen = page.evaluate("end(), seen")
    assert seen[-1] == 2 and sorted(seen) == seen
    page.evaluate("add()")
    assert page.evaluate("seen") == seen
    server.fault("status", path="/bare", status=422)
    assert page.evaluate("import('/understudy.js').then(({ send }) => send('bare', 'added'))")["title"] == "A title"


def test_a_value_that_arrives_before_the_answer_is_an_event_once(page, server, search):
    page.evaluate("window.seen = []; addEventListener('understudy:render', ({ detail }) => seen.push(detail.values.echo))")
    command = {"sequence": 1, "page": "search", **render("echo", "early")}
    answer = {"ok": True, "sequence": 1, "commands": [command]}
    search.react = lambda event, values: StreamedResponse([server_sent("command", command), server_sent("answer", answer)])
    page.get_by_role("button").click()
    expect(echo(page)).to_have_text("early")
    expect(page.locator("form")).not_to_have_attribute("aria-busy", "true")
    assert page.evaluate("seen") == ["early"]


def test_a_conditional_element_exists_only_while_its_value_is_true(page, server, search):
    server.html["search"] = SEARCH + """<div data-us-page="search"><template data-us-if="found"><p id="found" data-us-text="name"></p></template>
        <template data-us-if="!found"><p id="none">None</p></template></div>"""
    search.rendered = {"name": "Lisa", "found": False, "echo": "x"}
    search.react = lambda event, values: ([render("found", values["text"] == "yes")], [])
    page.goto("/search")
    expect(page.locator("#none")).to_be_visible()
    expect(page.locator("#found")).to_have_count(0)
    page.get_by_label("Text").fill("yes")
    expect(page.locator("#found")).to_have_text("Lisa")
    expect(page.locator("#none")).to_have_count(0)
    page.get_by_label("Text").fill("no")
    expect(page.locator("#found")).to_have_count(0)


def test_a_local_value_is_shown_and_never_sent(page, server, search):
    server.html["search"] = SEARCH.replace("<button>", """<label><input type="checkbox" data-us-local="isOpen">More</label>
        <p id="more" data-us-attribute="hidden:!isOpen">More</p><button>""")
    page.goto("/search")
    expect(page.locator("#more")).to_be_hidden()
    page.get_by_label("More").check()
    expect(page.locator("#more")).to_be_visible()
    page.get_by_role("button").click()
    wait_for(page, lambda: search.effects)
    assert search.effects == [("sent", {"text": "", "other": ""})]
    expect(page.locator("#more")).to_be_visible()


def test_an_element_that_is_inserted_later_loads(page, server, search):
    search.events.append({"event": "loads", "default": False, "reads": [], "secret": [], "safe": True})
    search.react = lambda event, values: ([render("echo", event)], [])
    page.evaluate("""() => { const element = document.createElement('p');
        element.dataset.usPage = 'search'; element.dataset.usLoad = 'loads'; document.body.append(element); }""")
    wait_for(page, lambda: search.effects)
    expect(echo(page)).to_have_text("loads")
    assert search.effects == [("loads", {})]


def test_an_event_that_is_not_declared_as_safe_does_not_run_on_load(page, server, search):
    search.events.append({"event": "loads", "default": False, "reads": [], "secret": [], "safe": True})
    search.react = lambda event, values: ([render("echo", event)], [])
    warnings = []
    page.on("console", lambda message: warnings.append(message.text) if message.type == "warning" else None)
    # The markup of an attacker can name an event, declare it, and name another page.
    page.evaluate("""() => {
        for (const [name, url] of [['sent', '/search'], ['unknown', '/search'], ['sent', '/search?again'], ['loads', '/search']]) {
            const form = document.createElement('form');
            Object.assign(form.dataset, { usPage: 'search', usLoad: name });
            form.action = url;
            form.innerText = 'x';
            document.body.append(form);
        } }""")
    expect(echo(page)).to_have_text("loads")
    assert search.effects == [("loads", {})]
    assert len(warnings) == 3


def test_the_declaration_of_the_server_is_before_all_that_a_client_enters(page, server):
    html = page.request.get(f"http://localhost:{server.program}/login", headers={"Accept": "text/html"}).text()
    assert html.index("data-us-declaration") < html.index("<title>")
    assert html.count("data-us-declaration") == 1


def test_each_command_that_is_shown_is_a_dom_event_and_an_answer_has_the_key_of_its_event(page, server, search):
    page.evaluate("""() => { window.seen = {};
        for (const name of ['event', 'answer', 'render']) addEventListener('understudy:' + name, ({ detail }) => {
            seen[name] = name === 'render' ? detail : { key: detail.key, url: detail.url }; }); }""")
    page.get_by_role("button").click()
    expect(echo(page)).to_have_text("sent ")
    seen = page.evaluate("seen")
    assert seen["event"]["key"] == seen["answer"]["key"] == server.posts()[0].key
    assert seen["event"]["url"] == seen["answer"]["url"] == f"http://localhost:{server.port}/search"
    assert seen["render"] == {"page": "search", "values": {"echo": "sent "}}


def test_a_submit_with_other_values_while_the_first_waits_is_sent_after_it(page, server, search):
    wait = server.fault("delay", path="/search")
    for text in ("a", "b", "c"):
        page.get_by_label("Other").fill(text)
        page.keyboard.press("Enter")
        wait_for(page, lambda: wait.hits)
    wait.release()
    expect(page.locator("form")).not_to_have_attribute("aria-busy", "true")
    assert [values["other"] for _, values in search.effects] == ["a", "c"], "one that has not been tried is replaced"


def test_a_control_that_waits_for_long_is_marked(page, server, search):
    wait = server.fault("delay")
    page.get_by_role("button").click()
    expect(page.get_by_role("button")).to_have_attribute("data-us-pending", "")
    wait.release()
    expect(page.get_by_role("button")).not_to_have_attribute("data-us-pending", "")


def test_an_event_can_need_a_confirmation(page, server, search):
    server.html["search"] = SEARCH.replace("<button>", '<button data-us-confirm="Really?">')
    page.goto("/search")
    expect(echo(page)).to_have_text("ready")
    for name in ("Cancel", "OK"):
        page.get_by_role("button", name="Send").click()
        expect(page.get_by_role("dialog", name="Really?")).to_be_visible()
        assert search.effects == []
        page.get_by_role("button", name=name).click()
    expect(echo(page)).to_have_text("sent ")
    assert len(search.effects) == 1


def test_a_file_is_rejected_with_a_message(page, server, search):
    server.html["search"] = SEARCH.replace("<button>", '<input type="file" name="photo" aria-label="Photo"><p data-us-error="photo"></p><button>')
    page.goto("/search")
    expect(echo(page)).to_have_text("ready")
    page.get_by_label("Photo").set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": b"x"})
    page.get_by_role("button", name="Send").click()
    expect(page.locator("[data-us-error=photo]")).to_have_text("Files cannot be sent.")
    assert search.effects == []


def test_an_alert_before_another_page_is_shown_there_once(page, server, search):
    server.html["other"] = SEARCH + "<h1>Other</h1>"
    search.react = lambda event, values: ([{"command": "showAlert", "message": "Saved", "code": "x"},
                                           {"command": "goToPage", "name": "other", "href": "/other"}], [])
    page.get_by_role("button").click()
    page.wait_for_url("**/other")
    expect(page.get_by_role("dialog", name="Saved")).to_be_visible()
    page.keyboard.press("Escape")
    page.reload()
    expect(echo(page)).to_have_text("ready")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_names_of_pages_can_be_mapped_to_addresses_of_the_site(page, server, search):
    server.html["search"] = SEARCH.replace("data-us-timeout", """data-us-server="/" data-us-pages='{"help": "start"}' data-us-timeout""")
    server.html["start"] = HEAD + "<h1>Start</h1>"
    search.react = lambda event, values: ([{"command": "goToPage", "name": "help", "href": "/help"}], [])
    page.goto("/search")
    expect(echo(page)).to_have_text("ready")
    page.get_by_role("button").click()
    page.wait_for_url("**/start")


# MARK: Problems


def test_a_problem_is_shown_and_the_queue_continues(page, server, search):
    wait = server.fault("status", path="/search", status=422)
    page.get_by_label("Text").fill("a")
    page.get_by_role("button").click()
    expect(echo(page)).to_have_text("sent a")
    assert wait.hits == 1 and [event for event, _ in search.effects] == ["sent"]


@pytest.mark.parametrize("status", [404, 413, 422, 500])
def test_a_problem_of_an_act_is_shown_at_the_form(page, server, search, status):
    server.fault("status", status=status)
    page.get_by_role("button").click()
    expect(page.locator("[data-us-errors]")).to_have_text("A title")
    expect(live(page)).to_have_text("A title")


@pytest.mark.parametrize("status", [429, 503])
def test_an_event_that_the_server_cannot_run_now_is_sent_again_with_its_key(page, server, search, status):
    server.fault("status", status=status, retry_after=1)
    page.get_by_role("button").click()
    expect(live(page)).to_contain_text("busy")
    expect(echo(page)).to_have_text("sent ")
    assert len({r.key for r in server.posts()}) == 1 and len(search.effects) == 1


def test_a_person_does_not_wait_for_minutes(page, server, search):
    server.fault("status", status=429, retry_after=900)
    page.get_by_role("button").click()
    expect(page.locator("[data-us-errors]")).to_have_text("A title")


def test_a_session_that_has_ended_is_said_and_a_new_one_begins(page, server, program):
    page.goto("/register")
    page.get_by_label("User ID").fill("012345678912")
    page.get_by_role("button").click()
    expect(page.locator("output")).to_have_text("012345678912")
    program.kill()
    program.start()
    page.get_by_label("User ID").fill("12")
    page.get_by_role("button").click()
    expect(page.locator("p[data-us-error]")).to_contain_text("twelve digits")
    expect(page.locator("output")).to_have_text("")
    page.get_by_label("User ID").fill("012345678912")
    page.get_by_role("button").click()
    expect(page.locator("output")).to_have_text("012345678912")


def test_401_drops_what_waits_and_says_so(page, server, search):
    server.fault("status", status=401)
    page.get_by_label("Text").fill("abc")
    expect(live(page)).to_contain_text("session has ended")
    expect(page.locator("form")).not_to_have_attribute("aria-busy", "true")
    expect(page.get_by_label("Text")).to_have_value("abc")
    page.get_by_role("button").click()
    expect(echo(page)).to_have_text("sent abc")


# MARK: Other origins


def test_a_page_of_another_origin_uses_a_token(page, server):
    html = (server_page("login") + server_page("home")).replace('data-us-server="/"', 'data-us-server="{{server}}"')
    server.html["login"] = html.split("<!--split-->")[0]
    server.html["home"] = html.split("<!--split-->")[1]
    page.goto(f"http://127.0.0.1:{server.other_port}/login")
    server.fault("drop-response", path="/login")
    page.get_by_label("Username").fill("batman")
    page.get_by_label("Password").fill("bruce")
    page.get_by_role("button").click()
    page.wait_for_url("**/home")
    assert page.url.startswith("http://127.0.0.1")
    expect(page.get_by_role("heading")).to_have_text("Welcome batman")
    page.reload()
    expect(page.get_by_role("heading")).to_have_text("Welcome batman")
    tokens = [r.headers.get("authorization") for r in server.posts() if r.path == "/login"]
    assert len(tokens) == 2 and tokens[0] == tokens[1]
    assert page.context.cookies() == []


def server_page(name):
    return (PAGES / f"{name}.html").read_text() + "<!--split-->"


def test_a_form_that_posts_to_another_origin_is_not_bound(page, server):
    server.html["evil"] = SEARCH.replace('action="/search"', 'action="https://evil.example/search"')
    FakePage(server, "search", EVENTS, lambda event, values: ([], []))
    page.goto("/evil")
    page.get_by_label("Text").fill("abc")
    expect(page.locator("form")).not_to_have_attribute("aria-busy", "true")
    assert server.posts() == [] and "abc" not in page.evaluate("JSON.stringify({...sessionStorage})")


def test_the_module_runs_under_the_strict_policy(context, server):
    page = context.new_page()
    page.goto("/login")
    policy = page.request.get("/login", headers={"Accept": "text/html"}).headers["content-security-policy"]
    assert policy.startswith("default-src 'self'; ") and "require-trusted-types-for 'script'" in policy and "unsafe" not in policy
    with pytest.raises(Exception, match="TrustedHTML"):
        page.evaluate("document.body.innerHTML = '<b>'")


# MARK: Rows

ORDER = HEAD + '''
<form method="post" action="/order" data-us-page="order" data-us-event="ordered">
<fieldset data-us-rows="lines" data-us-minimum="0" data-us-maximum="3"><legend>Lines</legend><input type="hidden" name="lines" value="">
<template><div data-us-row><span data-us-number>1</span>
<label>Product <input name="lines.0.product" id="lines.0.product"></label> <p data-us-error="lines.0.product"></p>
<label>Size <select name="lines.0.size"><option>small</option><option>large</option></select></label>
<label>Hot <input type="checkbox" name="lines.0.isHot"></label>
<button name="_remove" value="lines.0" data-us-repeat>Remove</button></div></template>
<button name="_add" value="lines" data-us-repeat>Add a line</button></fieldset>
<fieldset data-us-rows="tags"><legend>Tags</legend><input type="hidden" name="tags" value="">
<template><div data-us-row><label>Tag <input name="tags" aria-describedby="error-tags.0"></label>
<p id="error-tags.0" data-us-error="tags.0"></p><button name="_remove" value="tags.0">Remove</button></div></template>
<button name="_add" value="tags" data-us-repeat>Add a tag</button></fieldset>
<p data-us-errors></p><button>Order</button></form>
<p data-us-page="order" data-us-text="size" data-us-texts='{"large": "L", "false": "No"}'></p>'''


@pytest.fixture
def order(server, page):
    """A page with rows, which shows the size of the first one."""
    server.html["order"] = ORDER
    fake = FakePage(server, "order", {"ordered": ["lines", "tags"]},
                    lambda event, values: ([render("size", values.get("lines.0.size", "none"))], []))
    fake.rendered = {"size": "ready"}
    page.goto("/order")
    expect(page.get_by_text("ready")).to_be_visible()
    return fake


def press(page, name, index=0):
    page.get_by_role("button", name=name, exact=True).nth(index).click()


def test_rows_are_added_and_removed_without_the_server_and_sent_as_paths(page, order, server):
    requests = len(server.requests)
    for product in ["tea", "milk", "cake"]:
        press(page, "Add a line")
        page.keyboard.type(product)
    expect(page.get_by_role("button", name="Add a line")).to_be_hidden()
    press(page, "Remove", 1)
    expect(page.locator("[data-us-number]")).to_have_text(["1", "2"])
    expect(page.locator("[id='lines.1.product']")).to_have_value("cake")
    page.get_by_label("Size").nth(0).select_option("large")
    page.get_by_label("Hot").nth(1).check()
    press(page, "Add a tag")
    page.keyboard.type("x")
    press(page, "Add a tag")
    page.keyboard.type("y")
    assert len(server.requests) == requests
    press(page, "Order")
    wait_for(page, lambda: order.effects)
    assert order.effects == [("ordered", {
        "lines.0.product": "tea", "lines.0.size": "large", "lines.0.isHot": "false",
        "lines.1.product": "cake", "lines.1.size": "small", "lines.1.isHot": "on", "tags": ["x", "y"]})]
    expect(page.get_by_text("L", exact=True)).to_be_visible()


def test_a_list_without_rows_is_sent_as_an_empty_text(page, order):
    press(page, "Add a tag")
    press(page, "Remove")
    press(page, "Order")
    wait_for(page, lambda: order.effects)
    assert order.effects == [("ordered", {"lines": "", "tags": ""})]


def test_each_error_of_a_problem_is_at_its_control(page, order):
    errors = [{"pointer": "/lines/1/product", "field": "lines", "message": "Too long."},
              {"pointer": "/tags/1", "field": "tags", "message": "Unknown tag."}, {"pointer": "/other", "field": "other", "message": "What?"}]
    order.react = lambda event, values: Response.json({"code": "valueTooLong", "title": "Wrong", "errors": errors}, status=422)
    for name in ["Add a line", "Add a line", "Add a tag", "Add a tag"]:
        press(page, name)
    press(page, "Order")
    expect(page.locator("[data-us-error='lines.1.product']")).to_have_text("Too long.")
    expect(page.locator("[id='lines.1.product']")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("[id='lines.1.product']")).to_be_focused()
    expect(page.get_by_label("Tag").nth(1)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Tag").nth(0)).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator("[data-us-errors]")).to_have_text("What?")
    order.react = lambda event, values: ([], [])
    press(page, "Order")
    expect(page.locator("[data-us-error='lines.1.product']")).to_have_text("")
    expect(page.get_by_label("Tag").nth(1)).not_to_have_attribute("aria-invalid", "true")


def test_a_page_that_is_opened_has_a_row_for_each_value(page, order):
    order.values = {"lines": [{"product": "tea", "size": "large", "isHot": True}, {"product": "milk", "size": "small"}], "tags": ["x", "y"]}
    order.rendered = {"size": False}
    page.reload()
    expect(page.get_by_text("No", exact=True)).to_be_visible()
    expect(page.locator("[id='lines.1.product']")).to_have_value("milk")
    expect(page.get_by_label("Size").nth(0)).to_have_value("large")
    expect(page.get_by_label("Hot").nth(0)).to_be_checked()
    expect(page.get_by_label("Tag").nth(0)).to_have_value("x")
    expect(page.get_by_label("Tag").nth(1)).to_have_value("y")
