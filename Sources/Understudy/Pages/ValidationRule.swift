public import BusinessLogic

/// A rule that `POST /validate` checks values against, without a session.
///
/// A page registers the rules that its events apply; ``ServiceConfiguration/rules`` adds others.
public struct ValidationRule: Sendable {
    /// What a rule finds.
    public enum Outcome: Equatable, Sendable {
        /// The value is valid. `normalised` is the value as the page would keep it; `nil` if the rule does not change values.
        case valid(normalised: String? = nil)
        /// The value is invalid, for the reason that the message gives.
        case invalid(Message)
    }

    /// The name by which a client selects the rule.
    public let name: String
    /// The most Unicode code points that a value may have. A longer one is rejected before the rule sees it.
    public let maximumLength: Int
    /// A value for the OpenAPI document, which also shows what the rule finds; `nil` for no example.
    public let example: String?
    /// How many checks a request may contain.
    static let maximumChecks = 1000

    let check: @Sendable (String) -> Outcome

    /// A rule.
    ///
    /// - Parameters:
    ///   - name: the name by which a client selects the rule.
    ///   - maximumLength: the most Unicode code points that a value may have, at least 0.
    ///   - example: a value for the OpenAPI document.
    ///   - check: checks a value. A client's `null` arrives as an empty text. Called on an event loop: must not block.
    public init(
        _ name: String,
        maximumLength: Int = Field.usualMaximumLength,
        example: String? = nil,
        check: @escaping @Sendable (String) -> Outcome
    ) {
        self.name = name
        self.maximumLength = maximumLength
        self.example = example
        self.check = check
    }
}
