import Testing

/// Samples that need UIKit compile as well, against a stand-in for it.
@Test func `the screens that the documentation shows compile`() throws {
    let files = try Checkout.files(below: "Tests/DocumentationTests/Screens", endingIn: "Controller.swift")
    let compiler = try SwiftCompiler()
    try compiler.compile(
        Dictionary(uniqueKeysWithValues: files.map { ($0.replacing("/", with: "-"), $0) }),
        as: "Screens"
    )
}
