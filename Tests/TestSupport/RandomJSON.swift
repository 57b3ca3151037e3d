/// Random values and texts, the same in every run.
package struct RandomJSON {
    var generator: SequenceRandom

    package init(seed: UInt64) { generator = SequenceRandom(seed: seed) }

    package mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    package mutating func element<Element>(of elements: [Element], or other: Element) -> Element {
        elements.randomElement(using: &generator) ?? other
    }

    /// A value with at most `depth` levels.
    package mutating func value(depth: Int) -> Value {
        switch number(0...(depth > 1 ? 8 : 5)) {
        case 0: return .null
        case 1: return .boolean(Bool.random(using: &generator))
        case 2: return .number(.integer(integer()))
        case 3: return .number(.double(double()))
        case 4, 5: return .string(string())
        case 6: return .array((0..<number(0...4)).map { _ in value(depth: depth - 1) })
        default:
            var object = Value.Object()
            for _ in 0..<number(0...5) { object[string()] = value(depth: depth - 1) }
            return .object(object)
        }
    }

    mutating func integer() -> Int { Int(truncatingIfNeeded: generator.next()) >> number(0...63) }

    mutating func double() -> Double {
        let double = Double(bitPattern: generator.next())
        return double.isFinite ? double : 0.5
    }

    mutating func string() -> String {
        let pieces = [
            "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\0", "\u{1F}", "\u{7F}", "é", "€", "😀", "\u{FEFF}",
        ]
        return (0..<number(0...6)).map { _ in element(of: pieces, or: "") }.joined()
    }

    /// The value as a JSON text with random escapes and white space.
    package mutating func text(of value: Value) -> String {
        let body =
            switch value {
            case .null: "null"
            case .boolean(let boolean): boolean ? "true" : "false"
            case .number(.integer(let integer)): String(integer)
            case .number(.double(let double)): text(of: double)
            case .string(let string): text(of: string)
            case .array(let elements): "[" + elements.map { text(of: $0) }.joined(separator: ",") + space() + "]"
            case .object(let object):
                "{" + object.map { space() + text(of: $0) + space() + ":" + text(of: $1) }.joined(separator: ",")
                    + space()
                    + "}"
            }
        return space() + body + space()
    }

    package mutating func space() -> String { element(of: ["", "", "", "", " ", "\n", "\r\n\t "], or: "") }

    mutating func text(of double: Double) -> String {
        let text = double.description
        return number(0...1) == 0 ? text : text.uppercased()
    }

    mutating func text(of string: String) -> String {
        let units = string.utf16
        var text = ""
        if number(0...3) == 0 {
            for unit in units {
                let digits = String(unit, radix: 16, uppercase: number(0...1) == 0)
                text += "\\u" + "0".repeated(4 - digits.count) + digits
            }
        } else {
            for scalar in string.unicodeScalars {
                switch scalar {
                case "\"", "\\": text += "\\\(scalar)"
                case "/": text += element(of: ["/", "\\/"], or: "")
                case "\n": text += "\\n"
                case "\t": text += "\\t"
                case _ where scalar.value < 0x10: text += "\\u000" + String(scalar.value, radix: 16)
                case _ where scalar.value < 0x20: text += "\\u00" + String(scalar.value, radix: 16)
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        return "\"\(text)\""
    }
}

extension Value {
    /// The value with all numbers as doubles, because Foundation does not distinguish 1 from 1.0.
    package var withDoublesOnly: Value {
        switch self {
        case .number(.integer(let integer)): .number(.double(Double(integer)))
        case .array(let elements): .array(elements.map(\.withDoublesOnly))
        case .object(let object):
            .object(object.reduce(into: Value.Object()) { $0[$1.name] = $1.value.withDoublesOnly })
        default: self
        }
    }
}
