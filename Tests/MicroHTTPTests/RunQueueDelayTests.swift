@testable import MicroHTTP

struct RunQueueDelayTests {
    @Test func `the delay is what the kernel has added to it since the last call, and 0 without statistics`() throws {
        let folder = TemporaryFolder()
        var delay = RunQueueDelay()
        var delays: [UInt64] = []
        // The time on the processor, the time on a run queue, and the number of time slices.
        try folder.write("schedstat", "900000000 3000000 7\n")
        delay.begin("\(folder.path)/schedstat")
        for statistics in ["950000000 25999999 8\n", "990000000 25999999 9\n", "1 2\n", "", "no numbers\n"] {
            try folder.write("schedstat", statistics)
            delays.append(delay.take())
        }
        #expect(delays == [22, 0, 0, 0, 0])
        var unknown = RunQueueDelay()
        unknown.begin("/no/such")
        #expect(unknown.take() == 0)
    }
}
