import BusinessLogic
import Glibc
import HTTPMessages

/// A client of the pages for operators of a running server.
struct OperatorClient {
    private var http: HTTPClient
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
        // A process of another user could have taken the port while the server does not run.
        self.http.trustedUsers = [0, geteuid()]
        let token = String(decoding: try token.bytes, as: UTF8.self)
        // Otherwise, the port for users would get the token.
        guard try request("HEAD", "/metrics", hint: ": is the server running?").status == 200 else {
            throw failure("it is not the port for operators of Understudy")
        }
        let started = try request("POST", "/session")
        guard let session = started.content["token"]?.string else {
            throw failure("it has no pages for operators: the server, too, must have 'admin-token-file'")
        }
        self.session = session
        let values: Value.Object = ["operator": .string(name), "token": .string(token)]
        let login = try post("login", "loginButtonPressed", values)
        guard login.status == 200 else { throw problem(login) }
        guard let session = login.content["token"]?.string else {
            throw failure("it does not accept the token in the file of 'admin-token-file'")
        }
        self.session = session
    }

    /// Sends an event to a page.
    ///
    /// - Throws: ``CommandError`` without a response, or if it is a problem.
    func send(_ event: String, to page: String, _ values: Value.Object = [:]) throws -> Answer {
        let response = try post(page, event, values)
        guard response.status == 200 else { throw problem(response) }
        var answer = Answer()
        for command in response.content["commands"]?.array?.compactMap(\.object) ?? [] {
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
        _ body: [UInt8] = [],
        hint: String = ""
    ) throws -> (status: Int, content: Value.Object) {
        let authorization = session.isEmpty ? [] : ["Authorization: Bearer \(session)"]
        do {
            let answer = try http.send(method, path, headers: headers + authorization, body: body)
            let content = try? JSONReader.read(Array(answer.body.utf8)).object
            return (answer.status, content ?? [:])
        } catch {
            throw failure(error.reason + hint)
        }
    }

    private func problem(_ response: (status: Int, content: Value.Object)) -> CommandError {
        failure(response.content["detail"]?.string ?? "it responded with status \(response.status)")
    }

    /// An error that names the server.
    func failure(_ reason: String) -> CommandError {
        let end = reason.last.map { ".?".contains($0) } == true ? "" : "."
        return CommandError("\(http.target): \(reason.printable)\(end)")
    }
}
