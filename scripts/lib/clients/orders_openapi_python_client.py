"""Sends lists of objects with the client that openapi-python-client has generated from Examples/orders, and reads them.

usage: orders_openapi_python_client.py FOLDER ADDRESS

FOLDER contains the package `understudy_client`.
"""

import sys
from datetime import date, datetime

sys.path.insert(0, sys.argv[1])

from understudy_client import AuthenticatedClient, Client
from understudy_client.api.pages import send_order, send_orders, show_orders
from understudy_client.api.sessions import start_session
from understudy_client.models import Line, OrderButtonPressed, OrderButtonPressedValues, Problem, Size, ViewDidLoad

address = sys.argv[2]
me = AuthenticatedClient(base_url=address, token=start_session.sync(client=Client(base_url=address)).token)
lines = [Line(product="tea", size=Size.SMALL, count=2), Line(product="cake", size=Size.LARGE, count=1)]


def order(day):
    body = OrderButtonPressed(event="orderButtonPressed", values=OrderButtonPressedValues(lines=lines, day=day))
    return send_order.sync(client=me, body=body, prefer="return=representation")


placed = order(date(2027, 3, 1)).rendered
assert placed.lines == lines and placed.lines[1].size is Size.LARGE and placed.total == 8.5, placed
assert send_orders.sync(client=me, body=ViewDidLoad(event="viewDidLoad")).ok
shown = show_orders.sync(client=me).rendered.orders[0]
assert shown.lines == lines and shown.day == date(2027, 3, 1) and isinstance(shown.placed, datetime), shown
late = order(date(2028, 3, 1))
assert isinstance(late, Problem) and late.code == "valueOutOfRange", late
assert [(error.pointer, error.maximum) for error in late.errors] == [("/values/day", "2027-12-31")], late
