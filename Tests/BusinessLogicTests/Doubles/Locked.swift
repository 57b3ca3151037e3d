import Foundation

/// A variable that several tasks may share: what a double needs to be both steerable and `Sendable`.
final class Locked<Value: Sendable>: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var locked: Value

    init(_ value: Value) {
        locked = value
    }

    var value: Value {
        get { lock.withLock { locked } }
        set { lock.withLock { locked = newValue } }
    }
}
