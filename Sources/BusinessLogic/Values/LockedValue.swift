#if os(Linux)
    internal import Synchronization

    typealias StateLock<State> = Mutex<State>
#else
    internal import os

    /// Apple's systems have `Mutex` only since iOS 18 and macOS 15.
    struct StateLock<State>: Sendable {
        private let lock: OSAllocatedUnfairLock<State>

        init(_ state: State) {
            lock = OSAllocatedUnfairLock(uncheckedState: state)
        }

        func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            try lock.withLockUnchecked(body)
        }
    }
#endif

/// A variable that tasks share safely. It runs on iOS 16, unlike `Mutex`.
package final class LockedValue<Value: Sendable>: Sendable {
    private let lock: StateLock<Value>

    package init(_ value: Value) {
        lock = StateLock(value)
    }

    package var value: Value {
        get { change { $0 } }
        set { change { $0 = newValue } }
    }

    /// `body` must not use this variable.
    package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&$0) } }
}
