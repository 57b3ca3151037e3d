import BundledControllers
import BusinessLogic
import Testing
import TestSupport

@Suite struct EventTableTests {
    @Test func `an event finds its own row`() {
        let events = ProbeController.events.rows.map(\.declaration.event)
        #expect(events == ["nothingRead", "everythingRead", "chattered", "alerted", "left", "failed"])
        #expect(events.map { ProbeController.events[$0]?.declaration.event } == events)
    }

    @Test(arguments: ["", "everythingread", "everythingRead ", "nothing"])
    func `an event that is not declared finds no row`(name: String) {
        #expect(ProbeController.events[Event(name)]?.declaration == nil)
    }

    @Test func `the rows declare what they were given`() {
        #expect(ProbeController.events.declarations == ProbeController.events.rows.map(\.declaration))
        #expect(
            ProbeController.events["everythingRead"]?.declaration.reads == [
                Field("text"), Field("number", .number), Field("boolean", .boolean), Field("note", isOptional: true),
                Field("pin", isSecret: true),
            ]
        )
        #expect(ProbeController.events["nothingRead"]?.declaration.reads == [])
        #expect(
            ProbeController.events.declarations.filter(\.isDefault).map(\.event) == ["everythingRead"]
        )
    }

    @Test func `the examples of every bundled event fit the fields that it reads`() {
        func check<Controller>(_ table: EventTable<Controller>) {
            for row in table.rows {
                for example in row.examples() {
                    #expect(row.declaration.reads.map(\.name) == example.map(\.name))
                    #expect(row.declaration.reads.allSatisfy { example[$0.name].map($0.accepts) ?? false })
                }
                #expect(row.examples().isEmpty == row.declaration.reads.isEmpty)
            }
        }
        check(LoginBusinessLogicController.events)
        check(RegistrationBusinessLogicController.events)
        check(SignupBusinessLogicController.events)
        check(ProductsPresenter.events)
        check(ProductDetailPresenter.events)
        check(EmailBusinessLogicController.events)
    }

    @Test func `a row does what was declared for it`() async throws {
        let controller = ProbeController()
        try await ProbeController.events["nothingRead"]?.handle(controller)
        #expect(controller.state == 1)
    }

    @Test func `a declaration comes back from JSON as it was`() throws {
        let declarations = ProbeController.events.declarations
        #expect(try throughJSON(declarations) == declarations)
    }

    @Test func `the bundled pages declare the events and fields that clients know`() {
        #expect(
            summary(of: LoginBusinessLogicController.events) == [
                "loginButtonPressed* string username, string password!"
            ]
        )
        #expect(summary(of: RegistrationBusinessLogicController.events) == ["textFieldDidEndEditing* string userID?"])
        #expect(
            summary(of: SignupBusinessLogicController.events) == [
                "viewDidLoad ",
                "nameChanged string name?",
                "emailChanged string email?",
                "passwordChanged string password?!",
                "submitButtonPressed* string name?, string email?, string password?!",
            ]
        )
        #expect(summary(of: ProductsPresenter.events) == ["onStart* ", "onSelected string product"])
        #expect(summary(of: ProductDetailPresenter.events) == ["onStart* string product"])
        #expect(
            summary(of: EmailBusinessLogicController.events) == ["emailChanged* string email?", "saveButtonPressed "]
        )
    }

    /// One line an event; `*` marks the default one, `?` a field that may hold nothing, `!` a secret one.
    private func summary(of table: EventTable<some AnyObject>) -> [String] {
        table.declarations.map { declaration in
            let fields = declaration.reads.map { field in
                "\(field.kind) \(field.name)\(field.isOptional ? "?" : "")\(field.isSecret ? "!" : "")"
            }
            return "\(declaration.event.name)\(declaration.isDefault ? "*" : "") \(fields.joined(separator: ", "))"
        }
    }

    @Test func `a table without a default event stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = EventTable<ProbeController>(arrayLiteral: .event("a") { _ in })
        }
    }

    @Test func `a table with two default events stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = EventTable<ProbeController>(arrayLiteral: .default("a") { _ in }, .default("b") { _ in })
        }
    }

    @Test func `a table that declares an event twice stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = EventTable<ProbeController>(arrayLiteral: .default("a") { _ in }, .event("a") { _ in })
        }
    }
}
