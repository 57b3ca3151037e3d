import ArgumentParser

/// A switch in the environment or a file: `on`, `true`, `yes` or `1`; `off`, `false`, `no` or `0`.
struct OnOff: SettingArgument, CustomStringConvertible, DescribedArgument {
    static let expectedForm = "on or off"

    let isOn: Bool
    var settingValue: Bool { isOn }
    var description: String { isOn ? "on" : "off" }

    init?(argument: String) {
        switch argument.lowercased() {
        case "1", "true", "yes", "on": isOn = true
        case "0", "false", "no", "off": isOn = false
        default: return nil
        }
    }
}
