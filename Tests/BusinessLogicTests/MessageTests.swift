struct MessageTests {
    let reason = Message(code: "page.reason", text: "Because")
    let counted = Message(code: "page.reason", text: "Because", parameters: ["count": 3], field: "name")

    @Test func `the parameters of a decoded message are in their declared order`() throws {
        let parameters: Value.Object = ["zeta": 0, "alpha": 1, "mid": 2, "beta": 3, "omega": 4, "gamma": 5]
        let message = Message(code: "a.b", text: "", parameters: parameters)
        #expect(try throughJSON(message).parameters.map(\.name) == parameters.map(\.name))
        #expect(try throughJSON(message) == message)
    }

    @Test(
        arguments: [
            (.wrongCredentials, "login.wrongCredentials", "Wrong username or password", nil),
            (
                .tooManyLoginAttempts, "login.tooManyAttempts",
                "You have exceeded the maximum number of attempts, please try after sometime.", nil
            ),
            (.signupUnsuccessful, "signup.unsuccessful", "Unsuccessful", "email"),
            (.tooManySignupAttempts, "signup.tooManyAttempts", "Too Many Attempts", nil),
            (.invalidUserID, "registration.invalidUserID", "A user ID has exactly twelve digits", "userID"),
            (.productsUnavailable, "products.unavailable", "No products available", nil),
            (.productWithoutDescription, "products.withoutDescription", "Product without description", "product"),
            (.productNotValid, "product.notValid", "Product not valid", "product"),
        ] as [(Message, String, String, String?)]
    )
    func `the articles' errors keep their codes, texts and fields`(
        message: Message,
        code: String,
        text: String,
        field: String?
    ) {
        #expect(message.code == code)
        #expect(message.text == text)
        #expect(message.field == field)
        #expect(message.isError)
        #expect(message.parameters == (message == .invalidUserID ? ["digits": 12] : [:]))
    }

    @Test(
        arguments: [
            (.signupSuccessful, nil, false), (.signupIncomplete, nil, true), (.passwordMissing, "password", true),
            (.userIDTaken, "userID", true), (.unknownProduct, "product", true), (.invalidEmail, "email", true),
            (.emailNotLoggedIn, nil, true),
        ] as [(Message, String?, Bool)]
    )
    func `any other bundled message has its field, and is an error or not`(
        message: Message,
        field: String?,
        isError: Bool
    ) {
        #expect(message.field == field)
        #expect(message.isError == isError)
    }

    @Test func `messages are equal if their codes, texts and parameters are`() {
        #expect(counted == counted.about("email"))
        #expect(counted == .notice(code: "page.reason", text: "Because", parameters: ["count": 3]))
        #expect(counted != Message(code: "page.other", text: "Because", parameters: ["count": 3]))
        #expect(counted != Message(code: "page.reason", text: "Why", parameters: ["count": 3]))
        #expect(counted != Message(code: "page.reason", text: "Because", parameters: ["count": 4]))
    }

    @Test func `a message reports an error unless it is a notice`() {
        let notice = Message.notice(code: "page.reason", text: "Because", field: "name")
        #expect(reason.isError)
        #expect(!notice.isError)
        #expect(Command.showAlert(reason).error == reason)
        #expect(Command.showAlert(notice).error == nil)
        #expect(Command.render("message", reason).error == reason)
        #expect(Command.render("message", "Because").error == nil)
        #expect(Command.goToPage("Home").error == nil)
    }

    @Test func `a message is about at most one field`() {
        #expect(reason.field == nil)
        #expect(counted.field == "name")
        #expect(counted.about("email").field == "email")
        #expect(counted.about("email").parameters == ["count": 3])
        #expect(counted.about(nil).field == nil)
        #expect(Message.notice(code: "a.b", text: "c", field: "name").about("email").isError == false)
    }

    @Test(arguments: [
        #"{"code":"page.reason","text":"Because"}"#,
        #"{"code":"page.reason","parameters":{"count":3},"text":"Because"}"#,
        #"{"code":"page.reason","field":"name","text":"Because"}"#,
        #"{"code":"page.reason","isError":false,"text":"Because"}"#,
        #"{"code":"page.reason","field":"name","isError":false,"parameters":{"count":3},"text":"Because"}"#,
    ])
    func `a message is encoded without what it does not have`(text: String) throws {
        let message = try decoded(Message.self, from: text)
        #expect(try json(message) == text)
        #expect(message.field == (text.contains("field") ? "name" : nil))
        #expect(message.isError == !text.contains("isError"))
        #expect(message.parameters == (text.contains("count") ? ["count": 3] : [:]))
    }

    @Test func `a message of an earlier version has empty or unordered parameters`() throws {
        let message = try decoded(Message.self, from: #"{"code":"page.reason","text":"Because","parameters":{}}"#)
        #expect(message == reason)
        #expect(message.isError)
        let unordered = try decoded(Message.self, from: #"{"code":"a","text":"","parameters":{"one":1,"two":2}}"#)
        #expect(unordered.parameters == ["one": 1, "two": 2])
    }
}
