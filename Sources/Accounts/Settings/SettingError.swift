/// Why a setting of passwords or mails cannot be used. Contains no secret.
public struct SettingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, and what is expected.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// `nil` if a value is allowed.
    ///
    /// - Parameters:
    ///   - setting: the setting with its unit: `memory of a password hash in KiB`.
    ///   - allowed: the allowed values, including both ends.
    init?(_ value: Int, _ setting: String, in allowed: ClosedRange<Int>) {
        if allowed.contains(value) { return nil }
        description = "the \(setting) must be from \(allowed.lowerBound) to \(allowed.upperBound), not \(value)"
    }

    /// Throws unless the value is allowed.
    static func check(_ value: Int, _ setting: String, in allowed: ClosedRange<Int>) throws(SettingError) {
        if let error = SettingError(value, setting, in: allowed) { throw error }
    }
}
