"""Examples/booking in two browsers: what one customer does, the other one sees."""

import os

import pytest
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
    form = form_of(page, "slotChosen")
    form.get_by_label("Day").fill("2027-03-01")
    form.get_by_label("Time").select_option("09:00")
    form.get_by_role("button").click()
    expect_first_slot(page, "yours")


def expect_first_slot(page, availability):
    expect(page.get_by_role("cell", name="09:00").locator("+ td")).to_have_text(availability)


def test_a_slot_that_one_customer_holds_and_books_is_taken_in_the_other_browser_at_once(customers):
    first, second = customers
    hold_first_slot(first)
    expect_first_slot(second, "held")
    form_of(first, "bookButtonPressed").get_by_role("button").click()
    expect(first.locator("output").filter(has_text="You have booked this slot")).to_be_visible()
    expect_first_slot(second, "booked")


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
    expect(first.locator("output").filter(has_text="You hold no slot")).to_be_visible()


def test_a_day_that_one_customer_is_about_to_choose_stays_while_the_other_one_holds_a_slot(customers):
    first, second = customers
    day = form_of(second, "dayChosen").get_by_label("Day")
    day.fill("2027-05-06")
    hold_first_slot(first)
    expect_first_slot(second, "held")
    expect(day).to_have_value("2027-05-06")
