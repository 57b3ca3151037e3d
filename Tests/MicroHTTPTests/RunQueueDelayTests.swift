import Foundation
import Glibc
import Testing

@testable import MicroHTTP

@Suite(.timeLimit(.minutes(1))) struct RunQueueDelayTests {
    /// Uses a processor for a time.
    private static func compute(_ milliseconds: Int) {
        var used = timespec()
        while used.tv_sec == 0, used.tv_nsec < milliseconds * 1_000_000 {
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used)
        }
    }

    @Test func `the time in which other threads have the processors is not that of the thread`() async {
        let delay: UInt64 = await withCheckedContinuation { continuation in
            for _ in 0..<(4 * ProcessInfo.processInfo.activeProcessorCount) {
                Thread.detachNewThread { Self.compute(200) }
            }
            Thread.detachNewThread {
                var delay = RunQueueDelay()
                delay.begin()
                Self.compute(100)
                continuation.resume(returning: delay.take())
            }
        }
        // A fifth of the time is the thread's.
        #expect(delay >= 20)
    }
}
