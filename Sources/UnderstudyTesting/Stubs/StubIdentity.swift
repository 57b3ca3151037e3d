public import BusinessLogic

/// The identity of a client in a test.
public final class StubIdentity: Identity {
    public var client: ClientContext

    /// Creates the identity of a client; by default of one without a user.
    public init(_ client: ClientContext = ClientContext()) { self.client = client }

    public var user: User? {
        get { client.user }
        set { client.user = newValue }
    }
}
