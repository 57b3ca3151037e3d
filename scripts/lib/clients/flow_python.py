"""Uses the client that openapi-generator has generated for Python. usage: flow_python.py FOLDER ADDRESS

FOLDER contains the package `openapi_client`.
"""

import sys

sys.path.insert(0, sys.argv[1])

from openapi_client import (
    ApiClient,
    ApiException,
    Check,
    Configuration,
    HomeEvent,
    HomeViewDidLoad,
    LoginButtonPressed,
    LoginButtonPressedValues,
    LoginEvent,
    OnSelected,
    OnSelectedValues,
    PagesApi,
    ProductOnStart,
    ProductOnStartValues,
    ProductsEvent,
    ProductsOnStart,
    RulesApi,
    ServiceApi,
    SessionsApi,
    SignupEvent,
    SubmitButtonPressed,
    SubmitButtonPressedValues,
    TextFieldDidEndEditing,
    TextFieldDidEndEditingValues,
    ValidationRequest,
    ValueToCheck,
)

configuration = Configuration(host=sys.argv[2])
client = ApiClient(configuration)
pages, rules, service, sessions = PagesApi(client), RulesApi(client), ServiceApi(client), SessionsApi(client)


def problem(call):
    try:
        response = call()
    except ApiException as error:
        return error.data
    raise AssertionError(response)


configuration.access_token = sessions.start_session().token


# Registration
def register(user_id):
    values = TextFieldDidEndEditingValues(userID=user_id)
    return pages.send_register(TextFieldDidEndEditing(event="textFieldDidEndEditing", values=values))


invalid = register("123")
assert not invalid.ok and invalid.errors[0].code == "registration.invalidUserID", invalid
assert invalid.errors[0].var_field == "userID" and invalid.errors[0].parameters["digits"] == 12, invalid
valid = register(" 012345 678912 ")
assert valid.ok and valid.commands[0].value == "012345678912", valid
assert pages.show_register().rendered.user_id == "012345678912"


# Login, which replaces the token
def login(password, **options):
    values = LoginButtonPressedValues(username="batman", password=password)
    return pages.send_login(LoginEvent(LoginButtonPressed(event="loginButtonPressed", values=values)), **options)


wrong = login("robin")
assert not wrong.ok and wrong.errors[0].code == "login.wrongCredentials" and wrong.token is None, wrong
right = login("bruce", idempotency_key="login-1")
assert right.ok and right.commands[0].href == "/home", right
assert login("bruce", idempotency_key="login-1") == right
assert problem(sessions.show_session).code == "notAuthenticated"
configuration.access_token = right.token
assert sessions.show_session().user.username == "batman"
home = pages.send_home(home_event=HomeEvent(HomeViewDidLoad(event="viewDidLoad")))
assert home.commands[0].key == "username" and home.commands[0].value == "batman", home

# Sign-up, up to the third attempt
values = SubmitButtonPressedValues(name="Lisa", email="lisa@rules", password="maggie")
form = SignupEvent(SubmitButtonPressed(event="submitButtonPressed", values=values))
codes = [pages.send_signup(form).errors[0].code for _ in range(3)]
assert codes == ["signup.unsuccessful", "signup.unsuccessful", "signup.tooManyAttempts"], codes

# Products
assert pages.send_products(ProductsEvent(ProductsOnStart(event="onStart"))).ok
product = pages.show_products().rendered.products[0]
assert product.name == "Car", product
selection = OnSelected(event="onSelected", values=OnSelectedValues(product=product.name))
selected = pages.send_products(products_event=ProductsEvent(selection)).commands[0]
assert selected.href == "/product" and selected.values == {"product": "Car"}, selected
detail = pages.send_product(ProductOnStart(event="onStart", values=ProductOnStartValues(**selected.values)))
assert detail.commands[1].value["description"] == "A beautiful car", detail

# Rules
checks = [Check(rule="userID", value="012345678912"), Check(rule="email", value="lisa@rules")]
results = rules.validate(ValidationRequest(checks=checks)).results
assert [result.valid for result in results] == [True, False] and results[1].code == "email.invalid", results
one = rules.validate_value("userID", ValueToCheck(value=" 012345 678912 "))
assert one.valid and one.normalised == "012345678912", one
assert "email" in [rule.rule for rule in rules.show_rules().rules]

# A problem, with members that help
long = problem(lambda: rules.validate_value("email", ValueToCheck(value="a" * 300)))
assert long.code == "valueTooLong" and long.maximum == 254, long
assert "missingField" in problem(lambda: service.explain_problem("nothing")).codes

# History
history = sessions.show_history()
assert history.commands[-1].sequence == history.sequence, history
later = sessions.show_history(since=history.sequence - 1)
assert [command.sequence for command in later.commands] == [history.sequence], later
sessions.end_session()
