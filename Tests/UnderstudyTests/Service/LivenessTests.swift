@testable import Understudy

struct LivenessTests {
    @Test func `the thousandth check uses as much of the stack as the first`() {
        let liveness = Liveness()
        let positions = LockedValue<[UInt]>([])
        liveness.watch {
            positions.append(stackPosition())
            return true
        }
        for _ in 0..<1000 { #expect(liveness.isAlive) }
        #expect(Set(positions.value).count == 1)
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
