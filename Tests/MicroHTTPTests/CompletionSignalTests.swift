import TestSupport
import Testing

@testable import MicroHTTP

@Suite(.timeLimit(.minutes(5))) struct CompletionSignalTests {
    @Test func `a signal resumes all waiting tasks`() async {
        let ending = CompletionSignal()
        let count = Tally()
        // Each of them waits when its creation returns.
        let waiting = (1...10).map { _ in
            Task.immediate {
                await ending.wait()
                count.add()
            }
        }
        #expect(count.count == 0)
        ending.signal()
        for task in waiting { await task.value }
        #expect(count.count == 10)
    }

    @Test func `a wait after one signal or more returns immediately`() {
        let ending = CompletionSignal()
        let count = Tally()
        for number in 1...2 {
            ending.signal()
            _ = Task.immediate {
                await ending.wait()
                count.add()
            }
            #expect(count.count == number)
        }
    }
}
