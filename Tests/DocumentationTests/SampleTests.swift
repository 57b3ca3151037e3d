import Foundation
import HTTPTestClient
import Testing

/// The samples of Swift in the documentation are copies of compiled code.
@Suite struct SampleTests {
    static func sources() throws -> [String] { try Checkout.files(below: "Sources", endingIn: ".swift") }

    static func samples() throws -> [Sample] {
        let pages = try ["Sources", "docs", "Examples"].flatMap { try Checkout.files(below: $0, endingIn: ".md") }
        return try (["README.md", "CONTRIBUTING.md"] + pages).flatMap(Sample.samples(ofPage:))
            + sources().flatMap(Sample.samples(ofSource:))
    }

    /// The lines of each file that a build or a test compiles.
    static let compiled = Result {
        try ["Sources", "Tests", "Examples"].flatMap { try Checkout.files(below: $0, endingIn: ".swift") }
            .map { try Checkout.text($0).lines.significant }
    }

    @Test(arguments: try samples())
    func `a compiled file contains the sample, line for line`(sample: Sample) throws {
        #expect(!sample.code.isEmpty)
        #expect(try Self.compiled.get().contains { $0.contains(sample.code) })
    }

    @Test(arguments: try sources())
    func `a sample in a comment is in a fence`(source: String) throws {
        // DocC also shows indented text after an empty line as code, which no test would find.
        var previous = ""
        var isInSample = false
        for line in try Checkout.text(source).lines.map(\.trimmed) {
            if line.hasPrefix("/// ```") { isInSample.toggle() }
            #expect(isInSample || previous != "///" || !line.hasPrefix("///     "), "\(line)")
            previous = line
        }
    }

    /// A reader copies them into a package without the settings of this one.
    @Test func `the samples compile with the settings that the articles name`() async throws {
        var files: [String: String] = [:]
        for folder in ["Samples", "Support"] {
            for path in try Checkout.files(below: "Tests/DocumentationTests/" + folder, endingIn: ".swift") {
                files[URL(filePath: path).lastPathComponent] = path
            }
        }
        try await SwiftCompiler().compile(files, as: "Samples")
    }
}
