import AccountsSQLite
import BundledControllers
import BusinessLogic
import Testing

extension Product {
    static let tea = Product(name: "Tea", description: "Green", image: "tea.png")
}

@Suite struct `Products of a database` {
    private let folder = TemporaryFolder()

    @Test func `products are in the order of their addition`() async throws {
        let database = try SQLiteDatabase(path: folder.file())
        #expect(try await database.products.get().isEmpty)
        let zebra = Product(name: "Zebra\u{1}", description: "", image: "")
        try await database.addProducts([zebra, .tea])
        try await database.addProducts([Product(name: "Ant", description: "Small", image: "ant.png")])
        #expect(try await database.products.get().map(\.name) == ["Zebra\u{1}", "Tea", "Ant"])
        #expect(try await database.products.get().prefix(2) == [zebra, .tea])
    }

    @Test func `a product replaces one with the same name`() async throws {
        let database = try SQLiteDatabase(path: folder.file())
        try await database.addProducts([Product(name: "Caf\u{E9}", description: "Black", image: "a"), .tea])
        let coffee = Product(name: "Cafe\u{301}", description: "White", image: "b")
        try await database.addProducts([coffee, Product(name: "Ant", description: "", image: "")])
        let products = try await database.products.get()
        #expect(products.map(\.description) == ["White", "Green", ""])
        #expect(products.first == coffee)
    }

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
