/// Shows a list, and goes to a page; or uses what it does not declare.
private final class ShelfController: StatelessController, BusinessLogicController {
    static let name = Field<String>("name")
    static let count = Output<Int>("count")
    static let names = Output<[String]>("names")
    static let book = Destination<(String, Int)>("book", name, Field<Int>("page"))

    static let events: EventTable<ShelfController> = [
        .default("shown", reads: name, gives: [.renders(count), .renders(names), .goes(to: book)]) {
            $0.render(count, 1)
            $0.render(names, [$1])
            $0.goToPage(book, $1, 3)
        },
        .event("undeclared") { $0.render(count, 1) },
        .event("wrongType", gives: [.renders(count)]) { $0.controllable?.render("count", "one") },
        .event("undeclaredField", reads: name, gives: [.renders(names)]) { controller, name in
            controller.render(names, [name])
            _ = controller.controllable?.getValue("title")
        },
    ]
}

struct TypedExpectationTests {
    let screen = TestControllable(ShelfController())

    @Test func `values and destinations are expected one after the other`() async throws {
        try await screen.send("shown", ["name": "Emma"])
        screen.expect(ShelfController.count, 1)
        screen.expect(ShelfController.names, ["Emma"])
        screen.expect(.goToPage(ShelfController.book, "Emma", 3))
        screen.finish()
    }

    @Test func `another value or destination fails the test`() async throws {
        try await screen.send("shown", ["name": "Emma"])
        withKnownIssue { screen.expect(ShelfController.count, 2) }
        try await screen.send("shown", ["name": "Emma"])
        withKnownIssue { screen.expect(ShelfController.names, ["Emma"]) }
        try await screen.send("shown", ["name": "Emma"])
        screen.expect(ShelfController.count, 1)
        screen.expect(ShelfController.names, ["Emma"])
        withKnownIssue { screen.expect(.goToPage(ShelfController.book, "Emma", 4)) }
        screen.finish()
    }

    @Test func `without exhaustivity, other commands may come before`() async throws {
        screen.exhaustivity = .off
        try await screen.send("shown", ["name": "Emma"])
        screen.expect(ShelfController.names, ["Emma"])
        screen.expect(.goToPage(ShelfController.book, "Emma", 3))
        withKnownIssue { screen.expect(ShelfController.count, 1) }
    }

    @Test(arguments: [
        ("undeclared", "The event 'undeclared' gave 'render"), ("wrongType", "The event 'wrongType' gave 'render"),
        ("undeclaredField", "The event 'undeclaredField' read the field 'title', which its row does not declare."),
    ])
    func `an undeclared command or field fails the test at the line that sent the event`(event: String, text: String)
        async throws
    {
        screen.exhaustivity = .off
        let line = #line + 2
        try await withKnownIssue {
            try await screen.send(Event(event), ["name": "Emma"])
        } matching: {
            $0.comments.first?.rawValue.hasPrefix(text) == true && $0.sourceLocation?.line == line
        }
    }
}
