public import BusinessLogic

/// The identity of a client in a test. Without a client, reading `client` or `user` fails the test.
public final class StubIdentity: Identity {
    private var current: ClientContext?
    private let site: CallSite
    private let test = PendingIssues.Test.current

    /// Creates the identity of a client.
    public init(
        _ client: ClientContext? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        current = client
        site = CallSite(fileID, filePath, line, column)
    }

    public var client: ClientContext {
        if let current { return current }
        PendingIssues.fail("StubIdentity.client was called, but the test gives no client.", at: site, in: test)
        return ClientContext()
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
