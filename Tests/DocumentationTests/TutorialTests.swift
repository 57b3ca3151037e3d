import HTTPTestClient
import Testing

/// The code of the tutorial.
@Suite struct TutorialTests {
    @Test func `the reader's files compile after each step`() async throws {
        // One for all steps, because each compiles the modules that replace UIKit and SwiftUI.
        let compiler = try await SwiftCompiler()
        for step in try TutorialStep.all() {
            let paths = Dictionary(uniqueKeysWithValues: step.files.keys.map { ($0, step.path(of: $0)) })
            let tests = paths.filter { $0.key.hasSuffix("Tests.swift") }
            let others = paths.filter { tests[$0.key] == nil && $0.key != "Package.swift" }
            try await compiler.compile(others, as: "registration", of: step.testDescription)
            if !tests.isEmpty { try await compiler.compile(tests, as: "RegistrationTests", of: step.testDescription) }
        }
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
