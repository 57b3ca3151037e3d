import BusinessLogic
import HTTPMessages
import UnderstudyPages
import UnderstudySessions

/// The facts about a request that the metrics and the access log contain.
struct RequestRecord {
    /// How the response is sent.
    enum Delivery {
        case atOnce
        /// While the event runs.
        case stream(EventStream)
        /// As a stream that goes on after this response.
        case openStream
    }

    /// The page, if the path is a page's.
    var page: Page?
    /// The event's index in the page's events, if the request is an event.
    var event: Int?
    /// The session, if it is known.
    var session: SessionID?
    /// The code of the problem to which the request led. The response may be another one: a browser's request has several parts.
    var problem: Problem.Code?
    /// Why the request led to a problem or a message; `nil` if it led to neither.
    var reason: RequestReason?
    /// Measures what the request waits for; `nil` if the task is not that of a server.
    let trace: RequestTrace?
    /// How the response is sent.
    // Not an optional stream, because releasing an optional in the memory of an asynchronous function takes much longer.
    var delivery = Delivery.atOnce
    /// When the service received the request, in nanoseconds of the monotonic clock.
    let start = RequestTrace.now

    init(trace: RequestTrace? = nil) {
        self.trace = trace
    }

    /// Nanoseconds since the start.
    var elapsed: Int64 { RequestTrace.now - start }

    /// The event's name; empty if the request is not an event.
    var eventName: String {
        if let page, let event { page.events[event].event.name } else { "" }
    }

    /// Adds what an event of a session gave.
    @inline(__always)
    mutating func add(_ commands: ArraySlice<CommandHistory.Entry>, in session: Session) {
        if commands.containMessage { addMessages(of: commands, in: session) }
    }

    @inline(never)
    private mutating func addMessages(of commands: ArraySlice<CommandHistory.Entry>, in session: Session) {
        let codes = commands.compactMap { $0.command.message?.code }
        reason = RequestReason(messages: codes, account: session.identity.user?.brief)
    }
}

/// Why a request led to a problem or a message. A class, because most requests have none.
final class RequestReason: Sendable {
    /// The name of the first field with an invalid value; `nil` if no value is invalid.
    let field: String?
    /// The codes of the messages that the event gave.
    let messages: [String]
    /// The hash of the session's user; `nil` without one, or if the request led to a problem.
    let account: String?

    init(field: String? = nil, messages: [String] = [], account: String? = nil) {
        self.field = field
        self.messages = messages
        self.account = account
    }
}

extension User {
    /// The first 32 bits of a hash (BLAKE2b, RFC 7693) of the account's ID, or of the username without an account, for logs: enough to
    /// distinguish users, too few to find one.
    package var brief: String { String(SessionToken.hash(Array((id ?? username).utf8)).prefix(8)) }
}
