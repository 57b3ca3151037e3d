struct CommandResponseTests {
    let links = PageLinks([("Home", "/app/home"), ("ProductDetail", "/app/product"), ("Home", "/other")])

    func response(
        to commands: Command...,
        isMinimal: Bool = false,
        token: String? = nil,
        deviceToken: String? = nil
    ) -> String {
        let history = CommandHistory(sequence: 6)
        for command in commands { history.append(command, page: "page") }
        var response = CommandResponse.json(
            sequence: history.sequence,
            commands: history.current(since: 6),
            context: ResponseContext(links: links),
            isMinimal: isMinimal
        )
        if let token { CommandResponse.add(token: token, deviceToken: deviceToken, to: &response) }
        return response.text
    }

    /// A command of a response to the page, with its kind and its other members.
    func command(_ sequence: Int, _ members: String) -> String {
        #"{"sequence":\#(sequence),"page":"page","command":\#(members)}"#
    }

    /// The text of a response.
    func text(_ sequence: Int, isOK: Bool = true, _ commands: String..., others: String = "") -> String {
        #"{"sequence":\#(sequence),"ok":\#(isOK),"commands":[\#(commands.joined(separator: ","))]\#(others)}"# + "\n"
    }

    static let home = #""goToPage","name":"Home","href":"/app/home""#
    static let wrong = #""message":"Wrong username or password","code":"login.wrongCredentials""#

    @Test func `a response without errors is ok`() {
        #expect(response() == text(6))
        let title = command(7, #""render","key":"title","value":"Products""#)
        #expect(response(to: .render("title", "Products")) == text(7, title))
    }

    @Test func `a notice is not an error`() {
        let alert = command(7, #""showAlert","message":"Successful","code":"signup.successful""#)
        #expect(response(to: .showAlert(.signupSuccessful)) == text(7, alert))
    }

    @Test func `a response lists its errors, with their fields`() {
        let digits = "A user ID has exactly twelve digits"
        let code = #""code":"registration.invalidUserID","parameters":{"digits":12}"#
        let errors = #","errors":[{"field":"userID","message":"\#(digits)",\#(code)},{\#(Self.wrong)}]"#
        #expect(
            response(
                to: .render("userID", .null),
                .render("errorMessage", .invalidUserID),
                .showAlert(.wrongCredentials)
            )
                == text(
                    9,
                    isOK: false,
                    command(7, #""render","key":"userID","value":null"#),
                    command(8, #""render","key":"errorMessage","value":"\#(digits)",\#(code)"#),
                    command(9, #""showAlert",\#(Self.wrong)"#),
                    others: errors
                )
        )
    }

    @Test func `a minimal response lists the errors and no commands`() {
        #expect(
            response(to: .render("title", "Login"), .showAlert(.wrongCredentials), isMinimal: true, token: "t")
                == text(8, isOK: false, others: #","errors":[{\#(Self.wrong)}],"token":"t""#)
        )
        #expect(response(to: .goToPage("Home"), isMinimal: true) == text(7))
    }

    @Test func `a destination that the service serves has the address of its page`() {
        let product = #""name":"ProductDetail","href":"/app/product","values":{"product":"Car"}"#
        #expect(
            response(to: .goToPage("ProductDetail", ["product": "Car"]), .goToPage("Away"), .goToPage("Home"))
                == text(
                    9,
                    command(7, #""goToPage",\#(product)"#),
                    command(8, #""goToPage","name":"Away""#),
                    command(9, Self.home)
                )
        )
    }

    @Test func `new tokens are at the end`() {
        #expect(response(token: "t", deviceToken: "d") == text(6, others: #","token":"t","deviceToken":"d""#))
    }

    @Test func `a history has commands and no verdict`() {
        let history = CommandHistory()
        history.append(.showAlert(.wrongCredentials), page: "page")
        history.append(.goToPage("Home"), page: "page")
        let context = ResponseContext(links: links)
        let bytes = CommandResponse.history(sequence: 2, commands: history.kept, context: context)
        let alert = command(1, #""showAlert",\#(Self.wrong)"#)
        #expect(bytes.text == #"{"sequence":2,"commands":[\#(alert),\#(command(2, Self.home))]}"# + "\n")
    }

    @Test func `the commands of a response are read back`() throws {
        let text = response(to: .showAlert(.wrongCredentials), .goToPage("Home", ["a": 1]), token: "t")
        let read = try CommandResponse(try JSONReader.read(text.bytes))
        #expect(read.sequence == 8)
        #expect(read.token == "t")
        #expect(read.entries.map(\.command) == [.showAlert(.wrongCredentials), .goToPage("Home", ["a": 1])])
        let unknown = try CommandResponse([
            "sequence": 1, "commands": [["sequence": 1, "page": "p", "command": "blink", "color": "red"]],
        ])
        #expect(unknown.entries.map(\.command) == [nil])
        #expect(throws: MalformedCommand.self) { try CommandResponse(["sequence": 1]) }
        for command in ["render", "showAlert", "goToPage"] as [Value] {
            let commands: Value = [["sequence": 1, "page": "login", "command": command, "key": "a"]]
            #expect(throws: MalformedCommand.self) { try CommandResponse(["sequence": 1, "commands": commands]) }
        }
    }

    @Test func `an address is found by the bytes of the destination's name`() {
        let links = PageLinks([("caf\u{E9}", "/cafe")])
        #expect(links["caf\u{E9}"] == "/cafe")
        #expect(links["cafe\u{301}"] == nil)
        #expect(PageLinks()["Home"] == nil)
    }
}
