package import HTTPMessages

/// What a client wants in the response to an event, instead of only its commands (RFC 7240, section 4.2).
package enum ReturnPreference: String, Codable, Sendable {
    /// No commands, only whether there was an error.
    case minimal
    /// Also what the page shows afterwards.
    case representation

    /// The header field that confirms the preference.
    package var applied: (name: HeaderName, value: String) {
        switch self {
        case .minimal: ("Preference-Applied", "return=minimal")
        case .representation: ("Preference-Applied", "return=representation")
        }
    }
}
