import CResources

/// Those of the 10,000 most common passwords that have at least 8 characters. No ``ServicePasswordPolicy``
/// allows a shorter one.
///
/// The list is `common-passwords.txt`, in lower case and sorted by bytes, as `scripts/checks/generate-common-passwords` writes it; NOTICE contains
/// its licence.
enum CommonPasswords {
    private static let passwords = Set(list.split(separator: UInt8(ascii: "\n")).map(Array.init))

    /// Whether the list contains a password, which must be in lower case.
    static func contains(_ password: String) -> Bool { passwords.contains(Array(password.utf8)) }

    static var list: UnsafeBufferPointer<UInt8> {
        let file = CResources_find("Accounts/Passwords/common-passwords.txt")
        return UnsafeBufferPointer(start: file.bytes, count: Int(file.size))
    }
}
