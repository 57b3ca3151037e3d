public import BusinessLogic

/// Stands in for who is in front of the screens. Is whoever a test says; where it says nobody at all, asking fails the test.
public final class StubIdentity: Identity {
    private let stub: StubbedFunction<ClientContext>
    private var current: ClientContext?

    /// A fake of that client; that must not be asked, unless given.
    public init(
        _ client: ClientContext? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        stub = StubbedFunction(
            client,
            "StubIdentity.client",
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    public var client: ClientContext {
        if let current { return current }
        return (try? stub()) ?? ClientContext()
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
