import TestSupport

@Suite struct CommandDeclarationTests {
    private static let title = Output<String>("title", description: "The title.")
    private static let message = Output<Message?>("message")
    private static let other = Message(code: "test.other", text: "Other")

    @Test(
        arguments: [
            (.renders(title), .render("title", "Products"), true),
            (.renders(title), .render("Title", "Products"), false),
            (.renders(title), .render("title", .null), false),
            (.renders(title), .render("title", 1), false),
            (.renders(title), .render("title", .wrongCredentials), false),
            (.renders(title), .showAlert(.wrongCredentials), false),
            (.renders(title), .goToPage("title"), false),
            (.renders(message, .wrongCredentials), .render("message", .wrongCredentials), true),
            (.renders(message, .wrongCredentials), .render("message", .null), true),
            (.renders(message, .wrongCredentials), .render("message", other), false),
            (.renders(message, .wrongCredentials, other), .render("message", other), true),
            (.renders(message), .render("message", .null), true),
            (.renders(message), .render("message", .wrongCredentials), false),
            (.rendersAnyMessage(in: message), .render("message", other), true),
            (.rendersAnyMessage(in: message), .render("message", .null), true),
            (.rendersAnyMessage(in: message), .render("title", other), false),
            (.alerts(.wrongCredentials), .showAlert(.wrongCredentials), true),
            (.alerts(.wrongCredentials), .showAlert(other), false),
            (.alerts(), .showAlert(other), false),
            // A message is allowed by its code, whatever its text and parameters are.
            (.alerts(Message(code: "test.other", text: "", parameters: ["count": 1])), .showAlert(other), true),
            (.alerts(.wrongCredentials), .render("message", .wrongCredentials), false),
            (.goes(to: .home), .goToPage("Home"), true),
            (.goes(to: .home), .goToPage("home"), false),
            (.goes(to: .home), .goToPage("Home", ["product": "Car"]), false),
            (.goes(to: .product), .goToPage("ProductDetail", ["product": "Car"]), true),
        ] as [(CommandDeclaration, Command, Bool)]
    )
    func `a declaration allows the declared commands only`(
        declaration: CommandDeclaration,
        command: Command,
        isAllowed: Bool
    ) {
        #expect(declaration.content.allows(command, checksValues: true) == isAllowed)
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
        #expect(
            commands.map { row.declaration.allows($0, checksValues: true) } == [true, true, false, false, false]
        )
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
