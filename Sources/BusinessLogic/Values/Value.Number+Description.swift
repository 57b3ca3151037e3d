extension Value.Number: CustomStringConvertible {
    /// The shortest decimal number that reads as the same number: `12`, `0.1`. A double has a point or an exponent.
    public var description: String {
        switch self {
        case .integer(let integer): integer.description
        case .double(let double): double.description
        }
    }
}
