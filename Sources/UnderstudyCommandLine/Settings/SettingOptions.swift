import ArgumentParser

/// Settings of one kind, which are under one title in the help text.
protocol SettingGroup: Sendable {
    static var settings: [any AnySetting] { get }
}

/// The options of a group of settings.
///
/// ArgumentParser finds the options of a type by reflection. This type passes it those of the table in place of properties, so that each setting is
/// declared once.
struct SettingOptions<Group: SettingGroup>: ParsableArguments, CustomReflectable {
    /// The values of the given options, by the names of their settings.
    private(set) var texts: [String: String] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: Name.self)
        for setting in Group.settings { texts[setting.name] = try setting.text(in: options) }
    }

    var customMirror: Mirror { Mirror(self, children: Group.settings.map { ($0.name, $0.option) }) }
}

/// The name of a setting, by which ArgumentParser finds its option.
private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
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
    /// The option of a setting.
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

/// The option that names the configuration file.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: """
            A YAML file of settings, such as 'port: 8080'. Options and the environment win over it. \
            (default: \(SettingsReader.usualPath), if it exists)
            """
    )
    var config: String?

    /// Returns a reader for the environment and the file.
    ///
    /// - Throws: ``CommandError`` if the file cannot be read, or contains an unknown setting.
    func settings() throws -> SettingsReader {
        try SettingsReader(file: config)
    }
}
