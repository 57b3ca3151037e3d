import Understudy

extension PageContext {
    /// The codes to pass to a controller. A replay takes their results from the recording.
    func recorded(_ codes: any CodeSending) -> any CodeSending { RecordedCodes(codes: codes, results: results) }
}

/// The codes of a session that may be recorded. A recording contains no code: only that one was sent, and whether the user's was right.
private struct RecordedCodes: CodeSending {
    let codes: any CodeSending
    let results: PageContext.Results

    /// Returns the code that it has sent; an empty text in a replay, which sends none.
    func sendCode(to number: PhoneNumber) async throws -> String {
        var code = ""
        try await results.from("sentCode") { code = try await codes.sendCode(to: number) }
        return code
    }

    func isRight(_ code: String, sent: String?) -> Bool {
        results.from("isRightCode", else: false) { codes.isRight(code, sent: sent) }
    }
}
