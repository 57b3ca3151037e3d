import BusinessLogic

/// A language of samples, and how it writes values.
enum SampleLanguage: String, CaseIterable {
    /// Commands for a POSIX shell, with values in JSON.
    case curl
    case javaScript = "javascript"
    case python
    case swift

    var name: String {
        switch self {
        case .curl: "curl"
        case .javaScript: "JavaScript"
        case .python: "Python"
        case .swift: "Swift"
        }
    }

    /// A value as the language writes it: on one line if it is short.
    ///
    /// - Parameter indentation: the indentation of the line in which the value begins.
    func literal(_ value: Value, _ indentation: String = "") -> String {
        switch value {
        case .null: self == .python ? "None" : self == .swift ? ".null" : "null"
        case .boolean(let isTrue): self == .python ? (isTrue ? "True" : "False") : "\(isTrue)"
        case .number: "\(value)"
        case .string(let text): quoted(text)
        case .array(let values):
            list(values.map { literal($0, indentation + "    ") }, "[", "]", empty: "[]", indentation)
        case .object(let members):
            list(
                members.map { "\(quoted($0.name)): \(literal($0.value, indentation + "    "))" },
                self == .swift ? "[" : "{",
                self == .swift ? "]" : "}",
                empty: self == .swift ? "[:]" : "{}",
                indentation
            )
        }
    }

    private func list(
        _ elements: [String],
        _ open: String,
        _ close: String,
        empty: String,
        _ indentation: String
    ) -> String {
        if elements.isEmpty { return empty }
        let line = open + elements.joined(separator: ", ") + close
        if indentation.count + line.count < 60, !line.contains("\n") { return line }
        let lines = elements.map { "\n\(indentation)    \($0)" }.joined(separator: ",")
        return "\(open)\(lines)\n\(indentation)\(close)"
    }

    /// A text in quotation marks. All four languages have these escapes, except that Swift writes code points in braces.
    private func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                quoted += self == .swift ? "\\u{\(digits)}" : "\\u00\(digits.count < 2 ? "0" : "")\(digits)"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
