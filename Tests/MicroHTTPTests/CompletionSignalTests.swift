import Testing

@testable import MicroHTTP

@Suite(.timeLimit(.minutes(1))) struct EndingTests {
    @Test func `all who wait are told`() async {
        let ending = CompletionSignal()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { await ending.wait() } }
            group.addTask { ending.signal() }
        }
    }

    @Test func `who comes later need not wait`() async {
        let ending = CompletionSignal()
        ending.signal()
        await ending.wait()
        await ending.wait()
    }

    @Test func `it may happen twice`() async {
        let ending = CompletionSignal()
        async let waiting: Void = ending.wait()
        ending.signal()
        ending.signal()
        await waiting
    }
}
