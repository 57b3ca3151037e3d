/// The error of a deferred write that finds other data than the event has read.
package struct DataHaveChanged: Error {
    package init() {}
}

/// The error of a login that the user's sessions were revoked after.
package struct SessionsWereRevoked: Error {
    /// The number of the last revocation of all.
    package let last: Int

    package init(last: Int) {
        self.last = last
    }
}
