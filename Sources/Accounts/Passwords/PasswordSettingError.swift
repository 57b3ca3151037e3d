/// Says which setting of passwords is out of its range.
public struct PasswordSettingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was to be set, and in which unit: `memory of a password hash in KiB`.
    public let setting: String
    /// What it was to be set to.
    public let value: Int
    /// What it may be set to.
    public let allowed: ClosedRange<Int>

    /// Checks a setting.
    static func check(_ value: Int, _ setting: String, in allowed: ClosedRange<Int>) throws(PasswordSettingError) {
        guard allowed.contains(value) else {
            throw PasswordSettingError(setting: setting, value: value, allowed: allowed)
        }
    }

    public var description: String {
        "the \(setting) has to be between \(allowed.lowerBound) and \(allowed.upperBound), and is \(value)"
    }
}
