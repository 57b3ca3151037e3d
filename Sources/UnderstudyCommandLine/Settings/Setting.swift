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
    var defaultText: String {
        explanation?.replacing("NAME", with: Application.current.identifier) ?? literal ?? ""
    }

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

    /// The entries by their names.
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
    ///
    /// - Throws: `ValidationError` if the value is invalid.
    func fill(_ settings: inout ServeSettings) throws
}

extension AnySetting {
    subscript<Member>(dynamicMember member: KeyPath<SettingEntry, Member>) -> Member { entry[keyPath: member] }
}

/// A setting, whose values are of that type when they have been read.
struct Setting<Value: Sendable>: AnySetting {
    /// A property that the setting sets.
    typealias Target<Property> = WritableKeyPath<ServeSettings, Property>

    private(set) var entry: SettingEntry
    private(set) var isFlag = false
    let shown: @Sendable (String) -> String
    let parser: TextParser<Value>
    let defaultValue: Value
    // Safe: the table's key paths capture nothing.
    private nonisolated(unsafe) let store: (inout ServeSettings, Value) -> Void

    private init(
        _ name: String,
        _ parser: TextParser<Value>,
        unset value: Value,
        shownBy shown: @escaping @Sendable (String) -> String = { $0 },
        store: @escaping (inout ServeSettings, Value) -> Void
    ) {
        guard let entry = SettingEntry.all[name] else { preconditionFailure("settings.txt lacks '\(name)'") }
        self.entry = entry
        (self.parser, defaultValue, self.shown, self.store) = (parser, value, shown, store)
    }

    /// A setting with a default.
    ///
    /// - Parameters:
    ///   - text: the default; `nil` for that in `settings.txt`.
    ///   - target: the property that the value sets; `nil` if it is read on its own.
    init(
        _ name: String,
        _ parser: TextParser<Value>,
        default text: String? = nil,
        _ target: Target<Value>? = nil
    ) {
        let literal = text ?? SettingEntry.all[name]?.literal
        guard let literal, let value = try? parser.parse(literal) else {
            preconditionFailure("The default of '\(name)' is missing or invalid")
        }
        self.init(name, parser, unset: value) { settings, value in
            if let target { settings[keyPath: target] = value }
        }
        if entry.explanation == nil { entry.literal = literal }
    }

    /// A setting without a default.
    ///
    /// - Parameters:
    ///   - shown: returns a value without secrets.
    ///   - target: the property that the value sets; `nil` if it is read on its own.
    init<Given>(
        _ name: String,
        ifSet parser: TextParser<Given>,
        shownBy shown: @escaping @Sendable (String) -> String = { $0 },
        _ target: Target<Value>? = nil
    ) where Value == Given? {
        self.init(name, parser.optional, unset: nil, shownBy: shown) { settings, value in
            if let target { settings[keyPath: target] = value }
        }
    }

    /// A list. If it is not set, its property keeps the value that it has.
    init<Given>(
        _ name: String,
        list parse: @escaping @Sendable (String) throws -> Given,
        _ target: Target<Given>
    ) where Value == Given? {
        self.init(name, TextParser { try parse($0) }.optional, unset: nil) { settings, value in
            if let value { settings[keyPath: target] = value }
        }
    }

    /// A setting that is off by default, and whose option is a flag.
    init(flag name: String, _ target: Target<Bool>? = nil) where Value == Bool {
        self.init(name, .onOff, target)
        isFlag = true
    }

    func fill(_ settings: inout ServeSettings) throws {
        let value = try settings.reader.value(self)
        store(&settings, value)
    }
}
