import AccountsSQLite
import BundledControllers
import BusinessLogic
import Testing

extension Product {
    static let tea = Product(name: "Tea", description: "Green", image: "tea.png")
}

@Suite struct `Products of a database` {
    private let folder = TemporaryFolder()

    @Test func `if one product cannot be added, none is added`() async throws {
        let database = try SQLiteDatabase(path: folder.file())
        try await OtherConnection(folder.file()).execute(
            "CREATE TRIGGER full BEFORE INSERT ON product WHEN new.name = 'last' BEGIN SELECT RAISE(ABORT, 'full'); END"
        )
        await #expect(throws: CollaboratorError.unavailable(retryAfter: .seconds(1), part: "products")) {
            try await database.addProducts([.tea, Product(name: "last", description: "", image: "")])
        }
        #expect(try await database.products.get().isEmpty)
    }
}
