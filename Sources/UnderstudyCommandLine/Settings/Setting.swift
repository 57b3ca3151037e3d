import ArgumentParser

/// A setting: operators set it by an option, by an environment variable, or in the configuration file.
protocol AnySetting: Sendable {
    /// The option's name without its hyphens, which is also the name in a configuration file.
    var name: String { get }
    /// The help text: a sentence that describes what is set.
    var help: String { get }
    /// Whether a running server applies another value at SIGHUP. Otherwise, it must be restarted.
    var isReloadable: Bool { get }
    /// The default in the help text; empty without a default.
    var defaultText: String { get }
    /// The default as a configuration file can state it; `nil` if the setting has none, or it depends on the machine.
    var literal: String? { get }
}

/// A setting with a default.
struct Setting<Value: ExpressibleByArgument & Sendable>: AnySetting {
    let name: String
    let help: String
    private(set) var isReloadable = false
    let defaultText: String
    let defaultValue: Value
    var literal: String? { Value(argument: defaultText) == nil ? nil : defaultText }

    init(_ name: String, _ help: String, default defaultValue: Value, shownAs defaultText: String) {
        self.name = name
        self.help = help
        self.defaultText = defaultText
        self.defaultValue = defaultValue
    }

    init(_ name: String, _ help: String, default defaultValue: Value) where Value: CustomStringConvertible {
        self.init(name, help, default: defaultValue, shownAs: defaultValue.description)
    }

    /// - Parameter defaultText: the default as an operator would write it.
    init(_ name: String, _ help: String, default defaultText: String) {
        guard let value = Value(argument: defaultText) else {
            preconditionFailure("The default '\(defaultText)' of '\(name)' is invalid")
        }
        self.init(name, help, default: value, shownAs: defaultText)
    }

    /// The same, as a setting that a running server applies at SIGHUP.
    var reloadable: Self {
        var setting = self
        setting.isReloadable = true
        return setting
    }
}

/// A setting without a default value.
struct OptionalSetting<Value: ExpressibleByArgument & Sendable>: AnySetting {
    let name: String
    let help: String
    private(set) var isReloadable = false
    let defaultText: String
    var literal: String? { nil }

    /// - Parameter defaultText: for the help text, what applies if the setting is not set.
    init(_ name: String, _ help: String, shownAs defaultText: String = "") {
        self.name = name
        self.help = help
        self.defaultText = defaultText
    }

    /// The same, as a setting that a running server applies at SIGHUP.
    var reloadable: Self {
        var setting = self
        setting.isReloadable = true
        return setting
    }
}

extension AnySetting {
    fileprivate var option: NameSpecification { .customLong(name) }

    fileprivate var argumentHelp: ArgumentHelp {
        ArgumentHelp(defaultText.isEmpty ? help : "\(help) (default: \(defaultText))")
    }
}

extension Option {
    /// The option of a setting.
    init<Argument>(_ setting: Setting<Argument>) where Value == Argument? {
        self.init(name: setting.option, help: setting.argumentHelp, transform: Argument.parse)
    }

    /// The option of a setting.
    init<Argument>(_ setting: OptionalSetting<Argument>) where Value == Argument? {
        self.init(name: setting.option, help: setting.argumentHelp, transform: Argument.parse)
    }
}

extension Flag where Value == Bool {
    /// The flag of a setting that is off by default.
    init(wrappedValue: Bool, _ setting: Setting<OnOff>) {
        self.init(wrappedValue: wrappedValue, name: setting.option, help: ArgumentHelp(setting.help))
    }
}
