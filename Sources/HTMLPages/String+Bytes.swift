extension String {
    /// Code points that form a character with the bytes change nothing.
    func replacingBytes(_ bytes: String, with others: String) -> String {
        String(decoding: Array(utf8).replacing(Array(bytes.utf8), with: Array(others.utf8)), as: UTF8.self)
    }
}
