import ArgumentParser

/// A setting: operators set it by an option, by an environment variable, or in the configuration file.
protocol AnySetting: Sendable {
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

    /// Returns the value of an option as it is shown.
    ///
    /// - Throws: `ValidationError`, which describes the expected form.
    func optionText(_ text: String) throws -> String

    /// Checks the value that was read, and stores it where it belongs.
    ///
    /// - Throws: `ValidationError` if the value is invalid.
    func fill(_ settings: inout FilledSettings, _ reader: SettingsReader) throws
}

/// A setting, whose values are of that type when they have been read.
struct Setting<Value: Sendable>: AnySetting {
    let name: String
    private(set) var help = ""
    private(set) var isReloadable = false
    private(set) var isUnusedByDemo = false
    private(set) var isFlag = false
    let defaultText: String
    let literal: String?
    let defaultValue: Value
    private(set) var shown: @Sendable (String) -> String = { $0 }
    /// Reads a value. A `ValidationError` describes the expected form; any other error is the reason why an entry of a list is invalid.
    let parse: @Sendable (String) throws -> Value
    private let describe: @Sendable (String) throws -> String
    /// The property that the value sets; `nil` if it is read on its own.
    // Safe: the table's key paths capture nothing.
    private nonisolated(unsafe) let target: WritableKeyPath<FilledSettings, Value>?

    /// A setting with a default.
    ///
    /// - Parameters:
    ///   - text: the default as an operator would write it.
    ///   - shown: for the help text, the default of a setting whose default depends on the machine.
    init<Argument: SettingArgument>(
        _ name: String,
        _: Argument.Type,
        default text: String,
        shownAs shown: String? = nil,
        _ target: WritableKeyPath<FilledSettings, Value>? = nil
    ) where Argument.SettingValue == Value {
        guard let value = Argument(argument: text) else {
            preconditionFailure("The default '\(text)' of '\(name)' is invalid")
        }
        self.name = name
        defaultText = shown ?? text
        literal = shown == nil ? text : nil
        defaultValue = value.settingValue
        parse = { try Argument.parse($0).settingValue }
        describe = { "\(try Argument.parse($0))" }
        self.target = target
    }

    /// A setting without a default.
    ///
    /// - Parameter defaultText: for the help text, what applies if the setting is not set.
    init<Argument: SettingArgument>(
        _ name: String,
        _: Argument.Type,
        shownAs defaultText: String = "",
        _ target: WritableKeyPath<FilledSettings, Value>? = nil
    ) where Value == Argument.SettingValue? {
        self.name = name
        self.defaultText = defaultText
        literal = nil
        defaultValue = nil
        parse = { try Argument.parse($0).settingValue }
        describe = { "\(try Argument.parse($0))" }
        self.target = target
    }

    /// A setting that is a list.
    ///
    /// - Parameter parse: reads the list. Its error describes the invalid entry.
    init(
        list name: String,
        default value: Value,
        parse: @escaping @Sendable (String) throws -> Value,
        _ target: WritableKeyPath<FilledSettings, Value>? = nil
    ) {
        self.name = name
        (defaultText, literal) = ("", nil)
        defaultValue = value
        self.parse = parse
        describe = { $0 }
        self.target = target
    }

    /// A setting that is off by default, and whose option is a flag.
    init(flag name: String, _ target: WritableKeyPath<FilledSettings, Bool>? = nil) where Value == Bool {
        self.init(name, OnOff.self, default: "off", target)
        isFlag = true
    }

    func optionText(_ text: String) throws -> String { try describe(text) }

    func fill(_ settings: inout FilledSettings, _ reader: SettingsReader) throws {
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
