#if os(Linux)
    internal import Synchronization
#else
    internal import os
#endif

/// A variable that tasks share safely. It runs on iOS 16, unlike `Mutex`.
package final class LockedValue<Value: Sendable>: Sendable {
    #if os(Linux)
        private let lock: Mutex<Value>
    #else
        private let lock: OSAllocatedUnfairLock<Value>
    #endif

    package init(_ value: Value) {
        #if os(Linux)
            lock = Mutex(value)
        #else
            lock = OSAllocatedUnfairLock(initialState: value)
        #endif
    }

    package var value: Value {
        get { change { $0 } }
        set { change { $0 = newValue } }
    }

    /// Reads or changes the value atomically. `body` must not use this variable.
    package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        #if os(Linux)
            lock.withLock { body(&$0) }
        #else
            lock.withLockUnchecked { body(&$0) }
        #endif
    }
}
