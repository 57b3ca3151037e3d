import BundledControllers
import BusinessLogic
import Testing

@Suite struct EventTablesTests {
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

    @Test func `the bundled pages keep their events and fields`() {
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

    /// One line per event; `*` marks the default event, `?` an optional field, `!` a secret one.
    private func summary(of table: EventTable<some AnyObject>) -> [String] {
        table.declarations.map { declaration in
            let fields = declaration.reads.map { field in
                "\(field.kind) \(field.name)\(field.isOptional ? "?" : "")\(field.isSecret ? "!" : "")"
            }
            return "\(declaration.event.name)\(declaration.isDefault ? "*" : "") \(fields.joined(separator: ", "))"
        }
    }
}
