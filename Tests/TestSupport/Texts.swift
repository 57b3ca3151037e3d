extension StringProtocol {
    /// The text so many times, one behind the other.
    package func repeated(_ count: Int) -> String { String(repeating: String(self), count: count) }

    /// The bytes of the text in UTF-8.
    package var bytes: [UInt8] { Array(utf8) }
}

extension Collection<UInt8> {
    /// The text with these bytes in UTF-8.
    package var text: String { String(decoding: self, as: UTF8.self) }
}

extension Array {
    /// The elements so many times, one behind the other.
    package func repeated(_ count: Int) -> [Element] { Array(repeatElement(self, count: count).joined()) }
}
