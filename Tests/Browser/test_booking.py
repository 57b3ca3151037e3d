"""Examples/booking in two browsers: what one customer does, the other one sees."""

import os

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import Program


@pytest.fixture
def booking(tmp_path):
    program = Program(os.environ["BOOKING_PROGRAM"], "--pages", "on", "--test-control", "--data", str(tmp_path))
    yield program
    program.kill()


@pytest.fixture
def customers(browser, booking):
    """The pages of two customers who have chosen the same day, each in a browser of their own."""
    contexts = [browser.new_context(base_url=f"http://localhost:{booking.port}") for _ in range(2)]
    pages = []
    for context in contexts:
        context.set_default_timeout(5000)
        pages.append(context.new_page())
        pages[-1].goto("/booking")
        form = form_of(pages[-1], "dayChosen")
        form.get_by_label("Day").fill("2027-03-01")
        form.get_by_role("button").click()
        expect_first_slot(pages[-1], "free")
    yield pages
    for context in contexts:
        context.close()


def form_of(page, event):
    return page.locator(f"[data-us-event={event}]")


def hold_first_slot(page):
    page.get_by_role("button", name="09:00").click()
    expect_first_slot(page, "yours")


def expect_first_slot(page, availability):
    expect(page.get_by_role("button", name="09:00")).to_have_text(f"09:00 {availability}")


def test_a_slot_that_one_customer_holds_and_books_is_taken_in_the_other_browser_at_once(customers):
    first, second = customers
    hold_first_slot(first)
    expect_first_slot(second, "held")
    form_of(first, "bookButtonPressed").get_by_role("button").click()
    expect(first.get_by_text("You have booked this slot")).to_be_visible()
    expect_first_slot(second, "booked")


def test_the_page_is_accessible_and_no_wider_than_a_phone_in_each_state(booking, open_at):
    page = open_at(booking.port, "/booking", viewport={"width": 320, "height": 800})
    states = ["Show times", "09:00", "Book it"]
    for press in [None, *states]:
        if press:
            page.get_by_role("button", name=press).click()
            expect(page.locator("[aria-busy=true]")).to_have_count(0)
        found = Axe().run(page)
        assert found.violations_count == 0, f"{press}: {found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), press
    expect(page.get_by_text("You have booked this slot")).to_be_visible()


@pytest.mark.parametrize("has_script", [True, False])
def test_a_time_is_booked_with_two_clicks(booking, open_at, has_script):
    page = open_at(booking.port, "/booking", java_script_enabled=has_script)
    for press in ["Show times", "10:00", "Book it"]:
        page.get_by_role("button", name=press).click()
    expect(page.get_by_text("You have booked this slot")).to_be_visible()
    expect(page.get_by_role("button", name="10:00")).to_have_text("10:00 yours")
    expect(page.get_by_role("button", name="Book it")).to_be_hidden()


def test_a_held_slot_is_free_in_both_browsers_after_two_minutes(customers, booking):
    first, second = customers
    hold_first_slot(first)
    expect_first_slot(second, "held")
    booking.advance("119s")
    expect_first_slot(first, "yours")
    expect_first_slot(second, "held")
    booking.advance("1s")
    expect_first_slot(second, "free")
    expect_first_slot(first, "free")
    expect(first.get_by_text("You hold no slot")).to_be_visible()


def test_a_day_that_one_customer_is_about_to_choose_stays_while_the_other_one_holds_a_slot(customers):
    first, second = customers
    day = form_of(second, "dayChosen").get_by_label("Day")
    day.fill("2027-05-06")
    hold_first_slot(first)
    expect_first_slot(second, "held")
    expect(day).to_have_value("2027-05-06")
