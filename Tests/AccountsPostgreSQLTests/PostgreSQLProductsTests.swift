import AccountsPostgreSQL
import BundledControllers
import BusinessLogic
import Testing

@Suite(.timeLimit(.minutes(5)), .serialized)
struct PostgreSQLProductsTests {
    private let tea = Product(name: "Tea", description: "Green", image: "tea.png")

    @Test func `if one product cannot be added, none is added`() async throws {
        try await TestSchema.with { schema in
            try await withDatabase(schema.uri) { database in
                try await schema.execute("ALTER TABLE product ADD CHECK (name <> 'last')")
                await #expect(throws: CollaboratorError.unavailable(retryAfter: .seconds(1), part: "products")) {
                    try await database.addProducts([tea, Product(name: "last", description: "", image: "")])
                }
                #expect(try await database.products.get().isEmpty)
            }
        }
    }
}
