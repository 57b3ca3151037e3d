"""A look, a script and a template of an operator, in folders, without a Swift package."""

import os
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import ROOT, Program
from playwright.sync_api import expect

TEMPLATE = """{{<page}}{{$content}}
<section class="card"><h1>Your user ID</h1>
<form method="post" action="{{action}}" data-us-page="register" data-us-event="textFieldDidEndEditing">
<input type="hidden" name="event" value="textFieldDidEndEditing">{{>form.state}}
<label>User ID <input name="userID" value="{{values.userID}}"></label> <p data-us-error="userID">{{errors.userID}}</p>
<button>Save</button> <output data-us-text="userID">{{rendered.userID}}</output>
</form>
<img src="{{assets.images.card.svg}}" alt="Card" width="90" height="60"> <p id="count"></p>
</section>
<script type="module" src="{{assets.own.js}}"></script>
{{/content}}{{/page}}
"""
SCRIPT = """import { characters } from './parts/count.mjs';
document.querySelector('[name=userID]').addEventListener('input', event =>
    document.querySelector('#count').textContent = `${characters(event.target.value)} characters`);
"""
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 6"><script>document.title = "Run"</script><path d="M0 0h9v6H0z"/></svg>'


@pytest.fixture
def site(tmp_path):
    """The folder with the sample of docs/browser.md, and a program that uses it."""
    files = {
        "templates/register.mustache": TEMPLATE, "assets/own.js": SCRIPT, "assets/parts/count.mjs": "export const characters = text => text.length;",
        "assets/images/card.svg": PICTURE, "assets/logo.svg": PICTURE,
        "assets/look.css": re.search(r"## Change the look\n.*?```css\n(.*?)```", (ROOT / "docs/browser.md").read_text(), re.S)[1],
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    program = Program(os.environ["UNDERSTUDY_PROGRAM"], "--demo", "--templates", str(tmp_path / "templates"), "--assets", str(tmp_path / "assets"))
    yield program
    program.kill()


@pytest.fixture
def open_page(site, open_at):
    """Opens a page of the program, which ends after the pages."""
    return lambda path, **options: open_at(site.port, path, are_failures_expected=False, **options)


def test_look_css_changes_the_colours_the_typeface_and_the_corners_of_all_pages(open_page):
    for scheme, accent in [("light", "rgb(122, 31, 92)"), ("dark", "rgb(240, 166, 216)")]:
        page = open_page("/login", color_scheme=scheme)
        button = page.get_by_role("button", name="Log in")
        expect(button).to_have_css("background-color", accent)
        expect(button).to_have_css("border-radius", "0px")
        expect(page.locator(".card").first).to_have_css("border-radius", "0px")
        expect(page.locator("h1")).to_have_css("font-family", "Georgia, serif")
        assert "/assets/logo-" in page.locator("link[rel=icon]").get_attribute("href")
        assert page.locator(".brand img").evaluate("picture => picture.naturalWidth") > 0
        for path in ["/home", "/docs"]:
            page.goto(path)
            expect(page.locator("h1").first).to_have_css("font-family", "Georgia, serif")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_documented_look_is_accessible(open_page, scheme):
    page = open_page("/login", color_scheme=scheme)
    result = Axe().run(page)
    assert result.violations_count == 0, result.generate_report()


@pytest.mark.parametrize("has_script", [True, False])
def test_a_template_and_a_script_in_folders_work(open_page, has_script):
    page = open_page("/register", java_script_enabled=has_script)
    assert page.get_by_role("img", name="Card").evaluate("picture => picture.naturalWidth") > 0
    page.get_by_label("User ID").fill("12345")
    if has_script:
        expect(page.locator("#count")).to_have_text("5 characters")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-us-error=userID]")).not_to_be_empty()
    page.get_by_label("User ID").fill("012345678912")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("output")).not_to_be_empty()


def test_a_picture_that_is_opened_as_a_document_runs_no_script(browser, site):
    context = browser.new_context(base_url=f"http://localhost:{site.port}")
    page = context.new_page()
    violations = []
    page.on("console", lambda message: violations.append(message.text))
    page.goto("/assets/images/card.svg")
    expect(page.locator("path")).to_be_attached()
    assert page.evaluate("document.title") != "Run"
    assert any("script" in text for text in violations)
    context.close()
