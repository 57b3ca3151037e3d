public import BusinessLogic

/// The identity of a client in a test. Without a client, reading `client` or `user` fails the test.
public final class StubIdentity: Identity {
    private let stub: Stub<ClientContext>
    private var current: ClientContext?

    /// Creates the identity of a client.
    public init(
        _ client: ClientContext? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        stub = Stub(client, at: CallSite(fileID, filePath, line, column))
    }

    public var client: ClientContext {
        current ?? (try? stub.implementation(of: "StubIdentity.client")) ?? ClientContext()
    }

    public var user: User? {
        get { client.user }
        set {
            var changed = client
            changed.user = newValue
            current = changed
        }
    }
}
