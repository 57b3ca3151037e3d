extension String {
    /// The text with other bytes in place of some. Code points that form a character with them change nothing.
    func replacingBytes(_ bytes: String, with others: String) -> String {
        String(decoding: Array(utf8).replacing(Array(bytes.utf8), with: Array(others.utf8)), as: UTF8.self)
    }
}
