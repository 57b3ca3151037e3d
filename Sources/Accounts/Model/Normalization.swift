import CUnistring

extension String {
    /// The text in NFC (Unicode Standard Annex 15).
    package var normalized: String { normalized(CUnistring_nfc()) }

    /// The text in NFKC (the same annex).
    var compatible: String { normalized(CUnistring_nfkc()) }

    private func normalized(_ form: uninorm_t) -> String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var text = self
        var count = 0
        // This fails only without memory, because a string is valid UTF-8.
        let result = text.withUTF8 { u8_normalize(form, $0.baseAddress, $0.count, nil, &count) }
        guard let result else { preconditionFailure("a text cannot be normalized") }
        defer { free(result) }
        return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
    }

    /// Whether the text has at most `limit` code points. Stops counting at the limit.
    func hasAtMost(codePoints limit: Int) -> Bool {
        unicodeScalars.index(unicodeScalars.startIndex, offsetBy: limit + 1, limitedBy: unicodeScalars.endIndex) == nil
    }
}
