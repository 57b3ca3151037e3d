import ArgumentParser

/// Something that an operator can set: by an option, by a variable of the environment, or in the configuration file.
protocol AnySetting: Sendable {
    /// The option's name without its hyphens, which is also its name in a configuration file.
    var name: String { get }
    /// What it sets, in a sentence.
    var help: String { get }
    /// What it is where nobody sets it, as a person would write it; empty where it is nothing then.
    var usual: String { get }
    /// The default as a configuration file can state it; `nil` if the setting has none, or it depends on the machine.
    var literal: String? { get }
}

/// A setting that always has a value.
struct Setting<Value: ExpressibleByArgument & Sendable>: AnySetting {
    let name: String
    let help: String
    let usual: String
    /// Its value where nobody sets it.
    let value: Value
    var literal: String? { Value(argument: usual) == nil ? nil : usual }

    init(_ name: String, _ help: String, usually value: Value, shown usual: String) {
        self.name = name
        self.help = help
        self.usual = usual
        self.value = value
    }

    /// Usually what the text says.
    init(_ name: String, _ help: String, usually value: Value) where Value: CustomStringConvertible {
        self.init(name, help, usually: value, shown: value.description)
    }
}

/// A setting that may have no value.
struct OptionalSetting<Value: ExpressibleByArgument & Sendable>: AnySetting {
    let name: String
    let help: String
    let usual: String
    var literal: String? { nil }

    init(_ name: String, _ help: String, usually usual: String = "") {
        self.name = name
        self.help = help
        self.usual = usual
    }
}

/// A value that can say how it is written.
protocol HasForm {
    /// How it is written: `COUNT/TIME, such as 30/10m`.
    static var form: String { get }
}

extension ExpressibleByArgument {
    /// How it is written, where it can say so; with a colon before it.
    static var formIfKnown: String {
        (self as? any HasForm.Type).map { ": it has to be " + $0.form } ?? ""
    }

    /// The value that is written so.
    ///
    /// - Throws: `ValidationError`, which says how it has to be written.
    fileprivate static func parse(_ argument: String) throws -> Self {
        guard let value = Self(argument: argument) else {
            throw ValidationError((self as? any HasForm.Type).map { "It has to be \($0.form)." } ?? "")
        }
        return value
    }
}

extension AnySetting {
    /// The variable of the environment: `session-idle` is `UNDERSTUDY_SESSION_IDLE`.
    var variable: String {
        "UNDERSTUDY_" + name.uppercased().split(separator: "-").joined(separator: "_")
    }

    fileprivate var argumentHelp: ArgumentHelp {
        ArgumentHelp(usual.isEmpty ? help : "\(help) (default: \(usual))")
    }
}

extension Option {
    /// The option of a setting.
    init<Argument>(_ setting: Setting<Argument>) where Value == Argument? {
        self.init(name: .customLong(setting.name), help: setting.argumentHelp, transform: Argument.parse)
    }

    /// The option of a setting.
    init<Argument>(_ setting: OptionalSetting<Argument>) where Value == Argument? {
        self.init(name: .customLong(setting.name), help: setting.argumentHelp, transform: Argument.parse)
    }
}

extension Flag where Value == Bool {
    /// The option of a setting that is off unless it is given.
    init(wrappedValue: Bool, _ setting: Setting<Switch>) {
        self.init(wrappedValue: wrappedValue, name: .customLong(setting.name), help: ArgumentHelp(setting.help))
    }
}
