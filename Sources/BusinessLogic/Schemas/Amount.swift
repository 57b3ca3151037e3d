/// An exact decimal number with a number of fraction digits, such as an amount of money: `12.50`. In JSON it is a number.
///
/// It is not called `Decimal`, because a file that also imports Foundation could not use that name.
public struct Amount: Sendable {
    /// The number without its point: 1250 for `12.50`.
    public let units: Int
    /// The number of digits after the point, from 0 to 4.
    public let fractionDigits: Int

    /// Creates an amount.
    ///
    /// Traps if `fractionDigits` is not from 0 to 4.
    ///
    /// - Parameters:
    ///   - units: the number without its point: 1250 for `12.50`.
    ///   - fractionDigits: the number of digits after the point.
    public init(units: Int, fractionDigits: Int = 2) {
        requireDeclaration(
            (0...Self.maximumFractionDigits).contains(fractionDigits),
            "an amount has 0 to 4 fraction digits"
        )
        self.units = units
        self.fractionDigits = fractionDigits
    }

    /// Reads an amount in the form `-12.50`. Returns `nil` if the text has another form, more than 4 fraction digits or more than 15 digits.
    public init?(_ text: String) {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }), digits.count <= 16 else { return nil }
        var units = 0
        for byte in parts.joined() {
            guard byte.isASCIIDigit else { return nil }
            units = units * 10 + Int(byte - UInt8(ascii: "0"))
        }
        let fractionDigits = parts.count == 2 ? parts[1].count : 0
        guard fractionDigits <= Self.maximumFractionDigits, units <= Self.maximumUnits else { return nil }
        self.init(units: digits.count < text.utf8.count ? -units : units, fractionDigits: fractionDigits)
    }

    private static let maximumFractionDigits = 4
    /// With at most 15 digits, a number in JSON is exact for each client.
    private static let maximumUnits = 999_999_999_999_999
    private static let powers = [1, 10, 100, 1000, 10_000]

    /// The whole number, and the fraction in units of 0.0001.
    private var parts: (whole: Int, fraction: Int) {
        let (whole, rest) = units.quotientAndRemainder(dividingBy: Self.powers[fractionDigits])
        return (whole, rest * Self.powers[Self.maximumFractionDigits - fractionDigits])
    }

    /// The units with so many fraction digits, which are not fewer than ``fractionDigits``.
    private func units(_ fractionDigits: Int) -> Int { units * Self.powers[fractionDigits - self.fractionDigits] }

    /// The nearest amount with so many fraction digits, from 0 to 4. A half is rounded away from zero.
    package func rounded(to digits: Int) -> Amount {
        if digits >= fractionDigits { return Amount(units: units(digits), fractionDigits: digits) }
        let power = Self.powers[fractionDigits - digits]
        let (quotient, rest) = units.quotientAndRemainder(dividingBy: power)
        let carry = abs(rest) * 2 >= power ? units.signum() : 0
        return Amount(units: quotient + carry, fractionDigits: digits)
    }

    /// The sum. Traps if its ``units`` do not fit into 64 bits; those of an amount that a client sends have at most 15 digits.
    public static func + (left: Amount, right: Amount) -> Amount {
        let digits = max(left.fractionDigits, right.fractionDigits)
        return Amount(units: left.units(digits) + right.units(digits), fractionDigits: digits)
    }

    /// The difference. Traps as ``+(_:_:)`` does.
    public static func - (left: Amount, right: Amount) -> Amount { left + right * -1 }

    /// The product. Traps as ``+(_:_:)`` does.
    public static func * (amount: Amount, factor: Int) -> Amount {
        Amount(units: amount.units * factor, fractionDigits: amount.fractionDigits)
    }
}

extension Amount: Hashable, Comparable {
    /// Whether both are the same number: `1.5` and `1.50` are.
    public static func == (left: Amount, right: Amount) -> Bool { left.parts == right.parts }

    public static func < (left: Amount, right: Amount) -> Bool { left.parts < right.parts }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(parts.whole)
        hasher.combine(parts.fraction)
    }
}

extension Amount: LosslessStringConvertible, ExpressibleByIntegerLiteral {
    /// The number with all its fraction digits: `12.50`.
    public var description: String {
        let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: UInt(Self.powers[fractionDigits]))
        let fraction = fractionDigits == 0 ? "" : "." + Int(rest).digits(fractionDigits)
        return (units < 0 ? "-" : "") + String(whole) + fraction
    }

    /// A whole number.
    public init(integerLiteral value: Int) { self.init(units: value, fractionDigits: 0) }
}

extension Amount: ScreenValue {
    public typealias Bound = Amount

    public static var valueSchema: ValueSchema {
        var schema = ValueSchema(.number, format: "decimal", example: 12.5, of: Amount.self)
        schema.constraints.fractionDigits = 2
        return schema
    }

    public init?(screenValue: Value) {
        guard case .number(let number) = screenValue else { return nil }
        // The shortest text that means the same double is what the client has sent, or shorter by zeros.
        let text = "\(number)"
        self.init(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    public var screenValue: Value {
        fractionDigits == 0 ? Value(units) : Value(Double(units) / Double(Self.powers[fractionDigits]))
    }
}

extension Amount: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.text("an amount")
    }

    /// Encodes the text, with all fraction digits.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
