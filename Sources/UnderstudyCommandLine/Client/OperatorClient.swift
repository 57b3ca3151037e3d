import BusinessLogic
import HTTPMessages

/// A client of the pages for operators of a running server.
struct OperatorClient {
    private let http: HTTPClient
    /// Identifies the session of the operator who is logged in.
    private var session = ""

    /// What a page has shown after an event.
    struct Answer {
        /// The values by the keys of the outputs.
        var outputs: [String: Value] = [:]
        /// The code of the last message, if there was one.
        var code: String?
    }

    /// Logs in. Call ``logOut()`` at the end.
    ///
    /// - Throws: ``CommandError`` if the server cannot be reached, has no pages for operators, or has another token.
    init(_ http: HTTPClient, token: OperatorToken, name: String) throws {
        self.http = http
        let token = String(decoding: try token.bytes, as: UTF8.self)
        let started = try request("POST", "/session")
        session = started.content["token"]?.string ?? ""
        let values: Value.Object = ["operator": .string(name), "token": .string(token)]
        let login = try post("login", "loginButtonPressed", values)
        switch (login.status, login.content["token"]?.string) {
        case (200, let session?): self.session = session
        case (200, nil): throw failure("it does not accept the token in the file of 'admin-token-file'")
        case (429, _): throw failure("too many wrong tokens: try again in a minute")
        default: throw failure("it has no pages for operators: the server, too, must have 'admin-token-file'")
        }
    }

    /// Sends an event to a page.
    ///
    /// - Throws: ``CommandError`` without a response, or if it is a problem.
    func send(_ event: String, to page: String, _ values: Value.Object = [:]) throws -> Answer {
        let (status, content) = try post(page, event, values)
        guard status == 200 else {
            throw failure(content["detail"]?.string ?? "it responded with status \(status)")
        }
        var answer = Answer()
        for command in content["commands"]?.array?.compactMap(\.object) ?? [] {
            if command["command"]?.string == "goToPage" { throw failure("the token has changed: try again") }
            if let key = command["key"]?.string { answer.outputs[key] = command["value"] }
            if let code = command["code"]?.string { answer.code = code }
        }
        return answer
    }

    /// Logs out. If that fails, the server does it after 30 minutes.
    func logOut() { _ = try? request("DELETE", "/session") }

    private func post(
        _ page: String,
        _ event: String,
        _ values: Value.Object
    ) throws -> (status: Int, content: Value.Object) {
        let body = Value.object(["event": .string(event), "values": .object(values)]).json
        return try request("POST", "/" + page, ["Content-Type: application/json"], body)
    }

    private func request(
        _ method: String,
        _ path: String,
        _ headers: [String] = [],
        _ body: [UInt8] = []
    ) throws -> (status: Int, content: Value.Object) {
        let authorization = session.isEmpty ? [] : ["Authorization: Bearer \(session)"]
        do {
            let answer = try http.send(method, path, headers: headers + authorization, body: body)
            let content = try? JSONReader.read(Array(answer.body.utf8)).object
            return (answer.status, content ?? [:])
        } catch {
            throw failure(error.reason)
        }
    }

    private func failure(_ reason: String) -> CommandError {
        let reason = reason.printable
        return CommandError("\(http.target): \(reason.hasSuffix(".") ? String(reason.dropLast()) : reason).")
    }
}
