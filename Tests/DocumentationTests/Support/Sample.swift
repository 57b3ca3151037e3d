import Foundation
import HTTPTestClient
import Testing

/// A sample of Swift in the documentation.
struct Sample: CustomTestStringConvertible {
    /// The file that contains it, and the number of its first line there.
    let path: String
    let line: Int
    /// Its lines, trimmed and without empty ones.
    let code: [String]

    var testDescription: String { "\(path):\(line)" }

    /// The samples in the fences of a page.
    static func samples(ofPage path: String) throws -> [Sample] { samples(in: try Checkout.text(path).lines, path) }

    /// The samples in a source file's documentation comments.
    static func samples(ofSource path: String) throws -> [Sample] {
        // Other lines become empty, so that the lines keep their numbers.
        let comments = try Checkout.text(path).lines.map { line in
            line.trimmed.hasPrefix("///") ? String(line.trimmed.dropFirst(3)) : ""
        }
        return samples(in: comments, path)
    }

    static func samples(in lines: [String], _ path: String) -> [Sample] {
        var samples: [Sample] = []
        var start: Int?
        for (index, line) in lines.enumerated() {
            if let first = start, line.trimmed.hasPrefix("```") {
                samples.append(Sample(path: path, line: first + 1, code: lines[first..<index].significant))
                start = nil
            } else if line.trimmed == "```swift" {
                start = index + 1
            }
        }
        return samples
    }
}

extension String {
    var lines: [String] { split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

extension Sequence<String> {
    /// The lines, trimmed and without empty ones.
    var significant: [String] { map(\.trimmed).filter { !$0.isEmpty } }
}
