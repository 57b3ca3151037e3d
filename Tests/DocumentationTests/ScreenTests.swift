import Foundation
import Testing

/// These samples need UIKit, for which a test module stands in.
@Test func `the screens in the documentation compile`() async throws {
    var files: [String: String] = [:]
    for path in try Checkout.files(below: "Tests/DocumentationTests/Screens", endingIn: "Controller.swift") {
        files[URL(filePath: path).lastPathComponent] = path
    }
    try await SwiftCompiler().compile(files, as: "Screens")
}
