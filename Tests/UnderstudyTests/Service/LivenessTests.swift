import Synchronization
import TestSupport
import Testing

@testable import Understudy

@Suite struct LivenessTests {
    @Test func `the thousandth check uses as much of the stack as the first`() {
        let liveness = Liveness()
        let positions = Mutex<[UInt]>([])
        liveness.watch {
            positions.withLock { $0.append(stackPosition()) }
            return true
        }
        for _ in 0..<1000 { #expect(liveness.isAlive) }
        #expect(Set(positions.withLock { $0 }).count == 1)
    }

    @Test func `a later check replaces an earlier one`() {
        let liveness = Liveness()
        #expect(liveness.isAlive)
        liveness.watch { false }
        #expect(!liveness.isAlive)
        liveness.watch { true }
        #expect(liveness.isAlive)
    }
}
