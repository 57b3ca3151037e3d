struct DestinationTests {
    static let name = Field<String>("name")
    static let age = Field<Int?>("age")
    static let phone = Field<PhoneNumber>("phone")

    @Test func `a command contains the values of the destination's fields`() throws {
        #expect(Command.goToPage(.home) == .goToPage("Home"))
        #expect(Command.goToPage(.product, "Car") == .goToPage("ProductDetail", ["product": "Car"]))
        let phone = try #require(PhoneNumber(screenValue: "+49 30"))
        #expect(
            Command.goToPage(Destination("profile", Self.name, Self.age, Self.phone), "Lisa", nil, phone)
                == .goToPage("profile", ["name": "Lisa", "age": .null, "phone": "+4930"])
        )
    }

    @Test func `a declared destination allows exactly the values of its fields`() {
        let declaration = CommandDeclaration.goes(to: Destination("profile", Self.name, Self.age)).content
        let commands = [
            ["name": "Lisa", "age": 8], ["age": .null, "name": ""], ["name": "Lisa"], ["name": "Lisa", "age": "8"],
            ["name": "Lisa", "age": 8, "instrument": "saxophone"], ["name": "Lisa", "Age": 8], [:],
        ].map { (values: Value.Object) in Command.goToPage("profile", values) }
        #expect(commands.filter { declaration.allows($0, checksValues: true) } == Array(commands.prefix(2)))
        #expect(commands.allSatisfy { declaration.allows($0, checksValues: false) })
    }
}
