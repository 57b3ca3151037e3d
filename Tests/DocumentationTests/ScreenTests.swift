import Foundation
import HTTPTestClient
import Testing

/// These samples need UIKit and SwiftUI, which test modules replace.
@Test(arguments: ["Tests/DocumentationTests/Screens", "Examples/ios"])
func `the screens in the documentation compile`(folder: String) async throws {
    var files: [String: String] = [:]
    for path in try Checkout.files(below: folder, endingIn: ".swift") {
        let name = URL(filePath: path).lastPathComponent
        if name != "UIKit.swift", name != "SwiftUI.swift" { files[name] = path }
    }
    try await SwiftCompiler().compile(files, as: "Screens")
}
