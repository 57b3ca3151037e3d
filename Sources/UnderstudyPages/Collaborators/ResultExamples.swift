public import BusinessLogic

/// What a collaborator can return, for commands that run a page without calling its collaborators.
///
/// ```swift
/// let examples = ResultExamples("repository", [[Product(name: "Car", description: "", image: "car")]])
/// let product = Page("product", resultExamples: [examples]) {
///     ProductDetailPresenter(repository: $0.recorded(repository))
/// }
/// ```
///
/// Create times in results from the clock of the search. Times that stay the same would soon be in the past:
///
/// ```swift
/// let holds = ResultExamples("holdSlot") { now in [now + .seconds(120), nil] }
/// ```
///
/// You need none for a collaborator that returns nothing, a boolean, a number or a text, or an empty list: those values are tried as well,
/// and so are failures.
public struct ResultExamples: Sendable {
    package let collaborator: String
    private let make: @Sendable (Timestamp) -> [Value]

    /// Creates examples of one collaborator.
    ///
    /// - Parameters:
    ///   - collaborator: the name that the page passes to ``PageContext/Results``, or one of the names of ``PageContext``.
    ///   - results: what the collaborator can return. Choose one value for each case that the controller distinguishes. They must not
    ///     contain secrets.
    public init<Output: Encodable & Sendable>(_ collaborator: String, _ results: [Output]) {
        self.init(collaborator) { _ in results }
    }

    /// Creates examples of one collaborator, in which times move with the clock of the search.
    ///
    /// - Parameters:
    ///   - collaborator: the name that the page passes to ``PageContext/Results``.
    ///   - results: what the collaborator can return at a time: the same results in the same order at each time, except that their times are
    ///     as much later. A time is encoded as a number, as `Timestamp` and `Date` are, or as a text such as `2027-03-01T09:30:00Z`.
    public init<Output: Encodable & Sendable>(
        _ collaborator: String,
        at results: @escaping @Sendable (Timestamp) -> [Output]
    ) {
        self.collaborator = collaborator
        make = { results($0).map(\.recorded) }
    }

    package func results(at time: Timestamp) -> [Value] { make(time) }
}
