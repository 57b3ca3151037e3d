struct CommandTests {
    static let message = Message(code: "page.reason", text: "Because of 3", parameters: ["count": 3])

    @Test(
        arguments: [
            .render("title", "Products"),
            .render("errorMessage", .null),
            .render("products", [["name": "Car", "seats": 5], [:]]),
            .render("message", message),
            .showAlert(message),
            .goToPage("Home"),
            .goToPage("ProductDetail", ["product": ["name": "Car"], "nothing": .null]),
        ] as [Command]
    )
    func `a command is unchanged after encoding and decoding`(command: Command) throws {
        #expect(try throughJSON(command) == command)
    }

    @Test(
        arguments: [
            (.render("count", 12), "render count=12"),
            (.render("title", "Products"), #"render title="Products""#),
            (.render("message", message), #"render message="Because of 3" (page.reason {"count":3})"#),
            (
                .render(key: "message", value: nil, message: .wrongCredentials),
                #"render message=null for "Wrong username or password" (login.wrongCredentials)"#
            ),
            (.showAlert(message), #"showAlert "Because of 3" (page.reason {"count":3})"#),
            (.goToPage("Home"), "goToPage Home"),
            (.goToPage("Detail", ["product": "Car"]), #"goToPage Detail {"product":"Car"}"#),
        ] as [(Command, String)]
    )
    func `a command's description is one line with all its values`(command: Command, text: String) {
        #expect("\(command)" == text)
        #expect("\([command])" == "[\(text)]")
    }
}
