import Foundation
import Testing
import Understudy
import UnderstudyReplay

@testable import registration

@Test func `the picture shows what the page does`() async throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let file = package.appending(path: "registration.svg")
    let picture = try await PageGraph(of: pages[0]).svg + "\n"
    if try String(contentsOf: file, encoding: .utf8) != picture {
        try picture.write(to: file, atomically: true, encoding: .utf8)
        Issue.record("The picture was out of date. The test has drawn it again.")
    }
}
