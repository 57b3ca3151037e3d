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
