// The sample of the article "Write a page".
import BusinessLogic
import Testing
import Understudy
import UnderstudyReplay

@Test func `the states of the coupon page end in the pause after three failures`() async throws {
    let graph = try await PageGraph(of: couponPage, events: ["redeemButtonPressed"])
    print(graph.mermaid)

    #expect(!graph.isCut)
    #expect(graph.transitions.contains { $0.commands == [.showAlert(.tooManyCoupons)] && $0.source == $0.target })
}
