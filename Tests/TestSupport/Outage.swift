/// The error of a collaborator that is unavailable.
package struct Outage: Error, Equatable {
    package init() {}
}

extension CollaboratorError {
    /// The error of a collaborator that can be tried again a second later.
    package static func outage(of part: String? = nil) -> CollaboratorError {
        .unavailable(retryAfter: .seconds(1), part: part)
    }
}
