/// Cleans what a user typed.
protocol InputNormalising: Sendable {
    func normalise(_ input: String?) -> String
}

/// Removes all white space, at the edges and inside.
struct InputNormaliser: InputNormalising {
    func normalise(_ input: String?) -> String {
        (input ?? "").filter { !$0.isWhitespace }
    }
}
