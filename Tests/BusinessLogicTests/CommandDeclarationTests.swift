struct CommandDeclarationTests {
    static let title = Output<String>("title", description: "The title.")
    static let message = Output<Message?>("message")
    static let other = Message(code: "test.other", text: "Other")

    @Test(
        arguments: [
            (
                .renders(title), [.render("title", "Products")],
                [
                    .render("Title", "Products"), .render("title", .null), .render("title", 1),
                    .showAlert(.wrongCredentials),
                    .render("title", .wrongCredentials), .goToPage("title"),
                ]
            ),
            (
                .renders(message, .wrongCredentials),
                [.render("message", .wrongCredentials), .render("message", .null)], [.render("message", other)]
            ),
            (.renders(message, .wrongCredentials, other), [.render("message", other)], []),
            (.renders(message), [.render("message", .null)], [.render("message", .wrongCredentials)]),
            (
                .rendersAnyMessage(in: message), [.render("message", other), .render("message", .null)],
                [.render("title", other)]
            ),
            (
                .alerts(.wrongCredentials), [.showAlert(.wrongCredentials)],
                [.showAlert(other), .render("message", .wrongCredentials)]
            ),
            (.alerts(), [], [.showAlert(other)]),
            // A message is allowed by its code, whatever its text and parameters are.
            (.alerts(Message(code: "test.other", text: "", parameters: ["count": 1])), [.showAlert(other)], []),
            (.goes(to: .home), [.goToPage("Home")], [.goToPage("home"), .goToPage("Home", ["product": "Car"])]),
            (.goes(to: .product), [.goToPage("ProductDetail", ["product": "Car"])], []),
        ] as [(CommandDeclaration, [Command], [Command])]
    )
    func `a declaration allows the declared commands only`(
        declaration: CommandDeclaration,
        allowed: [Command],
        others: [Command]
    ) {
        #expect((allowed + others).filter { declaration.content.allows($0, checksValues: true) } == allowed)
    }

    @Test func `without a check of values, only keys, codes and names count`() {
        let title = CommandDeclaration.renders(Self.title)
        #expect(title.content.allows(.render("title", 1), checksValues: false))
        #expect(!title.content.allows(.render("titel", "Products"), checksValues: false))
        #expect(!title.content.allows(.render("title", Self.other), checksValues: false))
        #expect(CommandDeclaration.goes(to: .home).content.allows(.goToPage("Home", ["a": 1]), checksValues: false))
    }

    @Test func `an event allows what one of its declarations allows`() {
        let row = EventRow<ProbeController>.event("opened", gives: [.renders(Self.title), .goes(to: .home)]) { _ in }
        let commands: [Command] = [
            .render("title", "Products"), .goToPage("Home"), .render("title", 1), .showAlert(.probe), .goToPage("Away"),
        ]
        #expect(commands.map { row.declaration.allows($0, checksValues: true) } == [true, true, false, false, false])
    }

    @Test func `a declaration names its messages`() {
        #expect(CommandDeclaration.renders(Self.message, .wrongCredentials, Self.other).content.messages.count == 2)
        #expect(CommandDeclaration.alerts(Self.other).content.messages == [Self.other])
        #expect(CommandDeclaration.rendersAnyMessage(in: Self.message).content.messages == [])
        #expect(CommandDeclaration.goes(to: .home).content.messages == [])
    }

    @Test(
        arguments: [
            (.renders(title), "render title: string"),
            (
                .renders(message, .wrongCredentials, other),
                "render message: string or null login.wrongCredentials or test.other"
            ),
            (.rendersAnyMessage(in: message), "render message: string or null (any message)"),
            (.alerts(other), "showAlert test.other"), (.goes(to: .home), "goToPage Home"),
            (.goes(to: .product), "goToPage ProductDetail with product"),
        ] as [(CommandDeclaration, String)]
    )
    func `a declaration's description is one line`(declaration: CommandDeclaration, text: String) {
        #expect("\(declaration.content)" == text)
    }
}
