import ArgumentParser
import Configuration
import Foundation
import Yams

/// Says what is set: by an option, else in the environment, else in the configuration file.
///
/// Not thread-safe: one task at a time.
final class SettingsReader {
    /// Who has set something.
    enum Origin: Equatable {
        case option
        case environment(variable: String)
        case file(String)
        case nobody
    }

    /// What was asked for, as a person would write it, and who has set it.
    struct Answer {
        let setting: any AnySetting
        let text: String
        let origin: Origin
    }

    /// What has been asked for so far.
    private(set) var answers: [Answer] = []

    private let environment = ConfigReader(
        provider: EnvironmentVariablesProvider().prefixKeys(with: "understudy")
    )
    private let file: (path: String, reader: ConfigReader)?

    /// A reader.
    ///
    /// - Parameter path: the configuration file: YAML, or JSON, which YAML includes. If it is `nil`, the variable
    ///   `UNDERSTUDY_CONFIG` names the file, and an empty variable none; without the variable it is ``usualFile``.
    /// - Throws: ``CommandError`` where it cannot be read, or sets something that nobody knows.
    init(file path: String?) async throws {
        let named = path ?? environment.string(forKey: "config") ?? Self.usualFile
        guard let named, !named.isEmpty, !Self.setsNothing(named) else {
            file = nil
            return
        }
        do {
            let place = InMemoryProvider(values: ["filePath": ConfigValue(.string(named), isSecret: false)])
            let provider = try await FileProvider<YAMLSnapshot>(config: ConfigReader(provider: place))
            try Self.requireKnownNames(in: named)
            file = (named, ConfigReader(provider: provider))
        } catch let refusal as CommandError {
            throw refusal
        } catch {
            throw CommandError("The configuration file '\(named)' cannot be read: \(error)")
        }
    }

    /// The configuration file of the Debian package, if it exists.
    private static var usualFile: String? {
        let path = "/etc/understudy/understudy.yaml"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// Returns whether the file has no more than comments, which the provider of settings rejects.
    private static func setsNothing(_ path: String) -> Bool {
        guard let data = FileManager.default.contents(atPath: path) else { return false }
        do {
            return try Yams.compose(yaml: String(decoding: data, as: UTF8.self)) == nil
        } catch {
            return false
        }
    }

    private static func requireKnownNames(in path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for (key, value) in try Yams.compose(yaml: text)?.mapping ?? [:] {
            let name = key.string ?? "?"
            guard Settings.all.contains(where: { $0.name == name }) else {
                throw CommandError("The configuration file '\(path)' sets '\(name)', which is no setting.")
            }
            guard value.scalar != nil else {
                throw CommandError("The configuration file '\(path)' has no single value for '\(name)'.")
            }
        }
    }

    /// The setting's value.
    ///
    /// - Parameter option: the option's value, where it was given.
    /// - Throws: `ValidationError` where a value cannot be understood.
    func value<Value>(_ option: Value?, _ setting: Setting<Value>) throws -> Value {
        try find(option, setting) ?? setting.value
    }

    /// The setting's value; `nil` where it has none.
    func value<Value>(_ option: Value?, _ setting: OptionalSetting<Value>) throws -> Value? {
        try find(option, setting)
    }

    /// Whether something is wanted that is off unless somebody asks for it.
    func value(_ flag: Bool, _ setting: Setting<Switch>) throws -> Bool {
        try value(flag ? Switch(true) : nil, setting).isOn
    }

    private func find<Value: ExpressibleByArgument>(_ option: Value?, _ setting: some AnySetting) throws -> Value? {
        if let option {
            note(setting, "\(option)", .option)
            return option
        }
        let key = ConfigKey([setting.name])
        if let text = environment.string(forKey: key), !text.isEmpty {
            guard let value = Value(argument: text) else {
                throw ValidationError(
                    "The value '\(text)' is invalid for the environment variable \(setting.variable)\(Value.formIfKnown)."
                )
            }
            note(setting, text, .environment(variable: setting.variable))
            return value
        }
        if let file, let text = file.reader.string(forKey: key), !text.isEmpty {
            guard let value = Value(argument: text) else {
                throw ValidationError(
                    "The value '\(text)' is invalid for '\(setting.name)' in '\(file.path)'\(Value.formIfKnown)."
                )
            }
            note(setting, text, .file(file.path))
            return value
        }
        note(setting, setting.usual, .nobody)
        return nil
    }

    private func note(_ setting: some AnySetting, _ text: String, _ origin: Origin) {
        answers.removeAll { $0.setting.name == setting.name }
        answers.append(Answer(setting: setting, text: text, origin: origin))
    }
}
