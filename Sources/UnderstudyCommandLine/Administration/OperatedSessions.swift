import BusinessLogic
import OperatorPages

/// The sessions on which the commands of `understudy session` act.
protocol OperatedSessions {
    /// Calls `body` with each selected session, in the order in which they were started.
    ///
    /// - Throws: ``CommandError`` if there is no such account, or the sessions cannot be read.
    func forEach(_ selection: SessionSelection, _ body: (SessionSummary) -> Void) async throws

    /// A session, without secrets.
    ///
    /// - Parameter id: the ID of eight digits.
    /// - Throws: ``CommandError`` if there is no such session.
    func shown(_ id: String) async throws -> ShownSession

    /// Ends sessions, and records each.
    ///
    /// - Parameter ids: their IDs of eight digits.
    /// - Throws: ``CommandError`` if there is no such session.
    func end(_ ids: [String]) async throws

    /// Ends the selected sessions, and records each.
    ///
    /// - Returns: their number.
    func end(_ selection: SessionSelection) async throws -> Int
}
