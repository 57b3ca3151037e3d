"""Uses the client that openapi-python-client has generated. usage: flow_openapi_python_client.py FOLDER ADDRESS

FOLDER contains the package `understudy_client`.
"""

import sys

sys.path.insert(0, sys.argv[1])

from understudy_client import AuthenticatedClient, Client
from understudy_client.api.pages import (
    send_home,
    send_login,
    send_product,
    send_products,
    send_register,
    send_signup,
    show_products,
    show_register,
)
from understudy_client.api.rules import show_rules, validate, validate_value
from understudy_client.api.service import explain_problem
from understudy_client.api.sessions import end_session, show_history, show_session, start_session
from understudy_client.models import (
    Check,
    CheckRule,
    HomeViewDidLoad,
    LoginButtonPressed,
    LoginButtonPressedValues,
    OnSelected,
    OnSelectedValues,
    Problem,
    ProductOnStart,
    ProductOnStartValues,
    ProductsOnStart,
    SubmitButtonPressed,
    SubmitButtonPressedValues,
    TextFieldDidEndEditing,
    TextFieldDidEndEditingValues,
    ValidateValueRule,
    ValidationRequest,
    ValueToCheck,
)

address = sys.argv[2]


def client(token):
    return AuthenticatedClient(base_url=address, token=token)


me = client(start_session.sync(client=Client(base_url=address)).token)

# Registration
invalid = send_register.sync(
    client=me,
    body=TextFieldDidEndEditing(event="textFieldDidEndEditing", values=TextFieldDidEndEditingValues(user_id="123")),
)
assert not invalid.ok and invalid.errors[0].code == "registration.invalidUserID", invalid
assert invalid.errors[0].field == "userID" and invalid.errors[0].parameters["digits"] == 12, invalid
valid = send_register.sync(
    client=me,
    body=TextFieldDidEndEditing(
        event="textFieldDidEndEditing", values=TextFieldDidEndEditingValues(user_id=" 012345 678912 ")
    ),
)
assert valid.ok and valid.commands[0].value == "012345678912", valid
assert show_register.sync(client=me).rendered.user_id == "012345678912"


# Login, which replaces the token
def login(password):
    return LoginButtonPressed(
        event="loginButtonPressed", values=LoginButtonPressedValues(username="batman", password=password)
    )


wrong = send_login.sync(client=me, body=login("robin"))
assert not wrong.ok and wrong.errors[0].code == "login.wrongCredentials" and not wrong.token, wrong
right = send_login.sync(client=me, body=login("bruce"), idempotency_key="login-1")
assert right.ok and right.commands[0].href == "/home", right
again = send_login.sync(client=me, body=login("bruce"), idempotency_key="login-1")
assert again == right
outdated = show_session.sync(client=me)
assert isinstance(outdated, Problem) and outdated.code == "notAuthenticated", outdated
me = client(right.token)
assert show_session.sync(client=me).user.username == "batman"
home = send_home.sync(client=me, body=HomeViewDidLoad(event="viewDidLoad"))
assert home.commands[0].key == "username" and home.commands[0].value == "batman", home

# Sign-up, up to the third attempt
form = SubmitButtonPressed(
    event="submitButtonPressed",
    values=SubmitButtonPressedValues(name="Lisa", email="lisa@rules", password="maggie"),
)
codes = [send_signup.sync(client=me, body=form).errors[0].code for _ in range(3)]
assert codes == ["signup.unsuccessful", "signup.unsuccessful", "signup.tooManyAttempts"], codes

# Products
assert send_products.sync(client=me, body=ProductsOnStart(event="onStart")).ok
product = show_products.sync(client=me).rendered.products[0]
assert product.name == "Car", product
selected = send_products.sync(
    client=me, body=OnSelected(event="onSelected", values=OnSelectedValues(product=product.name))
)
assert selected.commands[0].href == "/product" and selected.commands[0].values["product"] == "Car", selected
detail = send_product.sync(
    client=me,
    body=ProductOnStart(
        event="onStart", values=ProductOnStartValues.from_dict(selected.commands[0].values.to_dict())
    ),
)
assert detail.commands[1].value["description"] == "A beautiful car", detail

# Rules
checks = [Check(rule=CheckRule.USERID, value="012345678912"), Check(rule=CheckRule.EMAIL, value="lisa@rules")]
results = validate.sync(client=me, body=ValidationRequest(checks=checks)).results
assert [result.valid for result in results] == [True, False] and results[1].code == "email.invalid", results
one = validate_value.sync(ValidateValueRule.USERID, client=me, body=ValueToCheck(value=" 012345 678912 "))
assert one.valid and one.normalised == "012345678912", one
assert "email" in [rule.rule for rule in show_rules.sync(client=me).rules]

# A problem, with members that help
long = validate_value.sync(ValidateValueRule.EMAIL, client=me, body=ValueToCheck(value="a" * 300))
assert isinstance(long, Problem) and long.code == "valueTooLong" and long.maximum == 254, long
unknown = explain_problem.sync_detailed("nothing", client=me)
assert unknown.status_code == 404 and "missingField" in unknown.parsed.codes, unknown

# History
history = show_history.sync(client=me)
assert history.commands[-1].sequence == history.sequence, history
later = show_history.sync(client=me, since=history.sequence - 1)
assert [command.sequence for command in later.commands] == [history.sequence], later
assert end_session.sync_detailed(client=me).status_code == 204
