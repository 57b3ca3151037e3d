internal import CResources

/// Those of the 10,000 most common passwords that have at least 8 characters. No ``ServicePasswordPolicy``
/// allows a shorter one.
///
/// The list is `common-passwords.txt`, in lower case and sorted by bytes, as `scripts/checks/generate-common-passwords` writes it; NOTICE contains
/// its licence. A lookup is a binary search in it.
enum CommonPasswords {
    /// Whether the list contains a password, which must be in lower case.
    static func contains(_ password: String) -> Bool {
        Array(password.utf8).withUnsafeBufferPointer { contains($0, in: list) }
    }

    static var list: UnsafeBufferPointer<UInt8> {
        let file = CResources_find("Accounts/Passwords/common-passwords.txt")
        return UnsafeBufferPointer(start: file.bytes, count: Int(file.size))
    }

    /// Whether a line of the list is the word. `candidates` are the bytes at which that line may begin.
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
