// The samples of the article "Replay a bug report".
import BusinessLogic
import Foundation
import HTTPMessages
import Testing
import Understudy
@testable import UnderstudyReplay

struct RecordedCoupons: CouponStoring {
    let coupons: any CouponStoring
    let results: PageContext.Results

    func discount(of code: String) async throws -> Int? {
        try await results.from("coupons") { try await coupons.discount(of: code) }
    }
}

let recordedCouponPage = Page("coupon") { context in
    CouponController(
        coupons: RecordedCoupons(coupons: Coupons(), results: context.results),
        clock: context.recorded(SystemClock()),
        random: context.recorded(SystemRandomNumberGenerator())
    )
}

@Suite struct ReplayABugReportTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    /// A recording of a session in which a customer redeems a coupon.
    private func report() async throws -> URL {
        var configuration = ServiceConfiguration()
        configuration.recording = try RecordingFolder(folder)
        let service = UnderstudyService(pages: [recordedCouponPage], configuration: configuration)

        _ = try await redeem("summer", with: service)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        return URL(filePath: folder + "/" + (try #require(files.first)))
    }

    @Test func `the session goes as it was recorded`() async throws {
        let report = try await report()
        defer { try? FileManager.default.removeItem(atPath: folder) }

        let recording = try Recording([UInt8](Data(contentsOf: report)))
        let findings = try await recording.findings(on: [recordedCouponPage])
        #expect(findings == [])
    }
}
