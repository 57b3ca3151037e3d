public import Testing

/// Something that every implementation of a protocol has to do: the argument of a parametrised test.
public struct Behaviour<Subject: Sendable>: Sendable, CustomTestStringConvertible {
    /// What it does.
    public let testDescription: String
    /// Expects it of a fresh subject, by the expectations of Swift Testing.
    public let check: @Sendable (_ subject: Subject) async throws -> Void

    init(_ testDescription: String, check: @escaping @Sendable (_ subject: Subject) async throws -> Void) {
        self.testDescription = testDescription
        self.check = check
    }
}
