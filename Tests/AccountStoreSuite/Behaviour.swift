/// A requirement of a protocol, as the argument of a parameterised test.
public struct Behaviour<Subject: Sendable>: Sendable, CustomTestStringConvertible {
    /// The requirement as a sentence.
    public let testDescription: String
    /// Checks a new subject with the expectations of Swift Testing.
    public let check: @Sendable (_ subject: Subject) async throws -> Void

    init(_ testDescription: String, check: @escaping @Sendable (_ subject: Subject) async throws -> Void) {
        self.testDescription = testDescription
        self.check = check
    }
}
