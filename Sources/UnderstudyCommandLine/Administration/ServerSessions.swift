import Accounts
import BusinessLogic
import OperatorPages
import Understudy

/// The sessions of a running server, which it shows on its pages for operators.
struct ServerSessions: OperatedSessions {
    let client: OperatorClient
    let clock: any WallClock = SystemClock()

    func forEach(_ selection: SessionSelection, _ body: (SessionSummary) -> Void) async throws {
        let ages = selection.ages(at: clock.now)
        let selected: Value.Object = [
            "account": .string(selection.account ?? ""),
            "address": .string(selection.address.map { "\($0.address)" } ?? ""),
        ]
        var answer = try client.send("searchButtonPressed", to: "sessions", selected)
        switch answer.code {
        case nil: break
        case "operator.unknownAccount": throw CommandError.unknownAccount(selection.account ?? "")
        case let code?: throw client.failure("it does not accept the selection: \(code)")
        }
        while true {
            guard let value = answer.outputs["sessions"], let sessions = [SessionSummary](screenValue: value) else {
                throw CommandError("The server lists its sessions in another way: its version differs.")
            }
            for session in sessions where ages.select(created: session.created, lastUsed: session.lastUsed) {
                body(session)
            }
            guard answer.outputs["hasMore"] == .boolean(true) else { return }
            answer = try client.send("moreButtonPressed", to: "sessions")
        }
    }

    func shown(_ id: String) async throws -> ShownSession {
        guard id.count == 8,
            let json = try client.send("jsonButtonPressed", to: "sessionDetails", ["session": .string(id)])
                .outputs["json"]?.string,
            let value = try? JSONReader.read(Array(json.utf8))
        else { throw unknown(id) }
        return ShownSession(value)
    }

    func end(_ ids: [String]) async throws {
        for id in ids { _ = try await shown(id) }
        for id in ids where try !end(id) { throw unknown(id) }
    }

    func end(_ selection: SessionSelection) async throws -> Int {
        var ids: [String] = []
        try await forEach(selection) { ids.append($0.id) }
        let count = try ids.filter { try end($0) }.count
        if count < ids.count {
            Terminal.printNote(
                "\(ids.count - count) more had ended before, or share their IDs with others, so that they go on."
            )
        }
        return count
    }

    /// Ends a session.
    ///
    /// - Returns: `false` if it has ended meanwhile.
    private func end(_ id: String) throws -> Bool {
        try client.send("endButtonPressed", to: "sessionDetails", ["session": .string(id)]).code
            == "operator.sessionEnded"
    }

    private func unknown(_ id: String) -> CommandError {
        client.failure("it has no session '\(id)', perhaps another server has it")
    }
}
