package import BusinessLogic

/// How a server is: what `understudy status` prints.
package struct Overview: Equatable, Sendable {
    /// The properties of the server, as texts for a person.
    package struct Facts: Equatable, Sendable {
        /// `ready`, or why the server is not.
        package let health: String
        package let version: String
        /// Since when it runs.
        package let running: String
        package let sessions: String
        package let connections: String
        package let requests: String
        package let logins: String
        /// `nil` if the server sends no mails.
        package let mails: String?
        package let memory: String
        /// When the certificate expires; `nil` without one.
        package let certificate: String?

        package init(
            health: String,
            version: String,
            running: String,
            sessions: String,
            connections: String,
            requests: String,
            logins: String,
            mails: String?,
            memory: String,
            certificate: String?
        ) {
            (self.health, self.version, self.running, self.sessions) = (health, version, running, sessions)
            (self.connections, self.requests, self.logins) = (connections, requests, logins)
            (self.mails, self.memory, self.certificate) = (mails, memory, certificate)
        }
    }

    /// How long the requests of a page or an event took.
    package struct PageTime: Equatable, Sendable {
        package let page: String
        package let event: String
        package let requests: String
        /// The mean duration.
        package let mean: String

        package init(page: String, event: String, requests: String, mean: String) {
            (self.page, self.event, self.requests, self.mean) = (page, event, requests, mean)
        }
    }

    /// How many requests got a problem.
    package struct ProblemCount: Equatable, Sendable {
        package let problem: String
        package let requests: String

        package init(problem: String, requests: String) {
            (self.problem, self.requests) = (problem, requests)
        }
    }

    /// A server that uses the database.
    package struct Node: Equatable, Sendable {
        /// The machine and the process.
        package let name: String
        package let version: String
        /// When it connected.
        package let since: Timestamp?

        package init(name: String, version: String, since: Timestamp?) {
            (self.name, self.version, self.since) = (name, version, since)
        }
    }

    package var facts: Facts
    /// The pages whose requests took the longest on average.
    package var slowest: [PageTime]
    package var problems: [ProblemCount]
    package var nodes: [Node]
    /// The last errors in the log, the oldest first.
    package var errors: [String]

    package init(facts: Facts, slowest: [PageTime], problems: [ProblemCount], nodes: [Node], errors: [String]) {
        (self.facts, self.slowest, self.problems) = (facts, slowest, problems)
        (self.nodes, self.errors) = (nodes, errors)
    }
}

extension Overview.Facts: ObjectValue {
    package static let object = ObjectSchema(
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
    package static let object = ObjectSchema(
        Overview.PageTime.init(page:event:requests:mean:),
        Member("page", \.page),
        Member("event", \.event),
        Member("requests", \.requests),
        Member("mean", \.mean)
    )
}

extension Overview.ProblemCount: ObjectValue {
    package static let object = ObjectSchema(
        Overview.ProblemCount.init(problem:requests:),
        Member("problem", \.problem),
        Member("requests", \.requests)
    )
}

extension Overview.Node: ObjectValue {
    package static let object = ObjectSchema(
        Overview.Node.init(name:version:since:),
        Member("name", \.name),
        Member("version", \.version),
        Member("since", \.since)
    )
}
