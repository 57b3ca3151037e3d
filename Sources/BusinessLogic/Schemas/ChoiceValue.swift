/// One of several texts. An enumeration with raw texts conforms without a further line:
///
/// ```swift
/// enum Size: String, ChoiceValue { case small, medium, large }
/// ```
///
/// A client that sends another text gets an error with the choices. A browser shows them as a list to select from.
public protocol ChoiceValue: ScreenValue, CaseIterable, RawRepresentable where RawValue == String {}

extension ChoiceValue {
    public static var valueSchema: ValueSchema { ValueSchema(.choice(allCases.map(\.rawValue)), of: Self.self) }

    @inlinable
    public init?(screenValue: Value) {
        guard case .string(let text) = screenValue else { return nil }
        self.init(rawValue: text)
    }

    @inlinable
    public var screenValue: Value { .string(rawValue) }
}
