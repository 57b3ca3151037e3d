extension Value: CustomStringConvertible {
    /// The value in JSON (RFC 8259), without spaces. Numbers that JSON does not have are `nan`, `inf` and `-inf`.
    public var description: String {
        switch self {
        case .null: "null"
        case .boolean(let boolean): boolean.description
        case .number(let number): number.description
        case .string(let string): "\"\(string.escaped)\""
        case .array(let elements): "[\(elements.map(\.description).joined(separator: ","))]"
        case .object(let object): object.description
        }
    }
}

extension Value.Number: CustomStringConvertible {
    /// The number in decimal, as short as it can be while it stays what it is: `12`, `0.1`; a double has a point or an
    /// exponent.
    public var description: String {
        switch self {
        case .integer(let integer): integer.description
        case .double(let double): double.description
        }
    }
}

extension Value.Object: CustomStringConvertible {
    /// The object in JSON (RFC 8259), without spaces, its members in order.
    public var description: String {
        "{\(map { "\"\($0.name.escaped)\":\($0.value)" }.joined(separator: ","))}"
    }
}

extension String {
    /// What stands between the quotation marks in JSON.
    fileprivate var escaped: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\0"..<" ":
                text += scalar.value < 0x10 ? "\\u000" : "\\u00"
                text += String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
