import BusinessLogic
import Understudy

/// Examples of the bundled pages, with the account and the products of the demonstration.
extension PageExample {
    static var login: [PageExample] {
        [
            PageExample(
                "rightPassword",
                "Right credentials lead to the page Home.",
                page: "login",
                ["event": "loginButtonPressed", "values": ["username": "batman", "password": "bruce"]],
                [["command": "goToPage", "name": "Home"]]
            ),
            PageExample(
                "wrongPassword",
                "Wrong ones are told so. This is the short form of the default event.",
                page: "login",
                ["username": "batman", "password": "robin"],
                [
                    [
                        "command": "render", "key": "message", "value": "Wrong username or password",
                        "code": "login.wrongCredentials",
                    ]
                ]
            ),
        ]
    }

    static var register: [PageExample] {
        [
            PageExample(
                "validUserID",
                "White space is removed; twelve digits are left.",
                page: "register",
                ["event": "textFieldDidEndEditing", "values": ["userID": " 012345 678912 "]],
                [
                    ["command": "render", "key": "userID", "value": "012345678912"],
                    ["command": "render", "key": "errorMessage", "value": nil],
                ]
            ),
            PageExample(
                "invalidUserID",
                "Too few digits.",
                page: "register",
                ["userID": "0123"],
                [
                    ["command": "render", "key": "userID", "value": nil],
                    [
                        "command": "render", "key": "errorMessage", "value": "A user ID has exactly twelve digits",
                        "code": "registration.invalidUserID", "parameters": ["digits": 12],
                    ],
                ]
            ),
        ]
    }

    static var signup: [PageExample] {
        [
            PageExample(
                "viewDidLoad",
                "The screen has loaded: nothing can be submitted yet.",
                page: "signup",
                ["event": "viewDidLoad"],
                [["command": "render", "key": "submitButtonEnabled", "value": false]]
            ),
            PageExample(
                "validEmail",
                "A valid email address signs up.",
                page: "signup",
                [
                    "event": "submitButtonPressed",
                    "values": ["name": "Lisa", "email": "lisa@rules.example", "password": "maggie"],
                ],
                [["command": "showAlert", "message": "Successful", "code": "signup.successful"]]
            ),
            PageExample(
                "invalidEmail",
                "One without a dot in its domain does not.",
                page: "signup",
                ["name": "Lisa", "email": "lisa@rules", "password": "maggie"],
                [["command": "showAlert", "message": "Unsuccessful", "code": "signup.unsuccessful"]]
            ),
        ]
    }

    static var products: [PageExample] {
        [
            PageExample(
                "list",
                "The list is fetched and shown.",
                page: "products",
                ["event": "onStart"],
                [
                    ["command": "render", "key": "title", "value": "Products"],
                    ["command": "render", "key": "loading", "value": true],
                    [
                        "command": "render", "key": "products",
                        "value": [car, ["name": "Book", "description": "", "image": "book"]],
                    ],
                    ["command": "render", "key": "loading", "value": false],
                ]
            ),
            PageExample(
                "selection",
                "A product with a description has a page of its own.",
                page: "products",
                ["event": "onSelected", "values": ["product": "Car"]],
                [["command": "goToPage", "name": "ProductDetail", "values": ["product": car]]]
            ),
            PageExample(
                "selectionWithoutDescription",
                "One without does not.",
                page: "products",
                ["event": "onSelected", "values": ["product": "Book"]],
                [
                    [
                        "command": "showAlert", "message": "Product without description",
                        "code": "products.withoutDescription",
                    ]
                ]
            ),
        ]
    }

    static var product: [PageExample] {
        [
            PageExample(
                "detail",
                "The product is shown.",
                page: "product",
                ["event": "onStart", "values": ["product": "Car"]],
                [
                    ["command": "render", "key": "title", "value": "Product"],
                    ["command": "render", "key": "product", "value": car],
                ]
            ),
            PageExample(
                "unknownProduct",
                "There is no such product.",
                page: "product",
                ["product": "Boat"],
                [
                    ["command": "render", "key": "title", "value": "Product"],
                    ["command": "showAlert", "message": "Product not valid", "code": "product.notValid"],
                ]
            ),
        ]
    }

    static var email: [PageExample] {
        [
            PageExample(
                "validAddress",
                "A valid address can be saved.",
                page: "email",
                ["event": "emailChanged", "values": ["email": "lisa@rules.example"]],
                [["command": "render", "key": "saveButtonEnabled", "value": true]]
            ),
            PageExample(
                "saveNothing",
                "Nothing valid has been entered: nothing is saved.",
                page: "email",
                ["event": "saveButtonPressed"],
                [["command": "render", "key": "saveButtonEnabled", "value": false]]
            ),
        ]
    }

    private static let car: Value = ["name": "Car", "description": "A beautiful car", "image": "car"]
}
