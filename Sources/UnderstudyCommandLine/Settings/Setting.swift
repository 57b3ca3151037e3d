import ArgumentParser
import BusinessLogic

/// What people read about a setting: an entry of `settings.txt`.
struct SettingEntry: Sendable {
    /// The option's name without its hyphens, which is also the name in a configuration file.
    let name: String
    /// The help text: a sentence that describes what is set.
    let help: String
    /// The default as a configuration file can state it; `nil` if the setting has none, or it depends on the machine.
    fileprivate(set) var literal: String?
    /// What applies if the setting is not set, in place of a literal.
    fileprivate let explanation: String?
    /// Whether a running server applies another value at SIGHUP. Otherwise, it must be restarted.
    let isReloadable: Bool
    /// Whether the demonstration ignores it.
    let isUnusedByDemo: Bool

    /// The default in the help text; empty without a default.
    var defaultText: String { explanation?.replacing("NAME", with: Application.current.identifier) ?? literal ?? "" }

    /// - Parameter text: the lines of the entry.
    private init?(_ text: Substring) {
        // The name, the default, its explanation and the marks.
        let head = /([a-z-]+)(?: ([^ (\[\n]+))?(?: \((.+)\))?(?: \[(.+)\])?\n/
        guard let match = text.prefixMatch(of: head) else { return nil }
        (name, literal, explanation) = (String(match.1), match.2.map(String.init), match.3.map(String.init))
        isReloadable = match.4 == "reloadable"
        isUnusedByDemo = match.4 == "unused by demo"
        help = text[match.range.upperBound...].split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    fileprivate static let all: [String: SettingEntry] = {
        let texts = String(decoding: PackageResources.settings_txt, as: UTF8.self).split(separator: "\n\n")
        return Dictionary(texts.compactMap { SettingEntry($0) }.map { ($0.name, $0) }) { $1 }
    }()
}

/// A setting: operators set it by an option, by an environment variable, or in the configuration file.
@dynamicMemberLookup
protocol AnySetting: Sendable {
    associatedtype Value: Sendable

    var entry: SettingEntry { get }
    /// Whether the option has no value, and switches the setting on.
    var isFlag: Bool { get }
    /// Returns a value as `config` shows it: without secrets.
    var shown: @Sendable (String) -> String { get }
    var parser: TextParser<Value> { get }

    /// Checks the value that was read, and stores it where it belongs.
    func fill(_ settings: inout ServeSettings) throws
}

extension AnySetting {
    subscript<Member>(dynamicMember member: KeyPath<SettingEntry, Member>) -> Member { entry[keyPath: member] }
}

/// A setting, whose values are of that type when they have been read.
struct Setting<Value: Sendable>: AnySetting {
    typealias Target = WritableKeyPath<ServeSettings, Value>

    private(set) var entry: SettingEntry
    private(set) var isFlag = false
    let shown: @Sendable (String) -> String
    let parser: TextParser<Value>
    let defaultValue: Value
    // Safe: the key paths of the table capture nothing.
    private nonisolated(unsafe) let target: Target?

    private init(
        _ name: String,
        _ parser: TextParser<Value>,
        unset value: Value,
        shownBy shown: @escaping @Sendable (String) -> String = { $0 },
        _ target: Target?
    ) {
        guard let entry = SettingEntry.all[name] else { preconditionFailure("settings.txt lacks '\(name)'") }
        self.entry = entry
        (self.parser, defaultValue, self.shown, self.target) = (parser, value, shown, target)
    }

    /// A setting with a default: `text`, or that in `settings.txt`. The value sets `target`; `nil` if it is read on its own.
    init(_ name: String, _ parser: TextParser<Value>, default text: String? = nil, _ target: Target? = nil) {
        let literal = text ?? SettingEntry.all[name]?.literal
        guard let literal, let value = try? parser.parse(literal) else {
            preconditionFailure("The default of '\(name)' is missing or invalid")
        }
        self.init(name, parser, unset: value, target)
        if entry.explanation == nil { entry.literal = literal }
    }

    /// A setting without a default. `shown` returns a value without secrets.
    init<Given>(
        _ name: String,
        ifSet parser: TextParser<Given>,
        shownBy shown: @escaping @Sendable (String) -> String = { $0 },
        _ target: Target? = nil
    ) where Value == Given? {
        self.init(name, parser.optional, unset: nil, shownBy: shown, target)
    }

    /// A list, which is empty if it is not set.
    init(_ name: String, list parse: @escaping @Sendable (String) throws -> Value, empty: Value, _ target: Target) {
        self.init(name, TextParser { try parse($0) }, unset: empty, target)
    }

    /// A setting that is off by default, and whose option is a flag.
    init(flag name: String, _ target: Target? = nil) where Value == Bool {
        self.init(name, .onOff, target)
        isFlag = true
    }

    func fill(_ settings: inout ServeSettings) throws {
        let value = try settings.reader.value(self)
        if let target { settings[keyPath: target] = value }
    }
}

/// Settings of one kind, which are under one title in the help text.
protocol SettingGroup: Sendable {
    static var settings: [any AnySetting] { get }
    /// Whether the option that names the configuration file is among the options.
    static var namesFile: Bool { get }
}

extension SettingGroup {
    static var namesFile: Bool { false }
}

/// The options of a group of settings.
///
/// ArgumentParser finds the options of a type by reflection. This type passes it those of the table in place of properties, so that each setting is
/// declared once.
struct SettingOptions<Group: SettingGroup>: ParsableArguments, CustomReflectable {
    /// The values of the given options, by the names of their settings.
    private(set) var texts: [String: String] = [:]
    /// The configuration file, if an option names it.
    private(set) var file: String?

    init() {}

    init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: Name.self)
        for setting in Group.settings { texts[setting.name] = try setting.text(in: options) }
        if Group.namesFile { file = try options.decode(Option<String?>.self, forKey: .file).wrappedValue }
    }

    var customMirror: Mirror {
        var children = Group.settings.map { ($0.name, $0.option) }
        if Group.namesFile {
            let option = Option<String?>(name: .customLong("config"), help: .configurationFile)
            children.append((Name.file.stringValue, option))
        }
        return Mirror(self, children: children)
    }
}

/// The name of a setting, by which ArgumentParser finds its option.
private typealias Name = Value.Object.Name

extension Name {
    fileprivate static let file = Name(stringValue: "config")
}

extension AnySetting {
    /// The option, or the flag.
    fileprivate var option: Any {
        if isFlag { return Flag(wrappedValue: false, name: .customLong(entry.name), help: ArgumentHelp(entry.help)) }
        return Option<String?>(self)
    }

    fileprivate func text(in options: KeyedDecodingContainer<Name>) throws -> String? {
        let key = Name(stringValue: entry.name)
        guard isFlag else { return try options.decode(Option<String?>.self, forKey: key).wrappedValue }
        return try options.decode(Flag<Bool>.self, forKey: key).wrappedValue ? "on" : nil
    }
}

extension Option where Value == String? {
    init(_ setting: some AnySetting) {
        let text = setting.defaultText
        let help = text.isEmpty ? setting.help : "\(setting.help) (default: \(text))"
        self.init(name: .customLong(setting.name), help: ArgumentHelp(help)) { text in
            // An invalid entry of a list is reported when the value is read.
            do { _ = try setting.parser.parse(text) } catch let error as ValidationError { throw error } catch {}
            return text
        }
    }
}

extension ArgumentHelp {
    static var configurationFile: ArgumentHelp {
        """
        A YAML file of settings, such as 'port: 8080'. Options and the environment win over it. \
        (default: \(SettingsReader.usualPath), if it exists)
        """
    }
}
