import HTTPMessages

/// What a client prefers, as in the headers `Accept`, `Accept-Encoding` and `Accept-Language` (RFC 9110, section 12.5).
///
/// Reads the first 32 ranges in the first 1,024 bytes, so that a hostile header takes no time. Ignores malformed ranges.
struct PreferenceList {
    typealias Text = Slice<UnsafeBufferPointer<UInt8>>

    /// What is preferred, such as `text/event-stream`, `gzip`, `de-AT` or `*`.
    struct Range {
        /// The range without its parameters.
        let name: Text
        /// The quality in thousandths.
        private(set) var quality = 1000
        /// Whether the range has other parameters than its quality.
        private(set) var hasOtherParameters = false

        /// Reads `text/html;level=1;q=0.5`. Returns `nil` if it is malformed.
        fileprivate init?(_ element: Text) {
            var parts = Parts(of: element, between: UInt8(ascii: ";"))
            guard let name = parts.next()?.trimmed, !name.isEmpty else { return nil }
            self.name = name
            var hasQuality = false
            while let parameter = parts.next()?.trimmed {
                if parameter.first?.lowercased == UInt8(ascii: "q"), parameter.dropFirst().first == UInt8(ascii: "=") {
                    guard !hasQuality, let quality = parameter.dropFirst(2).quality else { return nil }
                    (self.quality, hasQuality) = (quality, true)
                } else {
                    hasOtherParameters = true
                }
            }
        }
    }

    private let value: UnsafeBufferPointer<UInt8>

    private static let maximumLength = 1024
    private static let maximumCount = 32

    init(_ value: UnsafeBufferPointer<UInt8>) {
        self.value = UnsafeBufferPointer(rebasing: value.prefix(Self.maximumLength))
    }

    /// The ranges in their order. They exist as long as the headers.
    var ranges: some Sequence<Range> {
        Parts(of: value[...], between: UInt8(ascii: ",")).prefix(Self.maximumCount).lazy.compactMap { Range($0) }
    }
}

/// The parts of a text between separators that are not in a quoted string.
private struct Parts: Sequence, IteratorProtocol {
    private var rest: PreferenceList.Text?
    private let separator: UInt8

    init(of text: PreferenceList.Text, between separator: UInt8) {
        rest = text
        self.separator = separator
    }

    mutating func next() -> PreferenceList.Text? {
        guard let text = rest else { return nil }
        var (isQuoted, isEscaped) = (false, false)
        for index in text.indices {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, text[index] == UInt8(ascii: "\\") {
                isEscaped = true
            } else if text[index] == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if !isQuoted, text[index] == separator {
                rest = text[(index + 1)...]
                return text[..<index]
            }
        }
        rest = nil
        return text
    }
}

extension PreferenceList.Text {
    /// The thousandths of a weight such as `0.5` (RFC 9110, section 12.4.2); `nil` if it is malformed.
    fileprivate var quality: Int? {
        guard (1...5).contains(count) else { return nil }
        var (quality, unit) = (0, 1000)
        for (offset, byte) in enumerated() {
            if offset == 1 {
                guard byte == UInt8(ascii: ".") else { return nil }
                continue
            }
            guard byte.isDigit else { return nil }
            quality += Int(byte - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return quality <= 1000 ? quality : nil
    }
}
