internal import Foundation

/// A variable that tasks share safely. It runs on iOS 16, unlike `Mutex`.
package final class LockedValue<Value: Sendable>: Sendable {
    private let lock = NSLock()
    // `nonisolated(unsafe)` is safe because the lock guards it.
    nonisolated(unsafe) private var locked: Value

    package init(_ value: Value) {
        locked = value
    }

    package var value: Value {
        get { lock.withLock { locked } }
        set { lock.withLock { locked = newValue } }
    }

    /// Changes the value atomically.
    package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { body(&locked) }
    }
}
