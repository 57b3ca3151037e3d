#if os(Linux)
    internal import Synchronization

    /// A variable that tasks share safely. Apple's systems have `Mutex` only since iOS 18 and macOS 15.
    final class Lock<State: Sendable>: Sendable {
        private let mutex: Mutex<State>

        init(_ state: State) {
            mutex = Mutex(state)
        }

        /// Reads or changes the variable. `body` must not use the lock.
        func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
            mutex.withLock { body(&$0) }
        }
    }
#endif

#if canImport(os)
    internal import os

    /// A variable that tasks share safely.
    final class Lock<State: Sendable>: Sendable {
        private let lock: OSAllocatedUnfairLock<State>

        init(_ state: State) {
            lock = OSAllocatedUnfairLock(initialState: state)
        }

        /// Reads or changes the variable. `body` must not use the lock.
        func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
            lock.withLockUnchecked { body(&$0) }
        }
    }
#endif
