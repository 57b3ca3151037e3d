import BusinessLogic
import Testing
import Understudy

@Test func `the states of the coupon page end at three failures`() async throws {
    let graph = try await PageGraph(of: couponPage)
    print(graph.mermaid)

    #expect(!graph.isCut)
    #expect(graph.states.contains { $0.memory.object?["failures"] == 3 })
    #expect(!graph.states.contains { $0.memory.object?["failures"] == 4 })
}
