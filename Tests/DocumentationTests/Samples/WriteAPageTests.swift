// The sample of the article "Write a page".
import BusinessLogic
import Foundation
import Testing
import Understudy

@Test func `the states of the coupon page end at three failures, as the picture shows`() async throws {
    let graph = try await PageGraph(of: couponPage, events: ["redeemButtonPressed"])
    print(graph.mermaid)

    #expect(!graph.isCut)
    #expect(graph.states.contains { $0.memory.object?["failures"] == 3 })
    #expect(!graph.states.contains { $0.memory.object?["failures"] == 4 })

    let file = Checkout.root.appending(path: TutorialStep.catalogue + "/Resources/coupon.svg")
    if try String(contentsOf: file, encoding: .utf8) != graph.svg + "\n" {
        try (graph.svg + "\n").write(to: file, atomically: true, encoding: .utf8)
        Issue.record("The picture showed something else; it has been drawn anew.")
    }
}
