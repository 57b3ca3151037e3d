extension String {
    /// The text with other bytes in place of some. Code points that form a character with them change nothing.
    func replacingBytes(_ bytes: StaticString, with others: String) -> String {
        let pattern = UnsafeBufferPointer(start: bytes.utf8Start, count: bytes.utf8CodeUnitCount)
        guard let first = pattern.first, utf8.contains(first) else { return self }
        let text = Array(utf8)
        var (replaced, index) = ([UInt8](), 0)
        while index < text.count {
            if text[index] == first, text[index...].starts(with: pattern) {
                replaced.append(contentsOf: others.utf8)
                index += pattern.count
            } else {
                replaced.append(text[index])
                index += 1
            }
        }
        return String(decoding: replaced, as: UTF8.self)
    }
}
