/// The error for a setting of passwords that is out of its range.
public struct PasswordSettingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The setting with its unit: `memory of a password hash in KiB`.
    package let setting: String
    /// The rejected value.
    package let value: Int
    /// The allowed values, including both ends.
    package let allowed: ClosedRange<Int>

    /// Throws unless the value is allowed.
    static func check(_ value: Int, _ setting: String, in allowed: ClosedRange<Int>) throws(PasswordSettingError) {
        guard allowed.contains(value) else {
            throw PasswordSettingError(setting: setting, value: value, allowed: allowed)
        }
    }

    public var description: String {
        "the \(setting) must be from \(allowed.lowerBound) to \(allowed.upperBound), not \(value)"
    }
}
