import Foundation
import Testing

/// Samples that need UIKit compile as well, against a stand-in for it.
@Test func `the screens that the documentation shows compile`() async throws {
    var files = ["GuestbookController.swift": "Examples/guestbook/Sources/guestbook/GuestbookController.swift"]
    for path in try Checkout.files(below: "Tests/DocumentationTests/Screens", endingIn: "Controller.swift") {
        files[URL(filePath: path).lastPathComponent] = path
    }
    try await SwiftCompiler().compile(files, as: "Screens")
}

/// The samples are somebody else's code, and cannot count on how this package is built.
@Test func `the articles' samples compile with the settings that the articles name`() async throws {
    var files: [String: String] = [:]
    for folder in ["Samples", "Support"] {
        for path in try Checkout.files(below: "Tests/DocumentationTests/" + folder, endingIn: ".swift") {
            files[URL(filePath: path).lastPathComponent] = path
        }
    }
    try await SwiftCompiler().compile(files, as: "Samples")
}
