"""What a person sees who fills a form in: what is wrong, next to its field and in a summary, and that nothing typed is lost."""

import os
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import Program
from test_pages import person  # noqa: F401

LONG = "a-name-that-is-longer-than-any-line-of-a-phone-has@example.com"


@pytest.fixture(scope="module")
def strict_program(tmp_path_factory):
    program = Program(os.environ["UNDERSTUDY_PROGRAM"], "--pages", "on", "--test-control", "--database", str(tmp_path_factory.mktemp("forms") / "accounts.sqlite"))
    yield program
    program.kill()


def test_each_missing_value_has_its_message_at_its_field_and_in_a_summary(open_at, program):
    page = open_at(program.port, "/signup")
    button = page.get_by_role("button", name="Sign up")
    expect(button).not_to_have_attribute("aria-disabled", "true")
    page.get_by_label("Email").fill("lisa")
    button.click()
    for name, message in [("name", "Please fill out this field."), ("email", "Please include an '@'"), ("password", "Please fill out this field.")]:
        expect(page.locator(f"#{name}-error")).to_contain_text(message)
        expect(page.locator(f"#{name}")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    summary = page.locator(".summary")
    expect(summary.get_by_role("link")).to_have_count(3)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    summary.get_by_role("link", name=re.compile("^Password")).click()
    expect(page.get_by_label("Password")).to_be_focused()
    page.get_by_label("Name", exact=True).fill("Lisa")
    expect(page.locator("#name-error")).to_be_empty()
    expect(summary.get_by_role("link")).to_have_count(2)


@pytest.mark.parametrize("path,label,button", [("/signup", "Email", "Sign up"), ("/email", "Email", "Save")])
def test_the_enter_key_says_what_is_missing(open_at, program, path, label, button):
    page = open_at(program.port, path)
    page.get_by_label(label).press("Enter")
    expect(page.locator("#email-error")).to_have_text("Please fill out this field.")
    expect(page.get_by_role("button", name=button)).not_to_have_attribute("aria-disabled", "true")


def test_an_address_that_the_controller_rejects_has_its_message_at_its_field(person):
    person.page.goto("/signup")
    for label, text in [("Name", "Lisa"), ("Email", "lisa@rules"), ("Password", "eighteen long words")]:
        person.page.get_by_label(label, exact=label == "Name").fill(text)
    person.press("Sign up")
    expect(person.page.locator("#email-error")).to_contain_text("This is not an email address. Enter one like")
    expect(person.page.get_by_label("Email")).to_have_attribute("aria-invalid", "true")
    if person.has_script:
        expect(person.page.get_by_role("dialog")).to_be_hidden()
        expect(person.page.locator(".summary a")).to_contain_text("Email address: This is not")


def test_the_rule_for_passwords_is_stated_before_a_person_chooses_one(open_at, strict_program):
    for path in ["/signup", "/reset"]:
        page = open_at(strict_program.port, path)
        expect(page.locator("#password-hint")).to_contain_text("At least 15 characters")
        assert "password-hint" in page.locator("#password").get_attribute("aria-describedby")


def test_what_is_typed_before_the_module_has_arrived_counts(browser, program):
    context = browser.new_context(base_url=f"http://localhost:{program.port}", locale="en")
    assert context.request.post("/login", form={"username": "batman", "password": "bruce"}).ok
    page, held = context.new_page(), []
    page.route("**/understudy-*.js", lambda route: route.continue_() if held else held.append(route))
    page.goto("/email", wait_until="commit")
    page.get_by_label("Email").fill("lisa@rules.example")
    with page.expect_request(lambda request: "emailChanged" in (request.post_data or "")):
        held[0].continue_()
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/home")
    context.close()


def test_a_space_after_the_username_is_no_wrong_password(person):
    user = {"email": f"bart-{int(person.has_script)}@rules.example", "password": "eighteen long words"}
    assert person.page.request.post("/signup", form={"name": "Bart", **user}).ok
    person.page.goto("/login")
    person.page.get_by_label("Username").fill(user["email"] + " ")
    person.page.get_by_label("Password").fill(user["password"])
    person.press("Log in")
    person.page.wait_for_url("**/home")


def test_a_long_address_does_not_make_a_page_wider_than_a_phone(browser, program):
    context = browser.new_context(base_url=f"http://localhost:{program.port}", viewport={"width": 320, "height": 800}, locale="en")
    user = {"email": LONG, "password": "eighteen long words"}
    assert context.request.post("/signup", form={"name": "Lisa", **user}).ok
    assert context.request.post("/login", form={"username": LONG, "password": user["password"]}).ok
    page = context.new_page()
    for path in ["/home", "/account", "/factors", "/email?email=" + LONG]:
        page.goto(path, wait_until="networkidle")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    context.close()


def test_what_was_typed_is_there_after_going_back(open_at, program):
    page = open_at(program.port, "/signup")
    page.get_by_label("Name", exact=True).fill("Lisa")
    page.get_by_label("Password").fill("secret")
    page.goto("/forgot")
    page.get_by_label("Email").fill("lisa@rules.example")
    page.goto("/login")
    page.go_back()
    expect(page.get_by_label("Email")).to_have_value("lisa@rules.example")
    page.go_back()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Lisa")
    assert "secret" not in page.evaluate("JSON.stringify(sessionStorage)")
    # A link is no way back.
    page.goto("/forgot")
    expect(page.get_by_label("Email")).to_have_value("")
