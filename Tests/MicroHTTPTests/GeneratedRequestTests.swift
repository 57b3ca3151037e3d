import TestSupport
import MicroHTTP

@Suite(.timeLimit(.minutes(5))) struct GeneratedRequestTests {
    @Test func `2000 valid requests arrive unchanged, however they are split`() async throws {
        var generator = RequestGenerator(seed: 1)
        for _ in 0..<40 {
            let samples = (1...50).map { generator.next(mayBeLast: $0 == 50) }
            let responder = StubResponder { _ in .text("ok") }
            try await withClient(responder) { _, client in
                // Sends not all together, because both ends would wait for the other one to read.
                for batch in stride(from: 0, to: samples.count, by: 10).map({ samples[$0..<($0 + 10)] }) {
                    for segment in generator.segments(batch.flatMap(\.bytes)) { try await client.send(segment) }
                    for _ in batch { #expect(try await client.receive().status == 200) }
                }
            }
            #expect(responder.rejected == [])
            #expect(responder.requests.count == samples.count)
            for (request, sample) in zip(responder.requests, samples) { expect(request, is: sample) }
        }
    }

    private func expect(_ request: Request, is sample: RequestGenerator.Sample) {
        #expect(request.method.rawValue == sample.method)
        #expect(request.target == sample.target)
        #expect(request.body == sample.body)
        #expect(request.headers.all.map { Array($0.name) } == sample.headers.map(\.name))
        #expect(request.headers.all.map { Array($0.value) } == sample.headers.map(\.value))
    }
}
