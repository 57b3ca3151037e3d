/// A setting: operators set it by an option, by an environment variable, or in the configuration file.
protocol AnySetting: Sendable {
    associatedtype Value: Sendable

    /// The option's name without its hyphens, which is also the name in a configuration file.
    var name: String { get }
    /// The help text: a sentence that describes what is set.
    var help: String { get }
    /// Whether a running server applies another value at SIGHUP. Otherwise, it must be restarted.
    var isReloadable: Bool { get }
    /// Whether the demonstration ignores it.
    var isUnusedByDemo: Bool { get }
    /// Whether the option has no value, and switches the setting on.
    var isFlag: Bool { get }
    /// The default in the help text; empty without a default.
    var defaultText: String { get }
    /// The default as a configuration file can state it; `nil` if the setting has none, or it depends on the machine.
    var literal: String? { get }
    /// Returns a value as `config` shows it: without secrets.
    var shown: @Sendable (String) -> String { get }
    var parser: TextParser<Value> { get }

    /// Checks the value that was read, and stores it where it belongs.
    ///
    /// - Throws: `ValidationError` if the value is invalid.
    func fill(_ settings: inout SettingValues, _ reader: SettingsReader) throws
}

/// A setting, whose values are of that type when they have been read.
struct Setting<Value: Sendable>: AnySetting {
    let name: String
    private(set) var help = ""
    private(set) var isReloadable = false
    private(set) var isUnusedByDemo = false
    private(set) var isFlag = false
    let defaultText: String
    private(set) var literal: String?
    let defaultValue: Value
    private(set) var shown: @Sendable (String) -> String = { $0 }
    let parser: TextParser<Value>
    /// The property that the value sets; `nil` if it is read on its own.
    // Safe: the table's key paths capture nothing.
    private nonisolated(unsafe) let target: WritableKeyPath<SettingValues, Value>?

    /// A setting whose default is no text.
    ///
    /// - Parameter defaultText: for the help text, what applies if the setting is not set.
    init(
        _ name: String,
        _ parser: TextParser<Value>,
        unset value: Value,
        shownAs defaultText: String = "",
        _ target: WritableKeyPath<SettingValues, Value>? = nil
    ) {
        (self.name, self.parser, self.target) = (name, parser, target)
        (defaultValue, self.defaultText) = (value, defaultText)
    }

    /// A setting with a default.
    ///
    /// - Parameters:
    ///   - text: the default as an operator would write it.
    ///   - shown: for the help text, the default of a setting whose default depends on the machine.
    init(
        _ name: String,
        _ parser: TextParser<Value>,
        default text: String,
        shownAs shown: String? = nil,
        _ target: WritableKeyPath<SettingValues, Value>? = nil
    ) {
        guard let value = try? parser.parse(text) else {
            preconditionFailure("The default '\(text)' of '\(name)' is invalid")
        }
        self.init(name, parser, unset: value, shownAs: shown ?? text, target)
        literal = shown == nil ? text : nil
    }

    /// A setting without a default.
    ///
    /// - Parameter defaultText: for the help text, what applies if the setting is not set.
    init<Given>(
        _ name: String,
        _ parser: TextParser<Given>,
        shownAs defaultText: String = "",
        _ target: WritableKeyPath<SettingValues, Value>? = nil
    ) where Value == Given? {
        self.init(name, parser.optional, unset: nil, shownAs: defaultText, target)
    }

    /// A setting that is off by default, and whose option is a flag.
    init(flag name: String, _ target: WritableKeyPath<SettingValues, Bool>? = nil) where Value == Bool {
        self.init(name, .onOff, default: "off", target)
        isFlag = true
    }

    func fill(_ settings: inout SettingValues, _ reader: SettingsReader) throws {
        let value = try reader.value(self)
        if let target { settings[keyPath: target] = value }
    }

    // MARK: Variants

    /// The same with a help text: a sentence that describes what is set.
    func help(_ text: String) -> Self { with { $0.help = text } }

    /// The same, as a setting that a running server applies at SIGHUP.
    var reloadable: Self { with { $0.isReloadable = true } }

    /// The same, as a setting that the demonstration ignores.
    var unusedByDemo: Self { with { $0.isUnusedByDemo = true } }

    /// The same, as a setting with secrets.
    ///
    /// - Parameter shown: returns a value without them.
    func hidingSecrets(_ shown: @escaping @Sendable (String) -> String) -> Self { with { $0.shown = shown } }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var setting = self
        change(&setting)
        return setting
    }
}
