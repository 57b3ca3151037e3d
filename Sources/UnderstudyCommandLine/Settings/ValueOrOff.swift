import ArgumentParser

/// A value, or `off`.
struct ValueOrOff<Value: SettingArgument & CustomStringConvertible>: SettingArgument, CustomStringConvertible,
    DescribedArgument
{
    static var expectedForm: String {
        ((Value.self as? any DescribedArgument.Type)?.expectedForm ?? "a value") + ", or off"
    }

    /// The value; `nil` if it is switched off.
    let value: Value?
    var settingValue: Value.SettingValue? { value?.settingValue }
    var description: String { value?.description ?? "off" }

    init?(argument: String) {
        if argument.lowercased() == "off" {
            value = nil
        } else if let value = Value(argument: argument) {
            self.value = value
        } else {
            return nil
        }
    }
}
