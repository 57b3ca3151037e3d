import BusinessLogic
import Foundation
import TestSupport
import Testing

/// The files of https://github.com/nst/JSONTestSuite, where `JSON_TEST_SUITE` says where its folder `test_parsing` is: 95
/// that every reader has to accept, 188 that none may. What they ask for stands in `JSONReaderTests`, too.
@Suite(.enabled(if: folder != nil)) struct JSONTestSuiteTests {
    @Test func `every file that has to be accepted is, but for names that stand twice`() throws {
        var refused: [String] = []
        let files = try files(beginningWith: "y_")
        for file in files where (try? JSONReader.read(Array(file.contents))) == nil { refused.append(file.name) }
        #expect(files.count == 95)
        // The wire contract refuses them, as RFC 8259, section 4, allows.
        #expect(refused == ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"])
    }

    @Test func `every file that may not be accepted is refused`() throws {
        let files = try files(beginningWith: "n_")
        #expect(files.count == 188)
        for file in files {
            #expect(throws: JSONError.self, "\(file.name)") { try JSONReader.read(Array(file.contents)) }
        }
    }

    @Test func `the others are read or refused`() throws {
        for file in try files(beginningWith: "i_") { _ = try? JSONReader.read(Array(file.contents)) }
    }

    private func files(beginningWith prefix: String) throws -> [(name: String, contents: Data)] {
        let folder = URL(filePath: try #require(folder))
        return try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
            .filter { $0.hasPrefix(prefix) }
            .map { ($0, try Data(contentsOf: folder.appending(path: $0))) }
    }
}

private let folder = ProcessInfo.processInfo.environment["JSON_TEST_SUITE"]
