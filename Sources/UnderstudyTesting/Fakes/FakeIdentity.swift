public import BusinessLogic

/// Stands in for who is in front of the screens. Is whoever a test says; where it says nobody at all, asking fails the test.
public final class FakeIdentity: Identity {
    private let stub: Stub<Visitor>
    private var current: Visitor?

    /// A fake of that visitor; that must not be asked, unless given.
    public init(
        _ visitor: Visitor? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        stub = Stub(
            visitor,
            "FakeIdentity.visitor",
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    public var visitor: Visitor {
        if let current { return current }
        return (try? stub()) ?? Visitor()
    }

    public var user: User? {
        get { visitor.user }
        set {
            var changed = visitor
            changed.user = newValue
            current = changed
        }
    }
}
