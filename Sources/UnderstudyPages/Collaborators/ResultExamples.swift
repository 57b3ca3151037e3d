package import BusinessLogic

/// What a collaborator can return, for commands that run a page without calling its collaborators.
///
/// ```swift
/// let examples = ResultExamples("credentials", [User(username: "batman"), nil])
/// let login = Page("login", resultExamples: [examples]) {
///     LoginBusinessLogicController(credentials: $0.recorded(credentials), clock: $0.recorded(clock))
/// }
/// ```
///
/// You need none for a collaborator that returns nothing, a boolean, a number or a text, or an empty list: those values are tried as well,
/// and so are failures.
public struct ResultExamples: Sendable {
    /// The collaborator's name in recordings.
    package let collaborator: String
    /// The results as a recording contains them.
    package let results: [Value]

    /// Creates examples of one collaborator.
    ///
    /// - Parameters:
    ///   - collaborator: the name that the page passes to ``PageContext/Results``, or one of the names of ``PageContext``.
    ///   - results: what the collaborator can return. Choose one value for each case that the controller distinguishes. They must not
    ///     contain secrets.
    public init<Output: Encodable & Sendable>(_ collaborator: String, _ results: [Output]) {
        self.collaborator = collaborator
        self.results = results.map(\.recorded)
    }
}
