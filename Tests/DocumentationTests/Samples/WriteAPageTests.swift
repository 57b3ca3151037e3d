// The sample of the article "Write a page".
import BusinessLogic
import Foundation
import Testing
import Understudy
@testable import UnderstudyReplay

@Test func `the states of the coupon page end in the pause after three failures, as the picture shows`() async throws {
    let graph = try await PageGraph(of: couponPage, events: ["redeemButtonPressed"])
    print(graph.mermaid)

    #expect(!graph.isCut)
    #expect(graph.transitions.contains { $0.commands == [.showAlert(.tooManyCoupons)] && $0.source == $0.target })

    let file = Checkout.root.appending(path: TutorialStep.catalogue + "/Resources/coupon.svg")
    if try String(contentsOf: file, encoding: .utf8) != graph.svg + "\n" {
        try (graph.svg + "\n").write(to: file, atomically: true, encoding: .utf8)
        Issue.record("The picture showed something else; it has been drawn anew.")
    }
}
