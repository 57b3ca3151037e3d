import Foundation
import Logging

/// A line of the log.
struct LogLine {
    let time: Date
    let level: Logger.Level
    let label: String
    let message: String
    /// The metadata, sorted by name.
    let members: [(name: String, value: Logger.MetadataValue)]

    /// Returns the line without a line feed.
    func text(_ format: LogFormat, hasColour: Bool = false) -> String {
        switch format {
        case .text: plain(hasColour: hasColour)
        case .json: json
        }
    }

    private func plain(hasColour: Bool) -> String {
        let time = time.formatted(.iso8601.time(includingFractionalSeconds: true))
        let name = level.rawValue.uppercased()
        let level = name + String(repeating: " ", count: max(0, 8 - name.count))
        let coloured = hasColour ? "\u{1B}[\(colour)m\(level)\u{1B}[0m" : level
        let members = members.map { member in
            let value = "\(member.value)".escaped
            return " \(member.name.escaped)=\(value.contains(" ") || value.isEmpty ? "'\(value)'" : value)"
        }
        return "\(time)Z \(coloured) \(message.escaped)\(members.joined())"
    }

    private var colour: String {
        switch level {
        case .trace, .debug: "2"
        case .info, .notice: "32"
        case .warning: "33"
        case .error, .critical: "1;31"
        }
    }

    private var json: String {
        var json =
            "{\"time\":\"\(time.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true)))Z\""
        json += ",\"level\":\"\(level.rawValue)\",\"logger\":\(label.json),\"message\":\(message.json)"
        for (name, value) in members { json += ",\(name.json):\(value.json)" }
        return json + "}"
    }
}

extension Logger.MetadataValue {
    fileprivate var json: String {
        switch self {
        case .string(let text): text.json
        case .stringConvertible(let number as Int): "\(number)"
        case .stringConvertible(let number as Double) where number.isFinite: "\(number)"
        case .stringConvertible(let flag as Bool): "\(flag)"
        case .stringConvertible(let value): "\(value)".json
        case .array(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
        case .dictionary(let values):
            "{" + values.sorted { $0.key < $1.key }.map { "\($0.key.json):\($0.value.json)" }.joined(separator: ",")
                + "}"
        }
    }
}
