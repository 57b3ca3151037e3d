import BusinessLogic

/// How a server is: what `understudy status` prints.
struct Overview: Equatable, Sendable {
    /// The properties of the server, as texts for a person.
    struct Facts: Equatable, Sendable {
        /// `ready`, or why the server is not.
        let health: String
        let version: String
        /// Since when it runs.
        let running: String
        let sessions: String
        let connections: String
        let requests: String
        let logins: String
        /// `nil` if the server sends no mails.
        let mails: String?
        let memory: String
        /// When the certificate expires; `nil` without one.
        let certificate: String?
    }

    /// How long the requests of a page or an event took.
    struct PageTime: Equatable, Sendable {
        let page: String
        let event: String
        let requests: String
        /// The mean duration.
        let mean: String
    }

    /// How many requests got a problem.
    struct ProblemCount: Equatable, Sendable {
        let problem: String
        let requests: String
    }

    let facts: Facts
    /// The pages whose requests took the longest on average.
    let slowest: [PageTime]
    let problems: [ProblemCount]
    /// The servers that use the database; empty if it is not one of PostgreSQL.
    let servers: [ServerProcess]
    /// The last errors in the log, the oldest first.
    let errors: [String]
}

extension Overview.Facts: ObjectValue {
    static let object = ObjectSchema(
        Overview.Facts.init(health:version:running:sessions:connections:requests:logins:mails:memory:certificate:),
        Member("health", \.health),
        Member("version", \.version),
        Member("running", \.running),
        Member("sessions", \.sessions),
        Member("connections", \.connections),
        Member("requests", \.requests),
        Member("logins", \.logins),
        Member("mails", \.mails),
        Member("memory", \.memory),
        Member("certificate", \.certificate)
    )
}

extension Overview.PageTime: ObjectValue {
    static let object = ObjectSchema(
        Overview.PageTime.init(page:event:requests:mean:),
        Member("page", \.page),
        Member("event", \.event),
        Member("requests", \.requests),
        Member("mean", \.mean)
    )
}

extension Overview.ProblemCount: ObjectValue {
    static let object = ObjectSchema(
        Overview.ProblemCount.init(problem:requests:),
        Member("problem", \.problem),
        Member("requests", \.requests)
    )
}
