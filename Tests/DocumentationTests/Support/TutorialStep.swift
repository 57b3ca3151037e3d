import Foundation
import HTTPTestClient
import Testing

/// The files of a reader of the tutorial after one of its steps.
struct TutorialStep: CustomTestStringConvertible {
    let number: Int
    /// The reader's Swift files: the name of each, with its name in the catalogue.
    let files: [String: String]

    var testDescription: String { "\(number): \(files.values.sorted().joined(separator: ", "))" }

    static let catalogue = "Sources/Understudy/Understudy.docc"

    /// The steps of all parts of the tutorial that change a Swift file.
    static func all() throws -> [TutorialStep] {
        var steps: [TutorialStep] = []
        var files: [String: String] = [:]
        let contents = try Checkout.text(catalogue + "/Tutorials/Tutorials.tutorial")
        for part in contents.matches(of: /tutorial: "doc:(\w+)"/) {
            let text = try Checkout.text(catalogue + "/Tutorials/\(part.1).tutorial")
            for code in text.matches(of: /@Code\(name: "([^"]+\.swift)", file: "([^"]+)"/) {
                files[String(code.1)] = String(code.2)
                steps.append(TutorialStep(number: steps.count + 1, files: files))
            }
        }
        return steps
    }

    func path(of name: String) -> String { Self.catalogue + "/Resources/" + (files[name] ?? name) }
}
