/// Each request of the corpus, over its own connection and with another request after it.
@Suite(.fiveMinutes) struct RawRequestCorpusTests {
    static let canary = "GET /canary HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    @Test(arguments: RawRequestCorpus.all)
    func `a request and the one after it have the outcome that the standard or our own rule requires`(
        _ request: RawRequest
    ) async throws {
        let responder = StubResponder()
        var answers = ""
        try await withClient(responder) { _, client in
            try await client.send(request.bytes + Self.canary.bytes)
            answers = try await client.receiveToEnd().text
        }
        // Once the server has ended, since it reports what the library has rejected after its response.
        let handled = responder.requests.map { [$0.target, $0.body.text] }
        switch request.outcome {
        case .accepted(let target, let body):
            #expect(statuses(answers) == [200, 200])
            #expect(handled == [[target, body], ["/canary", ""]])
        case .last(let target, let body):
            #expect(statuses(answers) == [200])
            #expect(handled == [[target, body]])
        case .rejected(let status):
            #expect(statuses(answers) == [status])
            #expect(responder.rejected.map(\.rejection.status) == [status])
            #expect(responder.rejected.allSatisfy { !$0.id.isEmpty })
            #expect(answers.contains("\r\nConnection: close\r\n"))
            #expect(handled == [])
        case .dropped:
            #expect(statuses(answers).allSatisfy { 400..<600 ~= $0 })
            #expect(responder.rejected.count == statuses(answers).count)
            #expect(handled == [])
        }
    }

    @Test func `the corpus has no duplicates`() {
        #expect(RawRequestCorpus.all.count >= 150)
        #expect(Set(RawRequestCorpus.all.map(\.text)).count == RawRequestCorpus.all.count)
    }

    @Test func `docs/architecture.md lists the requests that the versions of the library treat differently`() throws {
        let lines = try Checkout.text("docs/architecture.md").split(separator: "\n").map(String.init)
        let rows = RawRequestCorpus.all.filter { $0.outcomes.from09 != $0.outcomes.from10 }.map { request in
            let text = request.text.debugDescription.dropFirst().dropLast().replacing("\\\"", with: "\"")
            return "| `\(text)` | \(request.outcomes.from09) | \(request.outcomes.from10) |"
        }
        #expect(lines.filter { $0.contains("\\r\\n") } == rows)
    }

    /// The statuses of the final answers, in order.
    func statuses(_ answers: String) -> [Int] {
        answers.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }.filter { $0 != 100 }
    }
}
