import ArgumentParser
import FoundationEssentials
import Glibc
import Understudy

/// The texts of settings: of an option, else of the environment, else of the configuration file.
struct SettingsReader: Sendable {
    enum Origin: Equatable, Sendable {
        case option
        case environment(variable: String)
        case file(String)
    }

    private struct Given {
        let text: String
        let origin: Origin
    }

    /// The settings that are set, by their names.
    private var given: [String: Given] = [:]

    /// The path of the configuration file; `nil` if none has set anything.
    private var file: String?

    /// Reads the configuration file, once: YAML, or JSON, which YAML includes. Without a path, the variable `UNDERSTUDY_CONFIG` names the
    /// file. If the variable is empty, there is no file. If it is not set, the file is ``usualPath``, if that exists. Throws ``CommandError``
    /// if the file cannot be read, or contains an unknown setting.
    init(file path: String?, environment: [String: String] = Application.current.environment) throws(CommandError) {
        if let path = path ?? environment["UNDERSTUDY_CONFIG"] ?? Self.usualFile, !path.isEmpty {
            for (name, text) in try Self.values(in: path) where !text.isEmpty {
                given[name] = Given(text: text, origin: .file(path))
                file = path
            }
        }
        for setting in Settings.all {
            let variable = "UNDERSTUDY_" + setting.name.uppercased().split(separator: "-").joined(separator: "_")
            if let text = environment[variable], !text.isEmpty {
                given[setting.name] = Given(text: text, origin: .environment(variable: variable))
            }
        }
    }

    /// Checks that the configuration file can be read again. Without it, each setting would have its default; a pipe would wait for its writer.
    func checkFile() throws(CommandError) {
        var status = stat()
        guard let file, stat(file, &status) != 0 || status.st_mode & S_IFMT != S_IFREG || status.st_size == 0 else {
            return
        }
        throw CommandError("The configuration file '\(file.printable)' is missing, empty or not a regular file.")
    }

    /// The values in a configuration file. Errors do not contain its values, which can be passwords.
    private static func values(in path: String) throws(CommandError) -> [(name: String, text: String)] {
        func invalid(_ reason: String) -> CommandError {
            CommandError("The configuration file '\(path)' \(reason)", status: 64)
        }
        let text = try FileContent.bytes(of: path, called: "The configuration file '\(path)'")
        let node: YAMLNode?
        do { node = try YAMLNode.read(text) } catch {
            throw invalid("cannot be read: \(error.description.printable)")
        }
        guard case .mapping(let members) = node ?? .mapping([]) else {
            throw invalid("must contain lines of the form 'SETTING: VALUE'.")
        }
        return try members.map { member throws(CommandError) in
            let name = member.name
            guard Settings.all.contains(where: { $0.name == name }) else {
                throw invalid("contains '\(name.printable)', which is not a setting.")
            }
            guard case .scalar(let value, let isPlain) = member.node else {
                throw invalid("must contain a single value for '\(name)'.")
            }
            // What YAML's core schema reads as null.
            let isNull = isPlain && ["~", "null", "Null", "NULL"].contains(value)
            return (name, isNull ? "" : value)
        }
    }

    /// The path of the configuration file if none is named; the file need not exist.
    static var usualPath: String {
        let name = Application.current.identifier
        return "/etc/\(name)/\(name).yaml"
    }

    private static var usualFile: String? { FileManager.default.fileExists(atPath: usualPath) ? usualPath : nil }

    /// The same with the values of options.
    func with<Group>(_ options: SettingOptions<Group>) -> SettingsReader {
        var reader = self
        for (name, text) in options.texts { reader.given[name] = Given(text: text, origin: .option) }
        return reader
    }

    /// The same with the former values of all settings that a running server cannot change.
    func keeping(_ former: SettingsReader) -> SettingsReader {
        var reader = self
        for setting in Settings.all where !setting.isReloadable {
            reader.given[setting.name] = former.given[setting.name]
        }
        return reader
    }

    /// Returns the value of a setting. `option` is the value of an option that is not in the table, if it was given. Throws `ValidationError`
    /// if the value is invalid.
    func value<Value>(_ setting: Setting<Value>, option: String? = nil) throws -> Value {
        let option = option.map { Given(text: $0, origin: .option) }
        guard let given = option ?? given[setting.name] else { return setting.defaultValue }
        let (name, text) = (setting.name, given.text)
        do {
            // Otherwise, a folder of a variable that a shell has not set would be the root.
            if text.isEmpty { throw ValidationError("it is empty") }
            if text.utf8.starts(with: "~/".utf8) {
                throw ValidationError("expected a whole path, because only a shell replaces ~")
            }
            return try setting.parser.parse(text)
        } catch let error as ValidationError {
            let place =
                switch given.origin {
                case .option: "'--\(name)'"
                case .environment(let variable): "the environment variable \(variable)"
                case .file(let path): "'\(name)' in '\(path)'"
                }
            let expectation = error.message.isEmpty ? "" : ": \(error.message)"
            throw ValidationError("The value '\(text)' is invalid for \(place)\(expectation).")
        } catch {
            throw ValidationError("The value '\(text)' is invalid for '\(name)': \(error).")
        }
    }

    /// The text of the option; `nil` if it was not given.
    func option(_ setting: some AnySetting) -> String? {
        given[setting.name].flatMap { $0.origin == .option ? $0.text : nil }
    }

    /// Where the value comes from; `nil` for the default.
    func origin(of setting: some AnySetting) -> Origin? { given[setting.name]?.origin }

    /// The value as a person writes it, without secrets.
    func shown(_ setting: some AnySetting) -> String {
        if let text = given[setting.name]?.text { return setting.shown(text) }
        return (setting.name == Settings.data.name ? try? dataFolder : nil) ?? setting.defaultText
    }

    /// A line for each setting: its name, its value without secrets, and a remark; by default for all that have an effect, where they are
    /// set. The name of a setting that is set is `emphasised`.
    func lines(
        of settings: [any AnySetting]? = nil,
        emphasised: (String) -> String = { $0 },
        remark: ((any AnySetting) -> String?)? = nil
    ) -> [String] {
        let lines = (settings ?? used).map { (setting: $0, text: shown($0)) }
        let widths = [lines.map(\.setting.name.count).max() ?? 0, lines.map(\.text.count).max() ?? 0]
        return lines.map { setting, text in
            let name = setting.name.padded(to: widths[0])
            guard let remark = remark.map({ $0(setting) }) ?? source(of: setting) else {
                return "\(name)  \(text.printable)"
            }
            return "\(emphasised(name))  \(text.printable.padded(to: widths[1]))  \(remark)"
        }
    }

    /// Where a setting is set, for a person; `nil` for the default.
    private func source(of setting: some AnySetting) -> String? {
        switch origin(of: setting) {
        case nil: nil
        case .option: "option"
        case .environment(let variable): "environment (\(variable))"
        case .file(let path): "file (\(path.printable))"
        }
    }

    /// The settings that have an effect, in the order of the configuration file.
    var used: [any AnySetting] {
        let isDemo = (try? value(Settings.demo)) ?? false
        return Settings.all.filter { !isDemo || !$0.isUnusedByDemo }
    }

    /// The settings whose values differ from earlier ones.
    func changed(since earlier: SettingsReader) -> [any AnySetting] {
        used.filter { setting in
            let text = { $0.given[setting.name]?.text ?? setting.defaultText } as (SettingsReader) -> String
            return text(self) != text(earlier)
        }
    }
}
