/// Normalises what a user typed.
public protocol InputNormalising: Sendable {
    /// Returns the normalised input: an empty text for `nil`.
    func normalise(_ input: String?) -> String
}

/// Removes all white space and newlines, at the edges and inside (article "Rehoming View Controller
/// Responsibilities"): every scalar with Unicode's White_Space property.
public struct InputNormaliser: InputNormalising {
    /// Creates a normaliser.
    public init() {}

    public func normalise(_ input: String?) -> String {
        guard var input else { return "" }
        // Nearly all input is ASCII, mostly without white space.
        guard !input.withUTF8({ $0.allSatisfy { (0x21...0x7E).contains($0) } }) else { return input }
        return input.withUTF8 { Self.normalise(ascii: $0) }
            ?? String(String.UnicodeScalarView(input.unicodeScalars.filter { !$0.isWhiteSpace }))
    }

    /// Returns `nil` if the text contains other characters than ASCII.
    private static func normalise(ascii text: UnsafeBufferPointer<UInt8>) -> String? {
        guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
        // On the stack, because the result often needs no buffer, although the text does.
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { normalised in
            var count = 0
            for byte in text where !Unicode.Scalar(byte).isWhiteSpace {
                normalised[count] = byte
                count += 1
            }
            return String(decoding: UnsafeBufferPointer(rebasing: normalised[..<count]), as: UTF8.self)
        }
    }
}

extension Unicode.Scalar {
    /// Whether it has the property White_Space (Unicode 16; the file PropList.txt). The standard library's property is
    /// slower: it searches all tables.
    fileprivate var isWhiteSpace: Bool {
        // For speed: nearly all input is ASCII.
        if value < 0x80 { return value == 0x20 || (0x9...0xD).contains(value) }
        return switch value {
        case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }
}
