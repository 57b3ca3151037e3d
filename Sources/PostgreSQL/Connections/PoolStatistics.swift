/// The figures of a pool at one moment.
package struct PoolStatistics: Sendable, Equatable {
    /// The connections that execute a call, or that a transaction has reserved.
    package internal(set) var inUse = 0
    /// The connections that wait for a call.
    package internal(set) var idle = 0
    /// The calls that wait for a connection.
    package internal(set) var waiting = 0
    /// The connections that were opened since the start.
    package internal(set) var opened = 0
}
