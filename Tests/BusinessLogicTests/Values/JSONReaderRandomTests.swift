import Foundation

/// Compares `JSONReader` with Foundation's reader.
struct JSONReaderRandomTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `JSONReader and Foundation read the same value from a valid text`(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 1...50 {
            let value = random.value(depth: 6)
            let bytes = random.text(of: value).bytes
            #expect(try JSONReader.read(bytes) == value)
            #expect(try foundation(bytes).withDoublesOnly == value.withDoublesOnly)
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `JSONReader and Foundation differ only for known reasons`(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        for _ in 1...100 {
            var bytes = random.text(of: random.value(depth: 4)).bytes
            for _ in 0..<random.number(1...3) { spoil(&bytes, &random) }
            compare(bytes)
        }
    }

    func spoil(_ bytes: inout [UInt8], _ random: inout RandomJSON) {
        let interesting = "{}[],:\"\\0123456789.eE+-truefalsn /u\n\u{1}".bytes + [0x80, 0xC3, 0xE2, 0xED, 0xFF]
        let byte = random.element(of: interesting, or: 0)
        let place = random.number(0...bytes.count)
        switch random.number(0...3) {
        case 0: bytes.insert(byte, at: place)
        case 1 where place < bytes.count: bytes[place] = byte
        case 2 where place < bytes.count: bytes.remove(at: place)
        case 3 where place > 0:
            // Repeats a piece of the text.
            let end = random.number(place...bytes.count)
            bytes.insert(contentsOf: bytes[place..<end], at: end)
        default: break
        }
    }

    func compare(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        let text = bytes.text
        switch (Result { try JSONReader.read(bytes) }, Result { try foundation(bytes) }) {
        case (.success(let ours), .success(let theirs)):
            #expect(ours.withDoublesOnly == theirs.withDoublesOnly, "\(text)", sourceLocation: sourceLocation)
        case (.success(let ours), .failure(let error)):
            Issue.record("only we read \(text) as \(ours): \(error)", sourceLocation: sourceLocation)
        case (.failure(let error), .success):
            #expect(
                isKnown(error, in: bytes),
                "only Foundation reads \(text): \(error)",
                sourceLocation: sourceLocation
            )
        case (.failure, .failure):
            break
        }
    }

    /// Whether Foundation is known to accept it.
    func isKnown(_ error: any Error, in bytes: [UInt8]) -> Bool {
        guard let error = error as? JSONError else { return false }
        let known = [
            "a byte order mark is not allowed", "more than 32 levels deep", "a surrogate lacks its other half",
            "the number is too large",
        ]
        return known.contains(error.reason) || error.reason.hasSuffix("occurs twice")
            || isBehindComma(error.offset, in: bytes)
    }

    /// Whether an array or object ends with a comma at that offset.
    func isBehindComma(_ offset: Int, in bytes: [UInt8]) -> Bool {
        offset < bytes.count && "]}".bytes.contains(bytes[offset])
            && bytes[..<offset].last { !" \t\r\n".bytes.contains($0) } == UInt8(ascii: ",")
    }

    func foundation(_ bytes: [UInt8]) throws -> Value { try JSONDecoder().decode(Value.self, from: Data(bytes)) }
}
