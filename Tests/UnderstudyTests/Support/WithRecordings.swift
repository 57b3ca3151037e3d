import BundledPages
import Foundation
import Testing

@testable import Understudy

/// A folder to which sessions are recorded, gone with its test.
final class RecordingPlace {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent("recordings-\(UUID().uuidString)")

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// A service that records what happens in its sessions.
    func service(_ pages: [Page] = Page.demo(), isRedacted: Bool = false) throws -> UnderstudyService {
        var configuration = ServiceConfiguration()
        configuration.recording = try RecordingFolder(url.path, isRedacted: isRedacted)
        return UnderstudyService(pages: pages, configuration: configuration)
    }

    /// The files that have been written.
    var files: [URL] {
        get throws { try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil) }
    }

    /// What the only file holds.
    var text: String {
        get throws {
            let files = try files
            #expect(files.count == 1)
            return try String(contentsOf: #require(files.first), encoding: .utf8)
        }
    }

    /// The only recording.
    var recording: Recording {
        get throws { try Recording(Array(text.utf8)) }
    }
}
