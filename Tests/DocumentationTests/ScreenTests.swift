import Foundation
import Testing

/// Samples that need UIKit compile as well, against a stand-in for it.
@Test func `the screens that the documentation shows compile`() async throws {
    var files: [String: String] = [:]
    for path in try Checkout.files(below: "Tests/DocumentationTests/Screens", endingIn: "Controller.swift") {
        files[URL(filePath: path).lastPathComponent] = path
    }
    try await SwiftCompiler().compile(files, as: "Screens")
}
