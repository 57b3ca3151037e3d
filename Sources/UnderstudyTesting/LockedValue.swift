internal import Foundation

/// A variable that several tasks may share: what a double needs to be both steerable and `Sendable`.
package final class LockedValue<Value: Sendable>: Sendable {
    private let lock = NSLock()
    /// Guarded by the lock.
    nonisolated(unsafe) private var locked: Value

    package init(_ value: Value) {
        locked = value
    }

    package var value: Value {
        get { lock.withLock { locked } }
        set { lock.withLock { locked = newValue } }
    }

    /// Changes the value while nobody else can.
    package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { body(&locked) }
    }
}
