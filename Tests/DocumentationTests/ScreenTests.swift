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
