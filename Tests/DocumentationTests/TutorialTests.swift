import Testing

/// The code of the tutorial.
@Suite struct TutorialTests {
    @Test(arguments: try TutorialStep.all())
    func `the reader's files compile after each step`(step: TutorialStep) async throws {
        let compiler = try await SwiftCompiler()
        let paths = Dictionary(uniqueKeysWithValues: step.files.keys.map { ($0, step.path(of: $0)) })
        try await compiler.compile(
            paths.filter { !$0.key.hasSuffix("Tests.swift") && $0.key != "Package.swift" },
            as: "registration"
        )
        let tests = paths.filter { $0.key.hasSuffix("Tests.swift") }
        if !tests.isEmpty { try await compiler.compile(tests, as: "RegistrationTests") }
    }

    @Test func `the example is the result of the tutorial`() throws {
        let example = try Checkout.files(below: "Examples/registration", endingIn: ".swift")
        let last = try #require(TutorialStep.all().last)
        for name in last.files.keys.sorted() where !name.hasSuffix("ViewController.swift") {
            let path = try #require(example.first { $0.hasSuffix("/" + name) }, "\(name)")
            #expect(try Checkout.text(path) == Checkout.text(last.path(of: name)), "\(name)")
        }
    }
}
