import TestSupport

@Suite struct CommandResponseTests {
    private let links = PageLinks([("Home", "/app/home"), ("ProductDetail", "/app/product"), ("Home", "/other")])

    private func response(
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
        return String(decoding: response, as: UTF8.self)
    }

    @Test func `a response without errors is ok`() {
        #expect(response() == #"{"sequence":6,"ok":true,"commands":[]}"# + "\n")
        #expect(
            response(to: .render("title", "Products"))
                == #"{"sequence":7,"ok":true,"commands":[{"sequence":7,"page":"page","command":"render","key":"title","#
                + #""value":"Products"}]}"# + "\n"
        )
    }

    @Test func `a notice is not an error`() {
        #expect(
            response(to: .showAlert(.signupSuccessful))
                == #"{"sequence":7,"ok":true,"commands":[{"sequence":7,"page":"page","command":"showAlert","#
                + #""message":"Successful","code":"signup.successful"}]}"# + "\n"
        )
    }

    @Test func `a response with errors lists them, with the field that each is about`() {
        #expect(
            response(
                to: .render("userID", .null),
                .render("errorMessage", .invalidUserID),
                .showAlert(.wrongCredentials)
            )
                == #"{"sequence":9,"ok":false,"commands":["#
                + #"{"sequence":7,"page":"page","command":"render","key":"userID","value":null},"#
                + #"{"sequence":8,"page":"page","command":"render","key":"errorMessage","#
                + #""value":"A user ID has exactly twelve digits","code":"registration.invalidUserID","#
                + #""parameters":{"digits":12}},"#
                + #"{"sequence":9,"page":"page","command":"showAlert","message":"Wrong username or password","#
                + #""code":"login.wrongCredentials"}],"#
                + #""errors":[{"field":"userID","message":"A user ID has exactly twelve digits","#
                + #""code":"registration.invalidUserID","parameters":{"digits":12}},"#
                + #"{"message":"Wrong username or password","code":"login.wrongCredentials"}]}"# + "\n"
        )
    }

    @Test func `a minimal response lists the errors and no commands`() {
        #expect(
            response(to: .render("title", "Login"), .showAlert(.wrongCredentials), isMinimal: true, token: "t")
                == #"{"sequence":8,"ok":false,"commands":[],"#
                + #""errors":[{"message":"Wrong username or password","code":"login.wrongCredentials"}],"token":"t"}"#
                + "\n"
        )
        #expect(
            response(to: .goToPage("Home"), isMinimal: true) == #"{"sequence":7,"ok":true,"commands":[]}"# + "\n"
        )
    }

    @Test func `a destination that the service serves has the address of its page`() {
        #expect(
            response(to: .goToPage("ProductDetail", ["product": "Car"]), .goToPage("Away"), .goToPage("Home"))
                == #"{"sequence":9,"ok":true,"commands":["#
                + #"{"sequence":7,"page":"page","command":"goToPage","name":"ProductDetail","href":"/app/product","#
                + #""values":{"product":"Car"}},"#
                + #"{"sequence":8,"page":"page","command":"goToPage","name":"Away"},"#
                + #"{"sequence":9,"page":"page","command":"goToPage","name":"Home","href":"/app/home"}]}"# + "\n"
        )
    }

    @Test func `new tokens are at the end`() {
        #expect(
            response(token: "t", deviceToken: "d")
                == #"{"sequence":6,"ok":true,"commands":[],"token":"t","deviceToken":"d"}"# + "\n"
        )
    }

    @Test func `a history has commands and no verdict`() {
        let history = CommandHistory()
        history.append(.showAlert(.wrongCredentials), page: "login")
        history.append(.goToPage("Home"), page: "login")
        let text = String(
            decoding: CommandResponse.history(
                sequence: 2,
                commands: history.kept,
                context: ResponseContext(links: links)
            ),
            as: UTF8.self
        )
        #expect(
            text
                == #"{"sequence":2,"commands":[{"sequence":1,"page":"login","command":"showAlert","#
                + #""message":"Wrong username or password","code":"login.wrongCredentials"},"#
                + #"{"sequence":2,"page":"login","command":"goToPage","name":"Home","href":"/app/home"}]}"# + "\n"
        )
    }

    @Test func `the commands of a response are read back, and unknown kinds have none`() throws {
        let text = response(to: .showAlert(.wrongCredentials), .goToPage("Home", ["a": 1]), token: "t")
        let read = try CommandResponse(try JSONReader.read(Array(text.utf8)))
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
