import Foundation
import Testing
import Understudy
import UnderstudyReplay

@testable import registration

@Test func `every recorded session gives the same commands again`() async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recordings")
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
        let recording = try Recording([UInt8](Data(contentsOf: file)))
        let findings = try await recording.findings(on: pages)
        #expect(findings == [], "\(file.lastPathComponent)")
    }
}
