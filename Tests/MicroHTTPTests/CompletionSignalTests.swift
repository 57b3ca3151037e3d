import Testing

@testable import MicroHTTP

@Suite(.timeLimit(.minutes(5))) struct CompletionSignalTests {
    @Test func `a signal resumes all waiting tasks`() async {
        let ending = CompletionSignal()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { await ending.wait() } }
            group.addTask { ending.signal() }
        }
    }

    @Test func `a wait after the signal returns immediately`() async {
        let ending = CompletionSignal()
        ending.signal()
        await ending.wait()
        await ending.wait()
    }

    @Test func `a second signal has no effect`() async {
        let ending = CompletionSignal()
        async let waiting: Void = ending.wait()
        ending.signal()
        ending.signal()
        await waiting
    }
}
