/// What a request does between its arrival and its response, as the access log, `Server-Timing` and spans name it.
package enum Stage: String, CaseIterable, Sendable {
    /// It waits for its session, which handles another event.
    case session
    /// A password is hashed, or waits for a thread that hashes it.
    case hash
    /// The database works, or a connection to it is awaited.
    case database
    /// A collaborator of a controller works. Includes the stages within.
    case collaborator
    /// The controller handles the event. Includes the stages within.
    case controller
}

/// The time that a request has spent in each stage, in nanoseconds.
package struct Durations: Equatable, Sendable {
    private var session: Int64 = 0
    private var hash: Int64 = 0
    private var database: Int64 = 0

    package init() {}

    /// The time in a stage; 0 in one that includes others.
    package subscript(stage: Stage) -> Int64 {
        get {
            switch stage {
            case .session: session
            case .hash: hash
            case .database: database
            case .collaborator, .controller: 0
            }
        }
        set {
            switch stage {
            case .session: session = newValue
            case .hash: hash = newValue
            case .database: database = newValue
            case .collaborator, .controller: break
            }
        }
    }
}
