import Synchronization

/// A variable that several tasks may share: what a double needs to be both steerable and `Sendable`.
final class Locked<Value: Sendable>: Sendable {
    private let locked: Mutex<Value>

    init(_ value: Value) {
        locked = Mutex(value)
    }

    var value: Value {
        get { locked.withLock { $0 } }
        set { locked.withLock { $0 = newValue } }
    }

    /// Changes the value while nobody else can.
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        locked.withLock { body(&$0) }
    }
}
