"""Each fault in the middle of each scenario: afterwards, the person sees what they would have seen without it, and each act has had
one effect. The table of the results is printed at the end."""

import re

import pytest
from playwright.sync_api import expect

results = {}


# MARK: Scenarios: what a person does until the last answer, and what must be true afterwards


class Scenario:
    # The page that gets the fault.
    path = "/"
    # Whether the act contains a secret, which a person must enter again after a reload.
    is_secret = False

    @classmethod
    def prepare(cls, page):
        page.goto(cls.path)


class Register(Scenario):
    path = "/register"

    @staticmethod
    def act(page):
        page.get_by_label("User ID").fill("012345 678912")
        page.get_by_role("button").click()

    @staticmethod
    def check(page):
        expect(page.locator("output")).to_have_text("012345678912")

    effects = [("render", "userID"), ("render", "errorMessage")]


class Login(Scenario):
    path, is_secret = "/login", True

    @staticmethod
    def act(page):
        page.get_by_label("Username").fill("batman")
        page.get_by_label("Password").fill("bruce")
        page.get_by_role("button").click()

    @staticmethod
    def check(page):
        page.wait_for_url("**/home")
        expect(page.get_by_role("heading")).to_have_text("Welcome batman")

    effects = [("goToPage", None), ("render", "username")]


class SignUp(Scenario):
    path, is_secret = "/signup", True

    @staticmethod
    def act(page):
        page.get_by_label("Name").press_sequentially("Lisa")
        page.get_by_label("Email").press_sequentially("lisa@rules.com")
        page.get_by_label("Password").press_sequentially("a secret")
        page.keyboard.press("Enter")

    @staticmethod
    def check(page):
        expect(page.get_by_role("dialog", name="Successful")).to_be_visible()

    effects = [("showAlert", None)]


class Products(Scenario):
    path = "/products"

    @staticmethod
    def prepare(page):
        page.goto("/products")
        expect(page.get_by_role("button", name="Car")).to_be_visible()

    @staticmethod
    def act(page):
        page.get_by_role("button", name="Car").click()

    @staticmethod
    def check(page):
        page.wait_for_url("**/product")
        expect(page.get_by_role("heading", level=2)).to_have_text("Car")

    effects = [("goToPage", None), ("render", "product")]


# MARK: Faults


def go_offline(page, server, scenario):
    server.offline = True
    scenario.act(page)
    expect(page.locator("[data-us-live]")).to_contain_text(re.compile("no connection", re.I))
    server.offline = False
    page.evaluate("dispatchEvent(new Event('online'))")


def hold(page, server, scenario):
    fault = server.fault("delay", path=scenario.path)
    scenario.act(page)
    expect(page.locator("[aria-busy]")).to_have_count(1)
    fault.release()


def reload_before(page, server, scenario):
    reload_with(page, server, scenario, "drop-request")


def reload_after(page, server, scenario):
    reload_with(page, server, scenario, "drop-response")


def reload_with(page, server, scenario, kind):
    fault = server.fault(kind, path=scenario.path, times=100)
    scenario.act(page)
    expect(page.locator("[data-us-live]")).to_contain_text(re.compile("no connection", re.I))
    fault.times = 0
    page.reload()
    if scenario.is_secret:
        expect(page.locator("[data-us-live]")).not_to_be_empty()
        expect(page.locator("[aria-busy]")).to_have_count(0)
        scenario.act(page)


def repeated(kind, **options):
    def inject(page, server, scenario):
        server.fault(kind, path=scenario.path, **options)
        scenario.act(page)
    return inject


FAULTS = {
    "no fault": lambda page, server, scenario: scenario.act(page),
    "delayed answer": hold,
    "lost request": repeated("drop-request"),
    "lost answer": repeated("drop-response"),
    "three lost answers": repeated("drop-response", times=3),
    "answer cut in half": repeated("cut"),
    "request sent twice": repeated("duplicate", times=99),
    "page of a hotel's proxy": repeated("garble"),
    "503": repeated("status", status=503),
    "429 with Retry-After": repeated("status", status=429, retry_after=1),
    "answers lost for the destination": lambda page, server, scenario: (
        server.fault("drop-response", method="(GET|POST)", path="/(home|product)", times=2), scenario.act(page)),
    "offline": go_offline,
    "reload before the event": reload_before,
    "reload after the event": reload_after,
}


@pytest.mark.parametrize("scenario", [Register, Login, SignUp, Products], ids=lambda scenario: scenario.__name__)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_changes_nothing_in_the_end(page, server, context, fault, scenario):
    cell = fault, scenario.__name__
    results[cell] = "fails"
    scenario.prepare(page)
    expect(page.locator("[aria-busy]")).to_have_count(0)
    FAULTS[fault](page, server, scenario)
    page.set_default_timeout(10_000)
    scenario.check(page)
    expect(page.locator("[aria-busy]")).to_have_count(0)
    # The history is that of one session. A repetition in another session would only be seen here.
    assert len(server.runs) == len(set(server.runs)), "an event has run twice with one key"
    history = context.request.get("/session/history").json()["commands"]
    given = [(command["command"], command.get("key")) for command in history]
    # A secret is not stored, so that the person enters it again: this is a second act. Whether the first one ran before the
    # reload, nobody can know.
    is_second_act = fault == "reload after the event" and scenario.is_secret
    for effect in scenario.effects:
        assert given.count(effect) == 1 or is_second_act, (effect, given)
    entered_again = "told, and a second act" if is_second_act else "told, and entered again"
    results[cell] = entered_again if "reload" in fault and scenario.is_secret else "one effect"
