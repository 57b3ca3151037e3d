import ArgumentParser
import FoundationEssentials
import YAML

/// Returns the values of settings: from an option, else from the environment, else from the configuration file, else the
/// default.
///
/// Not thread-safe: use it in one task at a time.
final class SettingsReader {
    /// Where a value comes from.
    enum Origin: Equatable, Sendable {
        case option
        case environment(variable: String)
        case file(String)
        case `default`
    }

    /// A value that was read, in the form in which a person writes it.
    struct Reading: Sendable {
        let setting: any AnySetting
        /// The text without secrets.
        let text: String
        let origin: Origin
        /// The value; `nil` for the default.
        fileprivate let value: (any Sendable)?
        /// The text with secrets.
        fileprivate let fullText: String
    }

    /// The last reading of each setting that was read.
    private(set) var readings: [Reading] = []

    private let environment: [String: String]
    private let file: (path: String, values: [String: String])?
    /// What replaces the values of some settings, by their names.
    private let kept: [String: Reading]

    /// Reads the configuration file.
    ///
    /// - Parameter path: the file: YAML, or JSON, which YAML includes. If this is `nil`, the variable `UNDERSTUDY_CONFIG` names
    ///   the file. If the variable is empty, there is no file. If it is not set, the file is ``usualPath``, if that exists.
    /// - Parameter variables: the environment.
    /// - Throws: ``CommandError`` if the file cannot be read, or contains an unknown setting.
    init(
        file path: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandError) {
        self.environment = environment
        kept = [:]
        let named = path ?? environment["UNDERSTUDY_CONFIG"] ?? Self.usualFile
        file = if let named, !named.isEmpty { (named, try Self.values(in: named)) } else { nil }
    }

    /// The values in a configuration file. Errors do not contain its values, which can be passwords.
    private static func values(in path: String) throws(CommandError) -> [String: String] {
        let text: Data
        do { text = try Data(contentsOf: URL(filePath: path)) } catch {
            throw CommandError("The configuration file '\(path)' cannot be read: \(error.systemReason)")
        }
        let node: YAMLNode?
        do { node = try YAMLNode.read(Array(text)) } catch {
            throw CommandError("The configuration file '\(path)' cannot be read: \(error.description.printable)")
        }
        guard case .mapping(let members) = node ?? .mapping([]) else {
            throw CommandError("The configuration file '\(path)' must contain lines of the form 'SETTING: VALUE'.")
        }
        var values: [String: String] = [:]
        for member in members {
            let name = member.name
            guard Settings.all.contains(where: { $0.name == name }) else {
                throw CommandError(
                    "The configuration file '\(path)' contains '\(name.printable)', which is not a setting."
                )
            }
            guard case .scalar(let value, _) = member.node else {
                throw CommandError("The configuration file '\(path)' must contain a single value for '\(name)'.")
            }
            values[name] = value
        }
        return values
    }

    /// Reads the same environment and file as another reader, but keeps the values of earlier readings for all settings that a running server
    /// cannot change.
    init(_ other: SettingsReader, keeping earlier: [Reading]) {
        environment = other.environment
        file = other.file
        let fixed = earlier.filter { !$0.setting.isReloadable }
        kept = Dictionary(fixed.map { ($0.setting.name, $0) }) { $1 }
    }

    /// The path of the configuration file if none is named; the file need not exist.
    static var usualPath: String {
        let name = Application.current.identifier
        return "/etc/\(name)/\(name).yaml"
    }

    private static var usualFile: String? {
        FileManager.default.fileExists(atPath: usualPath) ? usualPath : nil
    }

    /// Returns the value of a setting.
    ///
    /// - Parameter option: the option's value, if it was given.
    /// - Throws: `ValidationError` if the value in the environment or in the file is invalid.
    func value<Value>(_ option: Value?, _ setting: Setting<Value>) throws -> Value {
        try find(option, setting) ?? setting.defaultValue
    }

    /// Returns the value of a setting; `nil` if it is not set.
    func value<Value>(_ option: Value?, _ setting: OptionalSetting<Value>) throws -> Value? {
        try find(option, setting)
    }

    /// Returns whether a setting is on that is off by default.
    func value(_ flag: Bool, _ setting: Setting<OnOff>) throws -> Bool {
        try value(flag ? OnOff(true) : nil, setting).isOn
    }

    private func find<Value: ExpressibleByArgument & Sendable>(
        _ option: Value?,
        _ setting: some AnySetting
    ) throws -> Value? {
        if let reading = kept[setting.name] {
            record(reading)
            return reading.value as? Value
        }
        if let option {
            record(option, "\(option)", of: setting, .option)
            return option
        }
        let name = setting.name
        let variable = "UNDERSTUDY_" + name.uppercased().split(separator: "-").joined(separator: "_")
        if let text = environment[variable], !text.isEmpty {
            return try parse(text, setting, .environment(variable: variable), "the environment variable \(variable)")
        }
        if let file, let text = file.values[name], !text.isEmpty {
            return try parse(text, setting, .file(file.path), "'\(name)' in '\(file.path)'")
        }
        let text = setting.defaultText
        record(Reading(setting: setting, text: text, origin: .default, value: nil, fullText: text))
        return nil
    }

    /// Parses and records a value.
    ///
    /// - Parameter place: where the value is, for the error.
    private func parse<Value: ExpressibleByArgument & Sendable>(
        _ text: String,
        _ setting: some AnySetting,
        _ origin: Origin,
        _ place: String
    ) throws -> Value {
        guard let value = Value(argument: text) else {
            throw ValidationError("The value '\(text)' is invalid for \(place)\(Value.expectation).")
        }
        record(value, text, of: setting, origin)
        return value
    }

    private func record(_ value: some Sendable, _ text: String, of setting: some AnySetting, _ origin: Origin) {
        let shown = (value as? any SecretArgument)?.shown ?? text
        record(Reading(setting: setting, text: shown, origin: origin, value: value, fullText: text))
    }

    private func record(_ reading: Reading) {
        readings.removeAll { $0.setting.name == reading.setting.name }
        readings.append(reading)
    }
}

extension [SettingsReader.Reading] {
    /// The settings whose values differ from earlier readings, in the order of the help text.
    func changed(since earlier: Self) -> [any AnySetting] {
        let texts = Dictionary(earlier.map { ($0.setting.name, $0.fullText) }) { $1 }
        let changed = Set(filter { texts[$0.setting.name] != $0.fullText }.map(\.setting.name))
        return Settings.all.filter { changed.contains($0.name) }
    }
}
