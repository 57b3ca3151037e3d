package import BusinessLogic

/// How a language writes numbers, dates and times. Its catalog says it, with the keys `format.decimalSeparator`, `format.date` and
/// `format.dateTime`.
package struct ValueFormat: Sendable {
    private let decimalSeparator: String
    private let date: MessageTemplate?
    private let dateTime: MessageTemplate?

    package static let neutral = ValueFormat()

    private init() { (decimalSeparator, date, dateTime) = (".", nil, nil) }

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

    /// `nil` if the value is null, an array or an object. A text that is a date or a time is written as one. A number has as many fraction digits as
    /// it needs if they are `nil`.
    package func text(of value: Value, fractionDigits: Int? = nil) -> String? {
        switch value {
        case .string(let text):
            self.text(date, Day(text).map { "\($0)" }) ?? self.text(dateTime, Timestamp(text)?.description) ?? text
        case .number(let number): self.text(of: number, fractionDigits: fractionDigits)
        case .boolean: value.description
        case .null, .array, .object: nil
        }
    }

    /// The text begins as in `2027-03-01T09:30:00Z`.
    private func text(_ template: MessageTemplate?, _ written: @autoclosure () -> String?) -> String? {
        guard let template, let written = written() else { return nil }
        let parts = written.split { "-T:".contains($0) }.map { Value.string(String($0)) }
        return template.text(Value.Object(zip(["year", "month", "day", "hour", "minute"], parts)), .neutral)
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
