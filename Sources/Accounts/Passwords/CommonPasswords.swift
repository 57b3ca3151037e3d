/// The commonest passwords, which whoever guesses tries first.
///
/// They are looked up where the program has them, so that they cost nothing at the start and no memory but their own.
enum CommonPasswords {
    /// Whether a password in lower case is among them.
    static func contains(_ password: String) -> Bool {
        list.withUTF8Buffer { list in
            Array(password.utf8).withUnsafeBufferPointer { contains($0, in: list) }
        }
    }

    /// Halves the bytes in which the line may begin, until none are left.
    private static func contains(_ word: UnsafeBufferPointer<UInt8>, in list: UnsafeBufferPointer<UInt8>) -> Bool {
        var candidates = 0..<list.count
        while !candidates.isEmpty {
            let middle = candidates.lowerBound + candidates.count / 2
            let start =
                list[candidates.lowerBound..<middle].lastIndex(of: lineFeed).map { $0 + 1 } ?? candidates.lowerBound
            let end = list[middle...].firstIndex(of: lineFeed) ?? list.count
            let line = list[start..<end]
            if line.elementsEqual(word) { return true }
            candidates =
                line.lexicographicallyPrecedes(word)
                ? min(end + 1, list.count)..<candidates.upperBound
                : candidates.lowerBound..<start
        }
        return false
    }

    private static let lineFeed = UInt8(ascii: "\n")
}
