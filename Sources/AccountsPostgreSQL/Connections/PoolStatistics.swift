/// The figures of a pool at one moment.
package struct PoolStatistics: Sendable, Equatable {
    /// The connections that execute a call, or that a transaction has reserved.
    package let inUse: Int
    /// The connections that wait for a call.
    package let idle: Int
    /// The calls that wait for a connection.
    package let waiting: Int
    /// The connections that were opened since the start.
    package let opened: Int
}
