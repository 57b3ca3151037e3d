extension String {
    /// The text with spaces after it, so that it has at least `width` code points.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - unicodeScalars.count))
    }
}
