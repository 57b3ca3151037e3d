import TestSupport

@Suite struct DestinationTests {
    private static let name = Field<String>("name")
    private static let age = Field<Int?>("age")
    private static let phone = Field<PhoneNumber>("phone")

    @Test func `a destination names its page and the fields that it fills in`() {
        let profile = Destination("Profile", page: "profile", Self.name, Self.age).declaration
        #expect(profile.name == "Profile")
        #expect(profile.page == "profile")
        #expect(profile.fields == [Self.name.declaration, Self.age.declaration])
    }

    @Test func `a screen of the client is no page`() {
        let settings = Destination.ofClient("settings", Self.name)
        #expect(settings.declaration.name == "settings")
        #expect(settings.declaration.page == nil)
        #expect(settings.declaration.fields == [Self.name.declaration])
        #expect(Destination<()>.ofClient("settings").declaration.fields == [])
    }

    @Test func `a command contains the values of the destination's fields`() throws {
        #expect(Command.goToPage(.home) == .goToPage("Home"))
        #expect(Command.goToPage(.product, "Car") == .goToPage("ProductDetail", ["product": "Car"]))
        let phone = try #require(PhoneNumber(screenValue: "+49 30"))
        #expect(
            Command.goToPage(Destination("profile", Self.name, Self.age, Self.phone), "Lisa", nil, phone)
                == .goToPage("profile", ["name": "Lisa", "age": .null, "phone": "+4930"])
        )
    }

    @Test(
        arguments: [
            (.goToPage("profile", ["name": "Lisa", "age": 8]), true),
            (.goToPage("profile", ["age": .null, "name": ""]), true),
            (.goToPage("profile", ["name": "Lisa"]), false),
            (.goToPage("profile", ["name": "Lisa", "age": "8"]), false),
            (.goToPage("profile", ["name": "Lisa", "age": 8, "instrument": "saxophone"]), false),
            (.goToPage("profile", ["name": "Lisa", "Age": 8]), false),
            (.goToPage("profile"), false),
        ] as [(Command, Bool)]
    )
    func `a declared destination allows exactly the values of its fields`(command: Command, isAllowed: Bool) {
        let declaration = CommandDeclaration.goes(to: Destination("profile", Self.name, Self.age))
        #expect(declaration.content.allows(command, checksValues: true) == isAllowed)
        #expect(declaration.content.allows(command, checksValues: false))
    }
}
