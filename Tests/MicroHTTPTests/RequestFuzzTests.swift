import Foundation

/// Valid requests, and then one with a few changed bytes, compared with a reader that follows only the RFC.
///
/// Uses 300 connections, and sends always the same requests. `FUZZ_SECONDS` sets a longer duration, and `FUZZ_SEED` selects other requests.
@Suite(.timeLimit(.minutes(60))) struct RequestFuzzTests {
    static let canary = RawRequestCorpusTests.canary.bytes

    @Test(arguments: [0, 9])
    func `the handler gets the valid requests, those that a reader of the RFC finds in modified bytes, and no others`(
        unmodified: Int
    ) async throws {
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment["FUZZ_SECONDS"].flatMap { Int64($0) }
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        let seed = environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
        let generator = RequestGenerator(random: SequenceRandom(seed: seed))
        let mutator = Mutator(random: SequenceRandom(seed: seed))
        let responder = StubResponder { _ in .text("ok") }
        var (count, handled) = (0, 0)
        try await withServer(responder) { server in
            while end.map({ ContinuousClock.now < $0 }) ?? (count < 300) {
                let before = responder.requests.count
                // From the second one on, the connection reuses its memory. The first three are the same.
                let request = generator.next(mayBeLast: unmodified == 0)
                let valid = (0..<unmodified).flatMap { $0 < 3 ? request : generator.next(mayBeLast: false) }
                let bytes = valid + mutator.mutate(request)
                let client = try await server.client()
                // The server may close before it has read everything.
                for segment in generator.segments(bytes + Self.canary) { try? await client.send(segment) }
                await client.halfClose()
                _ = try? await client.receiveToEnd()
                let requests = responder.requests.dropFirst(before)
                let expected = ReferenceReader.requests(in: bytes + Self.canary)
                count += 1
                handled += requests.count
                guard requests.count < unmodified || !agree(Array(requests), expected) else { continue }
                Issue.record(
                    """
                    in base64: \(Data(bytes).base64EncodedString())
                    handled: \(requests.map { "\($0.method) \($0.target) \($0.body.count)" })
                    expected: \(expected.map { "\($0.target.text) \($0.body?.count ?? -1)" })
                    """
                )
            }
        }
        #expect(count > 0)
        #expect(handled > count / 4)
    }

    /// Whether the handler got the expected requests, or fewer, because the server may be stricter.
    func agree(_ requests: [Request], _ expected: [ReferenceReader.Read]) -> Bool {
        requests.count <= expected.count
            && zip(requests, expected).allSatisfy { request, expected in
                request.method.rawValue.bytes == expected.method && request.target.bytes == expected.target
                    && request.headers.all.map { [Array($0.name), Array($0.value)] } == expected.headers
                    && (expected.body == nil || expected.body == request.body)
            }
    }
}

/// Changes bytes: the same ones for the same seed.
struct Mutator {
    let random: SequenceRandom

    /// Bytes that have a meaning in a request.
    static let words = [
        "\r", "\n", "\r\n", "\0", ":", " ", "\t", ",", ";", "%00", "#", "?", "/", "HTTP/1.1", "\r\n\r\n", "0\r\n\r\n",
        "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Host: b\r\n", "Connection: close\r\n",
        "Expect: 100-continue\r\n", "\u{B}", "\u{C}", "\u{7F}", "\u{80}", "\u{A0}",
        "GET /x HTTP/1.1\r\nHost: a\r\n\r\n",
    ].map(\.bytes)

    /// The bytes with one to four changes.
    func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.number(below: 4) {
            let place = random.number(below: bytes.count + 1)
            let end = min(bytes.count, place + 1 + random.number(below: 8))
            switch random.number(below: 6) {
            case 0: bytes.insert(contentsOf: Self.words[random.number(below: Self.words.count)], at: place)
            case 1: bytes.replaceSubrange(place..<end, with: Self.words[random.number(below: Self.words.count)])
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: Array(bytes[place..<end]), at: random.number(below: bytes.count + 1))
            case 4: bytes.insert(UInt8(random.number(below: 256)), at: place)
            default: if place < bytes.count { bytes[place] ^= 1 << UInt8(random.number(below: 8)) }
            }
        }
        return bytes
    }
}
