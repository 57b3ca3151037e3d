import Foundation
import TestSupport

/// What RFC 8259 requires of a reader, with at least the breadth of https://github.com/nst/JSONTestSuite.
@Suite struct JSONConformanceTests {
    @Test func `every valid text is read as Foundation reads it`() throws {
        for text in JSONSamples.valid {
            let expected = try JSONDecoder().decode(Value.self, from: Data(text))
            #expect((try? JSONReader.read(text))?.withDoublesOnly == expected.withDoublesOnly, "\(shown(text))")
        }
    }

    @Test func `every invalid text is rejected`() {
        for text in JSONSamples.invalid {
            #expect(throws: JSONError.self, "\(shown(text))") { try JSONReader.read(text) }
        }
    }

    @Test func `a text that a reader may reject is accepted as in the wire contract`() {
        for text in JSONSamples.accepted {
            #expect(throws: Never.self, "\(shown(text))") { try JSONReader.read(text) }
        }
    }

    @Test func `no sample is listed twice`() {
        let texts = JSONSamples.valid + JSONSamples.invalid + JSONSamples.accepted
        let repeated = Dictionary(grouping: texts) { $0 }.filter { $1.count > 1 }.keys
        #expect(repeated.map(shown).sorted() == [])
    }

    private func shown(_ text: [UInt8]) -> String { String(decoding: text.prefix(200), as: UTF8.self).debugDescription }
}
