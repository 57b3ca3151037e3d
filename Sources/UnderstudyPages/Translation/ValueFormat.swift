package import BusinessLogic

/// How a language writes numbers, dates and times. Its catalog says it, with the keys `format.decimalSeparator`, `format.date` and
/// `format.dateTime`.
package struct ValueFormat: Sendable {
    private let decimalSeparator: String
    private let date: MessageTemplate?
    private let dateTime: MessageTemplate?

    /// The format of texts in JSON.
    package static let neutral = ValueFormat()

    private init() {
        (decimalSeparator, date, dateTime) = (".", nil, nil)
    }

    /// - Parameter templates: the texts of the language by key.
    package init(_ templates: [String: MessageTemplate]) {
        decimalSeparator = templates["format.decimalSeparator"]?.text([:], .neutral) ?? "."
        date = templates["format.date"]
        dateTime = templates["format.dateTime"]
    }

    /// The keys, with the format of a language that does not declare another.
    static var messages: [Message] {
        let day: Value.Object = ["year": "2027", "month": "03", "day": "01"]
        return [
            Message(code: "format.decimalSeparator", text: "."),
            Message(code: "format.date", text: "2027-03-01", parameters: day),
            Message(
                code: "format.dateTime",
                text: "2027-03-01 09:30 UTC",
                parameters: ["year": "2027", "month": "03", "day": "01", "hour": "09", "minute": "30"]
            ),
        ]
    }

    /// The text of a value; `nil` if it is null, an array or an object. A text that is a date or a time is written as one.
    ///
    /// - Parameter fractionDigits: the number of digits after a number's decimal separator; `nil` for as many as it has.
    package func text(of value: Value, fractionDigits: Int? = nil) -> String? {
        switch value {
        case .string(let text): day(text) ?? time(text) ?? text
        case .number(let number): self.text(of: number, fractionDigits: fractionDigits)
        case .boolean: value.description
        case .null, .array, .object: nil
        }
    }

    private func day(_ text: String) -> String? {
        guard let date, let day = Day(text) else { return nil }
        return date.text(Self.parameters(of: day), .neutral)
    }

    private func time(_ text: String) -> String? {
        guard let dateTime, let time = Timestamp(text) else { return nil }
        var parameters = Self.parameters(of: Day(time))
        let digits = time.description.dropFirst(11)
        parameters["hour"] = .string(String(digits.prefix(2)))
        parameters["minute"] = .string(String(digits.dropFirst(3).prefix(2)))
        return dateTime.text(parameters, .neutral)
    }

    private static func parameters(of day: Day) -> Value.Object {
        let parts = "\(day)".split(separator: "-").map { Value.string(String($0)) }
        return ["year": parts[0], "month": parts[1], "day": parts[2]]
    }

    private func text(of number: Value.Number, fractionDigits: Int?) -> String {
        var text = number.description
        if let fractionDigits {
            let amount = Amount(screenValue: .number(number)).map { $0.rounded(to: fractionDigits) }
            text = amount?.description ?? text
        }
        return decimalSeparator == "." ? text : text.replacing(".", with: decimalSeparator)
    }
}
