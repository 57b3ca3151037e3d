@testable import Understudy

struct GzipTests {
    @Test(arguments: [0, 1, 1024, 1_000_000])
    func `what is decompressed is what was compressed`(size: Int) throws {
        let text = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
        #expect(try text.gzipped().gunzipped == text)
        var random = SystemRandomNumberGenerator()
        // It becomes longer.
        let noise = (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        #expect(try noise.gzipped().gunzipped == noise)
    }

    @Test func `the same bytes give the same result, without a name and a time`() throws {
        let text = "text ".repeated(1000).bytes
        let compressed = try text.gzipped()
        #expect(try text.gzipped() == compressed)
        // ID, deflate, no flags, no time, maximum compression, Unix (RFC 1952, section 2.3).
        #expect(compressed.prefix(10) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3])
        #expect(compressed.count < 100)
    }
}
