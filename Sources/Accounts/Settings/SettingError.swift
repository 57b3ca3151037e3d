/// Why a setting of passwords or mails, or the hash of a password, cannot be used. Contains no secret.
public struct SettingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, and what is expected.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Throws unless a value is allowed. `setting` includes its unit: `memory of a password hash in KiB`.
    static func check(_ value: Int, _ setting: String, in allowed: ClosedRange<Int>) throws(SettingError) {
        if allowed.contains(value) { return }
        throw SettingError("the \(setting) must be from \(allowed.lowerBound) to \(allowed.upperBound), not \(value)")
    }
}
