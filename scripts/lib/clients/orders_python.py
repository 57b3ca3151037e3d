"""Sends lists of objects with the client that openapi-generator has generated for Python from Examples/orders, and reads them.

usage: orders_python.py FOLDER ADDRESS

FOLDER contains the package `openapi_client`.
"""

import sys
from datetime import date, datetime

sys.path.insert(0, sys.argv[1])

from openapi_client import (
    ApiClient,
    ApiException,
    Configuration,
    Line,
    OrderButtonPressed,
    OrderButtonPressedValues,
    PagesApi,
    SessionsApi,
    Size,
    ViewDidLoad,
)

configuration = Configuration(host=sys.argv[2])
client = ApiClient(configuration)
pages = PagesApi(client)
configuration.access_token = SessionsApi(client).start_session().token
lines = [Line(product="tea", size=Size.SMALL, count=2), Line(product="cake", size=Size.LARGE, count=1)]


def order(day):
    values = OrderButtonPressedValues(lines=lines, day=day)
    return pages.send_order(
        OrderButtonPressed(event="orderButtonPressed", values=values), prefer="return=representation"
    )


placed = order(date(2027, 3, 1)).rendered
assert placed.lines == lines and placed.lines[1].size is Size.LARGE and placed.total == 8.5, placed
assert pages.send_orders(ViewDidLoad(event="viewDidLoad")).ok
shown = pages.show_orders().rendered.orders[0]
assert shown.lines == lines and shown.day == date(2027, 3, 1) and isinstance(shown.placed, datetime), shown
try:
    raise AssertionError(order(date(2028, 3, 1)))
except ApiException as error:
    late = error.data
assert late.code == "valueOutOfRange", late
assert [(error.pointer, error.maximum) for error in late.errors] == [("/values/day", "2027-12-31")], late
