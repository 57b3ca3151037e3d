public import BusinessLogic

/// Sends one-time codes by email, and checks them.
public protocol CodeSending: Sendable {
    /// Sends a code of eight digits to an address.
    ///
    /// It sends none if no account has the address, if too many were sent to it, or if the purpose does not allow one. The caller cannot tell
    /// this from the result, nor from the time that it takes.
    ///
    /// - Parameters:
    ///   - purpose: what the code is for.
    ///   - email: a valid address.
    ///   - client: the client that asks for the code.
    /// - Returns: the salted hash of the code.
    /// - Throws: if no code can be sent now, or if the client's network has asked for too many.
    func sendCode(_ purpose: PendingCode.Purpose, to email: String, for client: ClientContext) async throws -> String

    /// Whether a code is the one with that hash.
    ///
    /// - Parameters:
    ///   - code: eight digits, as the user typed them.
    ///   - hash: what ``sendCode(_:to:for:)`` has returned.
    ///   - client: the client that enters the code.
    /// - Throws: if it cannot be checked now, or if the client's network has entered too many wrong codes.
    func isRight(_ code: String, hash: String, for client: ClientContext) async throws -> Bool
}

/// Sends no codes, so that each code is wrong.
public struct NoCodes: CodeSending {
    /// Creates a collaborator that sends no codes.
    public init() {}

    public func sendCode(_ purpose: PendingCode.Purpose, to email: String, for client: ClientContext) -> String { "" }

    public func isRight(_ code: String, hash: String, for client: ClientContext) -> Bool { false }
}
